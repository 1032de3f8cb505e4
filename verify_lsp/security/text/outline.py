"""YAML, Terraform and Dockerfiles as keys and values, line by line: enough for rules, and never wrong by a crash."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import attrs

from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import joined, logical_line, without_comment

_YAML_KEY = re.compile(
    r"^(?P<indent>\s*)(?P<dashes>(?:-\s+)*)(?P<key>(?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s#:'\"{\[&*!|>%@`-][^:#\n]{0,200}?|[\w.-]+))\s*:(?:\s+(?P<value>.*)|$)"
)
_YAML_ITEM = re.compile(r"^(?P<indent>\s*)-\s+(?P<value>.*)$")
_BLOCK_MARK = re.compile(r"^(?:&\S+\s+)?[|>][+-]?\d?[+-]?\s*$")
_TERRAFORM_BLOCK = re.compile(
    r'^\s*(?:dynamic\s+)?"?(?P<type>[\w-]+)"?(?P<labels>(?:\s+"[^"\n]{0,200}")*)\s*(?:=\s*)?\{(?P<rest>.*)$'
)
_TERRAFORM_ENTRY = re.compile(r'^\s*"?(?P<key>[\w./:-]+)"?\s*[=:]\s*(?P<value>.+?)\s*,?\s*$')
_DOCKERFILE = re.compile(r"^\s*(?P<key>[A-Za-z]+)\s+(?P<value>.*)$")
_DEPTH = 60
_WIDE = 4_000


@attrs.frozen
class Item:
    """A key with its value. `path` is dotted and ends in a dot; lines are 1-based.

    Attributes:
        block: The lines of its parent: where its siblings stand.
    """

    path: str
    value: str
    first: int
    last: int
    block: tuple[int, int]


class _Found(NamedTuple):
    """An item before it is known what stands beside it."""

    path: str
    value: str
    first: int
    last: int


def outline(source: Source) -> tuple[Item, ...]:
    """Return the items of a text in its order; nothing for a text of another kind."""
    if "yaml" in source.kinds:
        return _with_blocks(list(_yaml(source)), len(source.starts))
    if "terraform" in source.kinds:
        return _with_blocks(list(_terraform(source)), len(source.starts))
    if "dockerfile" in source.kinds:
        return tuple(_dockerfile(source))
    return ()


def _with_blocks(items: Sequence[_Found], lines: int) -> tuple[Item, ...]:
    """Give each item the lines from the first to the last item below the same parent, without a gap between."""
    parents = [_parent(item.path) for item in items]
    starts = _edges(parents, [item.first for item in items])
    ends = _edges(parents[::-1], [max(item.last, item.first) for item in reversed(items)])[::-1]
    return tuple(
        Item(item.path, item.value, item.first, item.last, (start, min(end, lines)))
        for item, start, end in zip(items, starts, ends, strict=True)
    )


def _edges(parents: Sequence[str], lines: Sequence[int]) -> list[int]:
    """Return for each item the line of the first one since its parent was last entered."""
    opened: dict[str, int] = {}
    edges: list[int] = []
    before = None
    for parent, line in zip(parents, lines, strict=True):
        # Beside its sibling, an item has the same parents above it.
        if parent != before:
            opened = {path: at for path, at in opened.items() if parent.startswith(path)}
            before = parent
        edges.append(opened.setdefault(parent, line))
    return edges


def _parent(path: str) -> str:
    return path[: path.rstrip(".").rfind(".") + 1]


def _yaml(source: Source) -> Iterator[_Found]:
    stack: list[tuple[int, str]] = [(-1, "")]
    line, total = 1, len(source.starts)
    while line <= total:
        text = _line(source, line)
        found = _YAML_KEY.match(text)
        if found is None:
            item = _YAML_ITEM.match(text)
            if item is not None:
                _pop(stack, len(item["indent"]) + 1)
                value = item["value"].strip()
                yield _Found(stack[-1][1] + "-.", value, line, line)
            line += 1
            continue
        depth = len(found["indent"]) + len(found["dashes"])
        _pop(stack, depth)
        if found["dashes"]:
            stack.append((depth - 1, f"{stack[-1][1]}-{line}."))
        key, value = found["key"].strip("\"' "), (found["value"] or "").strip()
        last = line
        if _BLOCK_MARK.match(value):
            last = _block_end(source, line, depth)
            value = "\n".join(_line(source, each, comments=True) for each in range(line + 1, last + 1))
        elif value == "" or value.startswith(("&", "*")):
            stack.append((depth, f"{stack[-1][1]}{key}."))
            line += 1
            continue
        yield _Found(f"{stack[-1][1]}{key}.", value, line, last)
        line = last + 1


def _line(source: Source, line: int, *, comments: bool = False) -> str:
    start, end = source.line_span(line)
    text = source.slice(start, min(end, start + _WIDE))
    return text if comments else without_comment(source, text).rstrip()


def _block_end(source: Source, line: int, indent: int) -> int:
    last = line
    for each in range(line + 1, len(source.starts) + 1):
        text = _line(source, each, comments=True)
        if text.strip():
            if len(text) - len(text.lstrip()) <= indent:
                break
            last = each
    return last


def _pop(stack: list[tuple[int, str]], depth: int) -> None:
    """Leave what is indented as far or farther. The stack holds indents and the paths down to there; its root stays."""
    while stack[-1][0] >= depth:
        stack.pop()
    del stack[_DEPTH + 1 :]


def _terraform(source: Source) -> Iterator[_Found]:
    stack: list[str] = []
    for line in range(1, len(source.starts) + 1):
        text = _line(source, line)
        depth = max(len(stack) + text.count("{") - text.count("}"), 0)
        block = _TERRAFORM_BLOCK.match(text)
        if block is not None:
            labels = "".join(f".{label}" for label in re.findall(r'"([^"\n]*)"', block["labels"]))
            stack.append(f"{block['type']}{labels}-{line}")
            text = block["rest"].replace("}", "")
        entry = _TERRAFORM_ENTRY.match(text)
        if entry is not None:
            last = _list_end(source, line, entry["value"])
            value = entry["value"] + " ".join(_line(source, each).strip() for each in range(line + 1, last + 1))
            yield _Found("".join(f"{part}." for part in stack) + entry["key"] + ".", value, line, last)
        del stack[depth:]
        stack += [f"-{line}"] * (min(depth, _DEPTH) - len(stack))


def _list_end(source: Source, line: int, value: str) -> int:
    if not value.startswith("[") or "]" in value:
        return line
    last = min(len(source.starts), line + 50)
    return next((each for each in range(line + 1, last + 1) if "]" in _line(source, each)), line)


def _dockerfile(source: Source) -> Iterator[Item]:
    line, total = 1, len(source.starts)
    while line <= total:
        _, last = logical_line(source, line)
        found = _DOCKERFILE.match(joined(source, line, last).text)
        if found is not None:
            yield Item(f"{found['key'].upper()}.", found["value"].strip(), line, last, (1, total))
        line = max(last, line) + 1
