"""The globs of the settings: a dialect close to .gitignore, matched in time that no pattern can blow up."""

import functools
import itertools
import re
from collections.abc import Iterable, Iterator

import attrs

_BRACES = re.compile(r"\{([^{}/]*,[^{}/]*)\}")
_PIECES = re.compile(r"(\*+)|(\?)|\[(!?)(\]?[^\]]*)\]|([^*?\[]+|\[)")
_VARIANT_LIMIT = 64
_LENGTH_LIMIT = 1_000

# `**` and all stars but the last of a name stand for as little as will do, and never try more: what comes first
# leaves the most room for the rest, so that going back could find nothing.
_ANY_DEPTH = "(?>(?:[^/]+/)*?{})"
_FEW = "(?>[^/]*?{})"
_NAME_ENDS = r"(?=/|\Z)"


def matches_any(path: str, globs: tuple[str, ...]) -> bool:
    """Say whether `globs` take in `path`; see `GlobSet` for what they mean."""
    return _compiled(globs).matches(path)


@attrs.frozen
class GlobSet:
    """Globs in their order; the last one that matches a path decides.

    - `*`, `?` and `[abc]` stay within one name; `**` stands for any number of folders; `{a,b}` for either word.
    - A glob without a slash matches a file or folder of that name at any depth; with one, it starts at the workspace.
    - A glob that matches a folder matches all that is below; one that ends in a slash matches folders only.
    - `!` in front takes a path out again.
    - Case matters, there is no escape character, and an empty glob matches nothing.
    """

    _runs: tuple[tuple[bool, re.Pattern[str]], ...]

    @classmethod
    def of(cls, globs: Iterable[str]) -> "GlobSet":
        """Compile `globs`; those that are absurdly long are left out."""
        rules = [rule for glob in globs if len(glob) <= _LENGTH_LIMIT for rule in _rules_of(glob)]
        runs = itertools.groupby(rules, key=lambda rule: rule.includes)
        return cls(tuple((includes, _either(list(run))) for includes, run in runs))

    def matches(self, path: str) -> bool:
        """Say whether `path`, workspace-relative and POSIX style, is in the set."""
        decided = (includes for includes, pattern in reversed(self._runs) if pattern.match(path))
        return next(decided, False)


@functools.lru_cache(maxsize=64)
def _compiled(globs: tuple[str, ...]) -> GlobSet:
    return GlobSet.of(globs)


@attrs.frozen
class _Rule:
    """One glob without its `!`. `blocks` are what stands between `**`, each a list of names."""

    includes: bool
    blocks: tuple[tuple[str, ...], ...]
    folders_only: bool

    @property
    def name(self) -> str | None:
        """The one name of a glob that matches at any depth."""
        return self.blocks[1][0] if self.blocks[0] == () and list(map(len, self.blocks)) == [0, 1] else None


def _either(rules: list[_Rule]) -> re.Pattern[str]:
    """One pattern for many rules; names that may stand anywhere are looked for together."""
    anywhere = [_name(rule.name) for rule in rules if rule.name and not rule.folders_only]
    others = [_whole(rule) for rule in rules if not rule.name or rule.folders_only]
    together = [_ANY_DEPTH.format(f"(?:{'|'.join(anywhere)}){_NAME_ENDS}")] if anywhere else []
    return re.compile("|".join([*together, *others]), re.DOTALL)


def _rules_of(glob: str) -> Iterator[_Rule]:
    includes = not glob.startswith("!")
    for variant in _variants(glob.removeprefix("!").strip()):
        names = [name for name in variant.split("/") if name not in {"", "."}]
        if not names:
            continue
        if "/" not in variant.rstrip("/"):
            names.insert(0, "**")
        runs = itertools.groupby(names, key=lambda name: name == "**")
        blocks = [tuple(run) for is_any, run in runs if not is_any]
        if names[0] == "**":
            blocks.insert(0, ())
        if names[-1] == "**":
            blocks.append(("*",))  # `a/**` is what is in `a`, not `a` itself.
        yield _Rule(includes, tuple(blocks), variant.endswith("/"))


def _whole(rule: _Rule) -> str:
    first, *rest = ("/".join(map(_name, block)) for block in rule.blocks)
    pattern = first + _NAME_ENDS if first else ""
    for block in rest:
        pattern += ("/" if pattern else "") + _ANY_DEPTH.format(block + _NAME_ENDS)
    return pattern + ("/" if rule.folders_only else "")


def _name(glob: str) -> str:
    """One name: fixed parts, with stars between them."""
    fixed: list[str] = []
    more: list[list[str]] = []
    for stars, any_one, inverted, members, text in _PIECES.findall(glob):
        if stars:
            more.append([])
        else:
            (more[-1] if more else fixed).append(_fixed(any_one, inverted, members, text))
    parts = ["".join(part) for part in more]
    middle = [_FEW.format(part) for part in parts[:-1]]
    return "".join([*fixed, *middle, *(["[^/]*" + parts[-1]] if parts else [])])


def _fixed(any_one: str, inverted: str, members: str, text: str) -> str:
    if text:
        return re.escape(text)
    if any_one:
        return "[^/]"
    escaped = re.sub(r"([\\\[\]^&~|])", r"\\\1", members)
    try:
        re.compile(f"[{escaped}]")
    except re.error:
        return "(?!)"
    return f"(?!/)[{'^' if inverted else ''}{escaped}]"


def _variants(glob: str) -> list[str]:
    variants = [glob]
    while len(variants) < _VARIANT_LIMIT and (found := _BRACES.search(variants[0])):
        # Every variant has the same first brace, as they differ only in what stood before it.
        variants = [each.replace(found[0], word, 1) for each in variants for word in found[1].split(",")]
    return variants[:_VARIANT_LIMIT]
