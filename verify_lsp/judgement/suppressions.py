"""Comments by which people say that a finding is known and meant: `verify: ignore[rule] reason`."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from posixpath import basename, splitext
from typing import TYPE_CHECKING, Generic, TypeVar

import attrs

from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.finding import Finding, Problem
from verify_lsp.syntax.languages import language_of

if TYPE_CHECKING:
    from tree_sitter import Node

Item = TypeVar("Item", Problem, Finding)

UNUSED_RULE = "unused-suppression"
"""The rule of what `unused_problems` returns."""

_OURS = re.compile(r"\bverify:\s*ignore\[([^\[\]\n]{1,300})\][ \t:-]*([^\n]{0,500})")
_FOREIGN = re.compile(
    r"\bgitleaks:allow\b|\bnosec\b|\bnoqa:[ \t]*(?:[A-Z]+\d+[ \t,]+)*S\d{3}\b|\bpragma: allowlist secret\b"
)
_OUR_MARK = re.compile(r"verify:\s*ignore\[")
_ANY_MARK = re.compile(r"verify:\s*ignore\[|gitleaks:allow|nosec|noqa:|allowlist secret")
_OPENER = re.compile(r"(?:^|(?<=[\s;,{}()\]\"']))(?:#|//|/\*|<!--|--|;|%|\{/\*|\{\{!--)[^\n]*$")
_LONG_LINE = 5_000
_COMMENT_KINDS = frozenset({"comment", "line_comment", "block_comment"})
_PARSED_LIMIT = 2_000_000
_HASH, _SLASHES, _MARKUP, _BLOCK, _DASHES = ("# {}", "// {}", "<!-- {} -->", "/* {} */", "-- {}")
_STYLES: Mapping[str, str] = {
    extension: style
    for style, extensions in (
        (
            _HASH,
            ".py .pyi .pyw .pyx .sh .bash .zsh .fish .yml .yaml .toml .tf .tfvars .hcl .rb .pl .pm .r .ex .exs .nim .mk .cfg .conf .ini .properties .env .dockerfile .ps1 .cr .jl .gitignore",
        ),
        (
            _SLASHES,
            ".js .jsx .mjs .cjs .ts .tsx .mts .cts .go .rs .java .kt .kts .scala .groovy .c .h .cc .cpp .cxx .hpp .hh .m .mm .cs .fs .swift .dart .php .jsonc .json5 .proto .zig .scss .less .gradle",
        ),
        (_MARKUP, ".html .htm .xml .svg .md .markdown .vue .svelte .astro"),
        (_BLOCK, ".css"),
        (_DASHES, ".sql .lua .hs .elm"),
    )
    for extension in extensions.split()
}
_WITHOUT_COMMENTS = frozenset({".json", ".csv", ".tsv"})
_NAMES = re.compile(
    r"^(?:dockerfile|containerfile|makefile|gnumakefile|justfile|\.?env|gemfile|rakefile|jenkinsfile)(?:\..*)?$|^\.env|^\.gitignore$|^requirements.*\.txt$",
    re.IGNORECASE,
)
_SLASH_NAMES = re.compile(r"^jenkinsfile|^go\.mod$", re.IGNORECASE)


@attrs.frozen
class Suppression:
    """One comment.

    Attributes:
        line: Where the comment stands, 1-based.
        covers: The line that it speaks of: its own, or the next one with code where it stands alone.
        rules: Ids; `*` stands for all.
        reason: Why, in somebody's words; may be empty.
        foreign: True for another tool's comment (`nosec`, `noqa: S…`, `gitleaks:allow`), which counts for security alone.
    """

    line: int
    covers: int
    rules: tuple[str, ...]
    reason: str = ""
    foreign: bool = False

    def speaks_of(self, rule: str, line: int, end_line: int | None) -> bool:
        """Say whether it covers a rule's finding, which may reach over several lines."""
        last = max(line, end_line or line)
        return (line <= self.covers <= last or line <= self.line <= last) and ("*" in self.rules or rule in self.rules)


@attrs.frozen
class Split(Generic[Item]):
    """Findings of one text, told apart. `unused` are the comments of ours that covered none of them."""

    kept: tuple[Item, ...]
    suppressed: tuple[Item, ...]
    unused: tuple[Suppression, ...]


def suppressions_in(path: str, text: str) -> tuple[Suppression, ...]:
    """Return the suppressions that stand in comments of a text, in its order."""
    if _ANY_MARK.search(text) is None:
        return ()
    lines = text.split("\n")
    found: list[Suppression] = []
    for line, start, comment in _comments(path, text, lines):
        covers = line if lines[line - 1][:start].strip() else _next_line(lines, line)
        found += _read(comment, line, covers)
    return tuple(found)


def may_be_unused(text: str) -> bool:
    """Say whether a text holds a comment that can be reported as suppressing nothing: one of ours."""
    return "ignore[" in text and _OUR_MARK.search(text) is not None


def split(items: Sequence[Item], suppressions: Sequence[Suppression], *, security: bool = False) -> Split[Item]:
    """Tell the findings of one text apart by its suppressions.

    Args:
        security: True for findings of security rules, for which other tools' comments count too.
    """
    used: set[int] = set()
    kept: list[Item] = []
    suppressed: list[Item] = []
    for item in items:
        speaking = [
            index
            for index, suppression in enumerate(suppressions)
            if (security or not suppression.foreign) and suppression.speaks_of(item.rule, item.line, item.end_line)
        ]
        used.update(speaking)
        (suppressed if speaking else kept).append(item)
    unused = tuple(each for index, each in enumerate(suppressions) if index not in used and not each.foreign)
    return Split(tuple(kept), tuple(suppressed), unused)


def unused_problems(path: str, unused: Sequence[Suppression], is_known: Callable[[str], bool]) -> tuple[Problem, ...]:
    """Return a problem for each suppression that suppresses nothing, as far as it names rules that were looked at.

    Args:
        is_known: Says whether a rule, by its id, was held against the text.
    """
    return tuple(
        Problem(
            path=path,
            line=suppression.line,
            severity="low",
            rule=UNUSED_RULE,
            message=f"this comment suppresses {', '.join(named)}, but there is nothing of it here",
            suggestion="Remove the comment, or move it to the line of the finding or the line above.",
        )
        for suppression in unused
        if (named := [rule for rule in suppression.rules if rule != "*" and is_known(rule)])
    )


def ignore_comment(path: str, rule: str, reason: str) -> str | None:
    """Return the comment that suppresses a rule in a file, without a line end; None where the format has no comments."""
    name = basename(path)
    style = _STYLES.get(splitext(name)[1].lower())
    if _SLASH_NAMES.match(name):
        style = _SLASHES
    elif style is None and _NAMES.match(name):
        style = _HASH
    if style is None:
        return None
    words = one_line(reason, 200).replace("*/", "").replace("--", "-")
    return style.format(f"verify: ignore[{rule}] {words}".rstrip())


def _read(comment: str, line: int, covers: int) -> Iterator[Suppression]:
    for ours in _OURS.finditer(comment):
        rules = tuple(rule.strip() for rule in ours.group(1).split(",") if rule.strip())
        reason = re.sub(r"\s*(?:\*/|-->|--\}\}|\*/\})\s*$", "", ours.group(2)).strip()
        yield Suppression(line, covers, rules, reason)
    if _FOREIGN.search(comment):
        yield Suppression(line, covers, ("*",), foreign=True)


def _comments(path: str, text: str, lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the column (0-based) and the text of each line of a comment with a mark in it."""
    marked = [
        (number, line)
        for number, line in enumerate(lines, start=1)
        if len(line) <= _LONG_LINE and _ANY_MARK.search(line) is not None
    ]
    root = _parsed(path, text, lines)
    for number, line in marked:
        if root is not None:
            yield from ((number, start, line[start:end]) for start, end in _comments_in(root, number - 1, line))
        else:
            opener = _OPENER.search(line)
            if opener is not None and splitext(path)[1].lower() not in _WITHOUT_COMMENTS:
                yield number, opener.start(), opener.group()


def _parsed(path: str, text: str, lines: Sequence[str]) -> "Node | None":
    """Return the root of a text's tree; None where no grammar reads it."""
    language = language_of(path)
    if language is None or len(text) > _PARSED_LIMIT or any(len(line) > _LONG_LINE * 4 for line in lines):
        return None
    from verify_lsp.syntax.trees import parse

    return parse(language, text.encode("utf-8", "surrogatepass")).root_node


def _comments_in(root: "Node", row: int, line: str) -> Iterator[tuple[int, int]]:
    """Yield the columns from and to which a comment with a mark in it stands in a line; rows are 0-based."""
    data, last = line.encode("utf-8", "surrogatepass"), -1
    for mark in _ANY_MARK.finditer(line):
        column = len(line[: mark.start()].encode("utf-8", "surrogatepass"))
        node = root.descendant_for_point_range((row, column), (row, column + 1)) if column >= last else None
        while node is not None and node.type not in _COMMENT_KINDS:
            node = node.parent
        if node is not None:
            start = node.start_point[1] if node.start_point[0] == row else 0
            last = node.end_point[1] if node.end_point[0] == row else len(data)
            yield len(data[:start].decode("utf-8", "replace")), len(data[:last].decode("utf-8", "replace"))


def _next_line(lines: Sequence[str], line: int) -> int:
    """Return the next line that is neither blank nor a comment alone."""
    for number in range(line + 1, min(line + 20, len(lines)) + 1):
        text = lines[number - 1].strip()
        if text and not text.startswith(("#", "//", "/*", "*", "<!--", "--", ";")):
            return number
    return line + 1
