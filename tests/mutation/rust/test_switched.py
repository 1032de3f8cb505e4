"""Texts with many mutants in them: off they are the text itself, on they are the mutant's own."""

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness.rust_texts import ENGINE, SAMPLE
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.rust.switched import switched
from verify_lsp.mutation.switched import Switched, with_mutant
from verify_lsp.syntax.trees import parse

_BLOCK = re.compile(rb"(?:unsafe|if|match|loop|while|for|async|const)\b|\{|'")
_ASKED = re.compile(r"self::(?:super::)*verify_lsp_switch::on\((\d+)\)")


def mutants_in(text: str) -> dict[int, Mutant]:
    return dict(enumerate(ENGINE.mutants_of("src/lib.rs", text, range(1, text.count("\n") + 2)), 1))


def chosen(text: str, number: int = 0) -> str:
    """Take all switches out of a text, as if this mutant were on."""
    data = text[: text.index("#[doc(hidden)]\nmod verify_lsp_switch")].encode()
    root = parse("rust", data).root_node
    return (data[: root.start_byte] + _written(root, data, number)).decode()


def _written(node, data: bytes, number: int) -> bytes:
    if (pair := _forms(node)) is not None:
        asked, mutant, original = pair
        form = original if asked != number else mutant
        return b"".join(part if isinstance(part, bytes) else _written(part, data, number) for part in form)
    out, at = b"", node.start_byte
    for child in node.children:
        out += data[at : child.start_byte] + _written(child, data, number)
        at = child.end_byte
    return out + data[at : node.end_byte]


def _forms(node):
    """Return the number of a choice and its two forms; None for a node that is no choice of ours."""
    inner = node.named_children[0] if node.named_child_count == 1 else None
    if node.type not in {"parenthesized_expression", "expression_statement"} or inner is None:
        return None
    if inner.type == "if_expression" and (found := _asks(inner.child_by_field_name("condition"))):
        other = inner.child_by_field_name("alternative").named_children[0]
        return found, _inside(inner.child_by_field_name("consequence")), _inside(other)
    if inner.type == "binary_expression" and (found := _asks(inner.child_by_field_name("left"))):
        value = inner.child_by_field_name("right").named_children[0]
        return found, [b"!(", value, b")"], [value]
    return None


def _inside(block) -> list:
    """What stands in a block, the spaces around it left out, comments and all."""
    only = block.named_children[0] if block.named_child_count == 1 else None
    if only is not None and _is_wrapped(only):
        block = only
    parts, at = [], block.start_byte + (1 if block is only else 2)
    for child in block.children[1:-1]:
        gap = child.start_byte - at
        parts += [block.text[at - block.start_byte : at - block.start_byte + gap], child]
        at = child.end_byte
    return parts


def _is_wrapped(node) -> bool:
    return node.type == "parenthesized_expression" and _BLOCK.match(node.text[1:]) is not None and _forms(node) is None


def _asks(node) -> int | None:
    found = _ASKED.fullmatch(node.text.decode()) if node is not None else None
    return int(found[1]) if found else None


@settings(max_examples=25)
@given(st.sets(st.sampled_from(sorted(mutants_in(SAMPLE)))))
def test_with_every_switch_off_it_is_the_text_itself(numbers: set[int]) -> None:
    every = mutants_in(SAMPLE)
    made = switched(SAMPLE, {number: every[number] for number in numbers})
    if set(made.left) == numbers:
        assert made.text == SAMPLE
        return
    assert not parse("rust", made.text.encode()).root_node.has_error
    assert chosen(made.text).rstrip("\n") == SAMPLE


def test_with_one_on_it_is_that_mutants_own_text() -> None:
    every = mutants_in(SAMPLE)
    made = switched(SAMPLE, every)
    wrong = [
        every[number]
        for number in every.keys() - made.left
        if chosen(made.text, number).rstrip("\n") != with_mutant(SAMPLE, every[number])
    ]
    assert wrong == []


def test_what_the_compiler_works_out_is_left() -> None:
    text = (
        "const fn f(a: u8) -> u8 { if a > 1 { a + 1 } else { 0 } }\nfn g(a: u8) -> u8 { fn h() -> u8 { 3 } a + h() }\n"
    )
    every = mutants_in(text)
    assert {every[number].line for number in switched(text, every).left} == {1}
    assert {every[number].line for number in every.keys() - switched(text, every).left} == {2}


def test_a_number_is_chosen_with_its_sign() -> None:
    made = only("fn f() -> i8 { g(-128) }\n", "number")
    assert "{ -129 } else { -128 }" in made.text


def test_a_chain_of_operators_is_chosen_as_a_whole() -> None:
    """`a || b && c` is grouped otherwise than `(a || b) && c`."""
    text = "fn f(a: bool) -> bool { a && b && c }\n"
    every = {number: mutant for number, mutant in mutants_in(text).items() if mutant.operator == "logic"}
    assert "{ a || b && c } else" in switched(text, every).text


def test_a_whole_body_is_chosen_within_braces_of_its_own(tmp_path: Path) -> None:
    text = "pub fn f(a: u8) -> u8 {\n    if a > 1 { return a }\n    a + 2\n}\npub fn g(a: &mut u8) {\n    *a += 1;\n}\n"
    inner = only_mutant(text, "boundary")
    bodies = {2: body_of(text, "f", "{ 7 }"), 3: body_of(text, "g", "{ () }")}
    made = switched(text, {1: inner, **bodies})
    assert not made.left
    assert "{ if self::verify_lsp_switch::on(2) { 7 } else {\n" in made.text
    assert made.rows[2][0] == 1
    assert compiled_text(tmp_path, made.text, "2015") == ""
    assert switched("const " + text[4:], {1: body_of("const " + text[4:], "f", "{ 7 }")}).left == {1}


def body_of(text: str, name: str, replacement: str) -> Mutant:
    """Return the mutant that puts another body in the place of a function's."""
    start = text.index("{", text.index(f"fn {name}"))
    end = text.index("\n}", start) + 2
    ends = (text.count("\n", 0, end) + 1, end - text.rindex("\n", 0, end))
    begins = (text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start))
    return Mutant("src/lib.rs", *begins, *ends, "return", text[start:end], replacement)


@pytest.mark.parametrize(
    "text", ["\ufefffn f(a: u8) -> bool {\n\ta < 1\n}\n", "fn f(a: u8) -> bool {\n    /* é */ a < 1 // ü\n}"]
)
def test_a_byte_order_mark_tabs_and_other_characters_stay(text: str) -> None:
    made = only(text, "boundary")
    assert "(if self::verify_lsp_switch::on(1) { a <= 1 } else { a < 1 })" in made.text
    assert chosen(made.text).rstrip("\n") == text.rstrip("\n")


def only(text: str, operator: str) -> Switched:
    return switched(text, {1: only_mutant(text, operator)})


def only_mutant(text: str, operator: str) -> Mutant:
    return next(mutant for mutant in mutants_in(text).values() if mutant.operator == operator)


def test_rows_name_the_lines_of_each_choice() -> None:
    text = "fn f(a: u8) -> bool {\n    g(\n        a < 1,\n    );\n    a > 2\n}\n"
    every = {n: mutant for n, mutant in mutants_in(text).items() if mutant.operator in {"boundary", "call"}}
    made = switched(text, every)
    rows = made.text.split("\n")
    for number, (first, last) in made.rows.items():
        assert f"on({number})" in "\n".join(rows[first - 1 : last])


@pytest.mark.parametrize("edition", ["2015", "2018", "2021", "2024"])
def test_every_edition_compiles_it(tmp_path: Path, edition: str) -> None:
    assert (
        compiled(
            tmp_path, "#![forbid(unsafe_code)]\n" + SAMPLE.removeprefix("//! Sums, limits and the like.\n"), edition
        )
        == ""
    )


@pytest.mark.parametrize("head", ["#![no_std]\n", "#![no_implicit_prelude]\n"])
@pytest.mark.parametrize("edition", ["2015", "2024"])
def test_it_compiles_where_nothing_is_at_hand(tmp_path: Path, edition: str, head: str) -> None:
    text = "pub mod a { pub fn f(a: u8) -> u8 { if a > 1 && a < 5 { return a; } a + 2 } }\n"
    assert compiled(tmp_path, head + text, edition) == ""


def compiled(folder: Path, text: str, edition: str) -> str:
    """Compile a text with all its mutants in it; returns what the compiler says against it."""
    return compiled_text(folder, switched(text, mutants_in(text)).text, edition)


def compiled_text(folder: Path, text: str, edition: str) -> str:
    file = folder / "sample.rs"
    file.write_text(text, encoding="utf-8")
    flags = ["--crate-type", "lib", "--edition", edition, "--emit", "metadata", "--cap-lints", "allow"]
    command = ["rustc", *flags, "--out-dir", str(folder), str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stderr
