"""A failing test in Rust: in the file's own module of tests, in the test file that reaches it, or in a new module."""

import re
from posixpath import basename, dirname, join, splitext
from typing import TYPE_CHECKING

from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import (
    Ground,
    Skeleton,
    comments_on,
    complaint_on,
    free_name,
    inserted,
    quoted,
    words_of,
)
from verify_lsp.syntax.trees import parse

if TYPE_CHECKING:
    from tree_sitter import Node

_CFG_TEST = re.compile(rb"#\s*\[\s*cfg\s*\(\s*test\s*\)\s*\]")
_TEST = re.compile(r"#\s*\[\s*(?:\w+::)*test\s*\]")


def skeleton(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Return the test; None where the mutant's own file cannot be read."""
    text = ground.read(mutant.path)
    if text is None:
        return None
    module = _module_of_tests(text)
    if module is not None and (body := module.child_by_field_name("body")) is not None:
        return _in_module(mutant, text, body)
    if module is not None and (found := _in_file_of(mutant, ground, module)) is not None:
        return found
    if (found := _in_reaching_file(mutant, ground)) is not None:
        return found
    name = free_name("_".join(words_of(mutant)), [text])
    called = free_name("tests", [text])
    block = f"#[cfg(test)]\nmod {called} {{\n{_function(mutant, name, '    ')}}}\n"
    return Skeleton(mutant.path, text, *inserted(text, len(text), block), name)


def _module_of_tests(text: str) -> "Node | None":
    """Return the last module that is there for tests alone."""
    found, marked = None, False
    for node in parse("rust", text.encode("utf-8", "surrogatepass")).root_node.children:
        if node.type == "attribute_item":
            marked = marked or bool(_CFG_TEST.fullmatch(node.text or b""))
        elif node.type not in {"line_comment", "block_comment"}:
            found = node if node.type == "mod_item" and marked and not node.has_error else found
            marked = False
    return found


def _in_module(mutant: TriedMutant, text: str, body: "Node") -> Skeleton:
    data = text.encode("utf-8", "surrogatepass")
    brace = len(data[: body.end_byte - 1].decode("utf-8", "surrogatepass"))
    start = text.rfind("\n", 0, brace) + 1
    alone = not text[start:brace].strip()
    name = free_name("_".join(words_of(mutant)), [text])
    block = _function(mutant, name, _indent_in(text, start))
    if not alone:  # `mod tests {}` on one line.
        return Skeleton(mutant.path, text, brace, f"\n{block}", name)
    at, inserted_text = inserted(text[:start], start, block)
    empty = text[:start].rstrip().endswith("{")
    return Skeleton(mutant.path, text, at, inserted_text.lstrip("\r\n") if empty else inserted_text, name)


def _indent_in(text: str, before: int) -> str:
    """Return how far the last test above is indented."""
    found = re.findall(r"^([ \t]+)#\s*\[(?:\w+::)*test\]", text[:before], re.MULTILINE)
    return str(found[-1]) if found else "    "


def _in_file_of(mutant: TriedMutant, ground: Ground, module: "Node") -> Skeleton | None:
    """Follow `#[cfg(test)] mod tests;` to its file."""
    named = module.child_by_field_name("name")
    name = (named.text or b"").decode() if named is not None else ""
    folder, stem = dirname(mutant.path), splitext(basename(mutant.path))[0]
    home = folder if stem in {"lib", "main", "mod"} else join(folder, stem)
    for path in (join(home, f"{name}.rs"), join(home, name, "mod.rs")):
        if path in ground.paths and (text := ground.read(path)) is not None:
            return _at_end(mutant, path, text)
    return None


def _in_reaching_file(mutant: TriedMutant, ground: Ground) -> Skeleton | None:
    """Take the file in `tests/` whose tests run over the mutant, by their names; only where the code has none itself."""
    names = {name.rpartition("::")[2].rpartition(" ")[2] for name in mutant.covered_by}
    best, most = None, 0
    for path in ground.paths:
        if not re.search(r"(?:^|/)tests/[^/]+\.rs$", path) or (text := ground.read(path)) is None:
            continue
        count = sum(re.search(rf"\bfn {re.escape(name)}\(", text) is not None for name in names if name)
        if count > most and _TEST.search(text):
            best, most = _at_end(mutant, path, text), count
    return best


def _at_end(mutant: TriedMutant, path: str, text: str) -> Skeleton:
    name = free_name("_".join(words_of(mutant)), [text])
    return Skeleton(path, text, *inserted(text, len(text), _function(mutant, name, "")), name)


def _function(mutant: TriedMutant, name: str, indent: str) -> str:
    inner = "\t" if indent and not indent.strip("\t") else "    "
    # A brace is a place to fill in for `panic!`.
    message = quoted(complaint_on(mutant)).replace("{", "{{").replace("}", "}}")
    body = [*(f"{inner}// {line}" for line in comments_on(mutant)), f"{inner}panic!({message});"]
    return "".join(f"{indent}{line}\n" for line in ("#[test]", f"fn {name}() {{", *body, "}"))
