"""What to run in place of a script that needs a package manager which is not installed."""

import re
from collections.abc import Mapping

import attrs

from verify_lsp.toolchains.node.manifest import Package
from verify_lsp.toolchains.node.testing.runners import Invocation, find_invocation, plan_for
from verify_lsp.toolchains.node.testing.script import Script, plain_script

_OTHER = re.compile(r"(?:test|unit)(?:[:_-][\w:-]+)?")


@attrs.frozen
class Substitute:
    """A plain run of a known runner; `note` says what ran in place of what."""

    script: Script
    invocation: Invocation
    note: str


def calls(package: Package, name: str, manager: str) -> bool:
    """Return whether script `name` calls the package manager by its name."""
    return re.search(rf"(?<![\w./-]){manager}(?![\w./-])", package.scripts[name]) is not None


def find_substitute(package: Package, name: str, manager: str) -> Substitute | None:
    """Return the one step of script `name` that plainly is a known runner, else another script that is.

    What else the script does (a linter, a type check) does not run, and the note says so.
    """
    steps = [step.strip() for step in package.scripts[name].split("&&")]
    plain = {step: found for step in steps if (found := _runner({**package.scripts, name: step}, name, package))}
    if len(plain) == 1:
        step, (script, invocation) = next(iter(plain.items()))
        rest = " and ".join(repr(other) for other in steps if other != step)
        without = f", without {rest}" if rest else ""
        return Substitute(script, invocation, f"{manager} is not installed, so only {step!r} ran{without}")
    for other in sorted(key for key in package.scripts if key != name and _OTHER.fullmatch(key)):
        if found := _runner(package.scripts, other, package):
            return Substitute(*found, f"{manager} is not installed, so the script {other!r} ran in place of {name!r}")
    return None


@attrs.frozen
class Part:
    """The one step of a longer script that runs tests; `ahead` are the steps before it that build."""

    script: Script
    invocation: Invocation
    ahead: tuple[str, ...]


def find_part(package: Package, name: str) -> Part | None:
    """Return the part of script `name`, steps joined by `&&`, that runs its tests; None where that is not plain."""
    steps = [step.strip() for step in package.scripts[name].split("&&")]
    scripts = [plain_script({**package.scripts, name: step}, name, package.folder) for step in steps]
    tests = [
        (at, script, invocation)
        for at, script in enumerate(scripts)
        if script and (invocation := find_invocation(script.words)).runner in _RUNNERS
    ]
    if len(steps) < 2 or len(tests) != 1:  # one step is no longer script
        return None
    at, script, invocation = tests[0]
    return Part(script, invocation, tuple(step for step in steps[:at] if BUILDS.search(step)))


BUILDS = re.compile(r"\bbuild\b|\btsc\b(?!.*--noEmit)|\btsup\b|\brollup\b|\bunbuild\b")
_RUNNERS = frozenset({"vitest", "jest", "mocha", "node:test", "ava", "tape", "tap", "uvu", "jasmine"})


def _runner(scripts: Mapping[str, str], name: str, package: Package) -> tuple[Script, Invocation] | None:
    script = plain_script(scripts, name, package.folder)
    if script is None or f"pre{script.name}" in scripts:
        return None
    invocation = find_invocation(script.words)
    return (script, invocation) if plan_for(invocation, None) else None
