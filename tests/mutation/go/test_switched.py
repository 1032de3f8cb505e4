"""One Go text that holds every mutant: off it is the text, on it is the mutant's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness.go_switches import chosen, is_go, numbered, tokens
from verify_lsp.mutation.go.switched import spoiled, switched
from verify_lsp.mutation.switched import with_mutant

BLOCKS = (
    "if a < b && ok { save(a + 1) } else if !ok { return nil }",
    "x := g(a) - 1\nuse(x)",
    "if v, err := g(a * 2); err != nil {\n\treturn err\n} else { use(v) }",
    "for i := 0; i < len(items)-1; i++ {\n\tif items[i] == 0 { continue }\n\ta += i\n}",
    "switch {\ncase a > b:\n\ta++\ncase ok:\n\tuse(-b)\ndefault:\n\tb = 3\n}",
    "switch g(a + 1) {\ncase 1:\n\ta |= b\n\tfallthrough\ncase 2:\n\tx := a - b\n\tuse(x)\n}",
    "select {\ncase c <- a + 1:\n\tuse(a)\ncase v := <-c:\n\tuse(v == 1)\n}",
    "h := func(n int) bool {\n\treturn n > 1 ||\n\t\tn == -b // why\n}\nuse(h(2))",
    'use("é", T{a: 1, b: []int{2, 3}}, a == b,\n\ta-b,\n)',
    "defer finish(a - 1)",
    "go func() { c <- a << 2 }()",
    "L:\nfor range items {\n\tfor ok { break L }\n}",
    "var y, z = a - b, true\nuse(y, z)",
    "*p = a &^ b",
    "if ok { use(1) }",
    "for ok { a-- }",
)


def function(blocks: list[str]) -> str:
    body = "\n\t".join("\n".join(blocks).split("\n"))
    return f"package a\n\nfunc f(a, b int, ok bool, items []int, c chan int, p *int) error {{\n\t{body}\n\treturn err\n}}\n"


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4), st.booleans(), st.data())
@settings(max_examples=60, deadline=None)
def test_off_a_switched_text_is_the_text_and_on_it_is_the_mutants(blocks, marked, data):
    text = ("\ufeff" if marked else "") + function(blocks)
    mutants = numbered(text)
    some = data.draw(st.sets(st.sampled_from(sorted(mutants)), min_size=1, max_size=6))
    made = switched(text, {number: mutants[number] for number in some})

    plain = made.text.removeprefix("\ufeff")
    assert is_go(plain)
    assert tokens(chosen(plain)) == tokens(text.removeprefix("\ufeff"))
    for number in some - made.left:
        mutated = with_mutant(text, mutants[number]).removeprefix("\ufeff")
        assert tokens(chosen(plain, number)) == tokens(mutated), mutants[number]
        first, last = made.rows[number]
        held = "\n".join(made.text.split("\n")[first - 1 : last])
        assert f"On({number})" in held


@pytest.mark.parametrize("block", [block for block in BLOCKS if not block.startswith("L:")])
def test_inside_of_functions_every_mutant_can_be_chosen(block):
    text = function([block])

    assert switched(text, numbered(text)).left == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "package a\n\nvar x = f(a + 1)\n",
        "package a\n\nfunc f() {\nL:\n\tfor i := g(2); ; {\n\t\tbreak L\n\t}\n}\n",
        "package a\n\nfunc f() {\n\tx := g(2)\nL:\n\tif x == y {\n\t\tgoto L\n\t}\n}\n",
    ],
)
def test_what_go_cannot_choose_where_it_stands_is_left(text):
    numbers = {number for number, mutant in numbered(text).items() if mutant.operator in {"number", "arithmetic"}}

    left = switched(text, numbered(text)).left
    assert left
    assert left <= numbers


def test_choices_on_one_line_move_no_line():
    text = function(["if a < b {\n\tuse(a)\n}", "a += b", "use(a == b &&\n\tok)", "return g(a)"])

    rows = switched(text, numbered(text)).text.split("\n")
    assert len(rows) == len(text.split("\n"))
    assert [row.strip()[:3] for row in rows[5:8]] == ["}", "if ", "if "]


def test_a_condition_keeps_a_type_of_its_own():
    text = "package a\n\nfunc f(a, b B) B {\n\treturn a && b\n}\n"

    made = switched(text, {1: numbered(text)[1]})
    assert made.text.split("\n")[3].strip() == (
        "return (zzVerifyLsp.On(1) == true && (a || b) || zzVerifyLsp.Off(1) == true && (a && b))"
    )


def test_a_spoiled_text_still_compiles_with_others_and_ends_a_program_at_once():
    assert is_go(spoiled("package a\n\nfunc init() {}"))
    assert "func init() { panic(" in spoiled("package a\n")
