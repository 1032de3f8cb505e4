"""The globs of the settings: a dialect close to .gitignore, matched in time that no pattern can blow up."""

import fnmatch
import re
from collections.abc import Iterable, Iterator, Sequence

import attrs

_BRACES = re.compile(r"\{([^{}/]*,[^{}/]*)\}")
_VARIANT_LIMIT = 64
_LENGTH_LIMIT = 1_000


@attrs.frozen
class GlobSet:
    """Globs in their order; the last one that matches a path decides.

    - `*`, `?` and `[abc]` stay within one name; `**` stands for any number of folders; `{a,b}` for either word.
    - A glob without a slash matches a file or folder of that name at any depth; with one, it starts at the workspace.
    - A glob that matches a folder matches all that is below; one that ends in a slash matches folders only.
    - `!` in front takes a path out again.
    - Case matters, there is no escape character, and an empty glob matches nothing.
    """

    _rules: tuple["_Rule", ...]

    @classmethod
    def of(cls, globs: Iterable[str]) -> "GlobSet":
        """Compile `globs`; those that are absurdly long are left out."""
        return cls(tuple(rule for glob in globs if len(glob) <= _LENGTH_LIMIT for rule in _rules_of(glob)))

    def matches(self, path: str) -> bool:
        """Say whether `path`, workspace-relative and POSIX style, is in the set."""
        names = path.split("/")
        decided = (rule.includes for rule in reversed(self._rules) if rule.matches(names))
        return next(decided, False)


@attrs.frozen
class _Rule:
    """One glob. `names` holds one pattern a path segment; None stands for `**`."""

    includes: bool
    names: tuple[re.Pattern[str] | None, ...]
    folders_only: bool

    def matches(self, path: Sequence[str]) -> bool:
        # `reached[i]`: the patterns so far match the first `i` names. A folder's match is a match of all below it.
        reached = [True] + [False] * len(path)
        for name in self.names:
            reached = _any_depth(reached) if name is None else _one_deeper(reached, name, path)
        ends = reached[1:-1] if self.folders_only else reached[1:]
        return any(ends)


def _any_depth(reached: list[bool]) -> list[bool]:
    first = reached.index(True) if True in reached else len(reached)
    return [position >= first for position in range(len(reached))]


def _one_deeper(reached: list[bool], name: re.Pattern[str], path: Sequence[str]) -> list[bool]:
    steps = zip(reached[:-1], path, strict=True)
    return [False, *(before and name.match(segment) is not None for before, segment in steps)]


def _rules_of(glob: str) -> Iterator[_Rule]:
    includes = not glob.startswith("!")
    for variant in _variants(glob.removeprefix("!").strip()):
        folders_only = variant.endswith("/")
        body = variant.strip("/")
        if not body or body == ".":
            continue
        anchored = "/" in variant.rstrip("/")
        segments = [segment for segment in body.split("/") if segment not in {"", "."}]
        if not anchored and segments != ["**"]:
            segments = ["**", *segments]
        names = tuple(None if segment == "**" else re.compile(fnmatch.translate(segment)) for segment in segments)
        # `a/**` means what is in `a`, not `a` itself; as files are asked for, one more name makes that so.
        yield _Rule(includes, (*names, re.compile("")) if names[-1] is None else names, folders_only)


def _variants(glob: str) -> list[str]:
    variants = [glob]
    while len(variants) < _VARIANT_LIMIT and (found := _BRACES.search(variants[0])):
        words = found[1].split(",")
        # Every variant has the same first brace, as they differ only in what stood before it.
        variants = [_BRACES.sub(lambda _, word=word: word, each, count=1) for each in variants for word in words]  # type: ignore[misc]  # mypy knows no default in a lambda
    return variants[:_VARIANT_LIMIT]
