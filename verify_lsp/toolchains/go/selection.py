"""Running just some Go tests again."""

import re

import attrs

BUILD_FAILED = "[build failed]"
"""Ends the id of a package that did not build or load, as in Go's own output."""

_ID = re.compile(
    r"(?P<package>[^\s-][^\s]*?)(?:\.(?P<test>(?:Test|Example|Fuzz)(?![a-z])\S*)|(?P<whole> \[build failed\])?)"
)
_NO_TEST = "^$"


@attrs.frozen
class Selection:
    """Packages, and the pattern that chooses tests in each of them.

    `go test` has one pattern for all packages, so that a test of the same name in another of these
    packages runs as well; whoever reads the results looks for the ids that were asked for.
    """

    packages: tuple[str, ...]
    pattern: str


def select(ids: tuple[str, ...]) -> Selection | None:
    """Return what runs the tests of some ids; None where an id names no test of a package.

    The id of a package that did not build chooses the package without a test: enough to see whether it builds.
    """
    packages: list[str] = []
    patterns: list[str] = []
    for test_id in ids:
        found = _ID.fullmatch(test_id)
        if found is None or not (found["test"] or found["whole"]):
            return None
        packages.append(found["package"])
        if found["test"]:
            patterns.append("/".join(f"^{re.escape(part)}$" for part in found["test"].split("/")))
    if not packages:
        return None
    return Selection(tuple(dict.fromkeys(packages)), "|".join(dict.fromkeys(patterns)) or _NO_TEST)
