from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.code.registrations import REGISTRATIONS

VERIFIERS = {name: registration.verifier for registration in REGISTRATIONS for name in registration.names}


def verdict(text, name):
    return VERIFIERS[Path(name).suffix].verify(Subject(Path("/nowhere", name), text))


def only(text, name):
    seen = verdict(text, name)
    assert seen.skipped is None
    (problem,) = seen.problems
    return problem


VALID = [
    *(("", "a.js"), ("", "a.ts"), ("", "a.rs"), ("", "a.sh"), ("  \n", "a.tsx")),
    ("#!/usr/bin/env node\nimport x from './x.json' with { type: 'json' };\nawait x;\n", "a.js"),
    ("export * from './a.json' with { type: 'json' };\nimport b from 'b' assert { type: 'json' };\n", "a.mjs"),
    ("import defer * as a from 'a';\nimport source b from 'b';\nconst c = await import.defer('c');\n", "a.js"),
    ("using a = f();\nclass B { static #c = 1; accessor d = 2; static {} }\n", "a.js"),
    ("@dec class A { @dec() b = 1 }\nconst c = <div class='d' for={e}>text's</div>;\n", "a.js"),
    ("const a = /[/}]/.test(b) ? `${c ? `}` : '{'}` : 1;\n", "a.cjs"),
    ("\ufeffconst a = 1;\r\n", "a.js"),
    ("export type * from './a';\nexport type * as B from 'b';\nlet c: import('d').E[];\n", "a.ts"),
    ("declare module 'x' { export default function f<T>(a: T): asserts a is string; }\n", "a.d.ts"),
    ("const f = <T,>(a: T) => <B c={a}>{d as any}</B>;\n", "a.tsx"),
    ("const f = <T>(a: T) => <any>a;\nenum E { A = 1 }\nlet x = a satisfies B;\n", "a.ts"),
    (
        "//go:build ignore\n\npackage main\n\n/*\n#include <x.h>\nint f() { return '{'; }\n*/\nimport \"C\"\n\nfunc f[T any](a T) {}\n",
        "a.go",
    ),
    (
        "fn main() {\n    let s = str![[\"a\"]];\n    let c: char = '{';\n    let d = &'a 'b';\n}\n".replace(
            "    let d = &'a 'b';\n", ""
        ),
        "a.rs",
    ),
    ("/* a */\n\n/*\nb */\npackage a\n\n/* c */\n", "a.go"),
    ("#![feature(x)]\nfn f<'a>(x: &'a str) -> impl Fn() + 'a { move || { r#\"{\"#; } }\n", "a.rs"),
    ("case $1 in\n  a) echo a ;;\n  (b) echo \"${x%%)*}\" ;;\nesac\ncat <<'E'\n{ ( [\nE\n", "a.sh"),
]


@pytest.mark.parametrize(("text", "name"), VALID)
def test_what_is_valid_is_no_problem(text, name):
    assert verdict(text, name).problems == ()
    assert verdict(text, name).skipped is None


@pytest.mark.parametrize(
    ("text", "name", "place", "message"),
    [
        ("const é = '😀' ) ;\n", "a.js", (1, 15, 16), "unexpected `)`: nothing is open that it could close"),
        ("function f() {\n\tif (x) {\n\t\ty = 1\n}\n", "a.ts", (2, 9, 10), "`{` is never closed: missing `}`"),
        ("f(a, [1, 2);\n", "a.ts", (1, 11, 12), "unexpected `)`: `[` opened on line 1 is not closed"),
        ("const a = {\n  b: [1,\n};\n", "a.tsx", (3, 1, 2), "unexpected `}`: `[` opened on line 2 is not closed"),
        ("const a = 'abc\nconst b = 1;\n", "a.js", (1, 11, 12), "unterminated string"),
        ("const a = `abc\nconst b = 1;\n", "a.js", (1, 11, 12), "unterminated template literal"),
        (
            "package a\n\nfunc f() {\n\tg(é, 1\n}\n",
            "a.go",
            (5, 1, 2),
            "unexpected `}`: `(` opened on line 4 is not closed",
        ),
        (
            "fn main() {\n    let a = vec![1, 2;\n}\n",
            "a.rs",
            (3, 1, 2),
            "unexpected `}`: `[` opened on line 2 is not closed",
        ),
        (
            "// only a comment\n",
            "a.go",
            (1, None, None),
            "expected `package`: a Go file begins with its package clause",
        ),
        ("", "a.go", (1, None, None), "expected `package`: a Go file begins with its package clause"),
    ],
)
def test_brackets_and_quotes_that_do_not_match_are_errors(text, name, place, message):
    problem = only(text, name)

    assert problem.severity == "high"
    assert (problem.line, problem.column, problem.end_column) == place
    assert problem.message == message


@pytest.mark.parametrize(
    ("text", "name", "place"),
    [
        ("const é = ;\n", "a.ts", (1, 9)),
        ("let x = 1\nfoo bar baz\n", "a.js", (2, 1)),
        ("if true; then\n  echo é\n", "a.sh", (2, 9)),
    ],
)
def test_what_only_the_grammar_refuses_may_be_right_and_is_no_error(text, name, place):
    problem = only(text, name)

    assert problem.severity == "medium"
    assert "this may be a syntax error" in problem.message
    assert problem.line == place[0] or problem.line == place[0] + 1


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ("// @flow\ntype A = {| b: 1 |};\n", "a.js", "Flow"),
        ("/**\n * @flow strict\n */\nfunction f(x: ?number) {}\n", "a.js", "Flow"),
        ('<?xml version="1.0"?>\n<!DOCTYPE TS>\n', "de.ts", "Qt"),
        ("#!/usr/bin/env zsh\nfor x (a b) { echo $x }\n", "a.sh", "zsh"),
        ("#!/usr/bin/fish\nif true\nend\n", "a.sh", "fish"),
        ("#!/usr/bin/env cargo\n---\n[dependencies]\n---\nfn main() {}\n", "a.rs", "cargo script"),
        ("class {{ name }} {\n{% if x %} ) {% endif %}\n", "a.ts", "template"),
        ("const a = \x00 1;\n", "a.js", "control characters"),
    ],
)
def test_what_we_have_no_parser_for_is_skipped(text, name, reason):
    assert verdict(text, name).problems == ()
    assert reason in verdict(text, name).skipped


WIDE = st.text(st.sampled_from("aé😀漢ß"), max_size=6)


@given(st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["", "\t", "    "]), WIDE, st.integers(0, 3))
def test_columns_count_characters_whatever_stands_before_them(end, mark, indent, before, above):
    text = ("\ufeff" if mark else "") + f"// 😀{end}" * above + f'{indent}f("{before}", [1);{end}'
    at = text.index(")")

    problem = only(text, "a.ts")

    assert problem.line == above + 1
    assert problem.column == at - (text.rfind("\n", 0, at) + 1) + 1
    assert problem.end_column == problem.column + 1


@given(
    st.sampled_from(["a.js", "a.ts", "a.tsx", "a.go", "a.rs", "a.sh"]),
    st.text(st.sampled_from("x=1()[]{}:'\"`\\\n\r\t #é😀,.@%!$</>;") | st.characters(), max_size=60),
)
def test_any_text_has_a_verdict_with_a_place_inside_of_it(name, text):
    lines = text.split("\n")
    for problem in verdict(text, name).problems:
        assert 1 <= problem.line <= len(lines)
        assert problem.column is None or 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.end_column is None or problem.column < problem.end_column <= len(lines[problem.line - 1]) + 1


def test_sixty_thousand_brackets_are_no_crash():
    assert only("x = " + "[" * 60_000 + "\n", "a.js").severity == "high"


def test_a_file_of_megabytes_is_skipped():
    assert "too large" in verdict("x = 1;\n" * 300_000, "a.js").skipped


@pytest.mark.parametrize("name", ["a.js", "a.go", "a.rs", "a.sh"])
def test_half_a_character_takes_one_column(name):
    for problem in verdict("\ud800", name).problems:
        assert (problem.line, problem.column) == (1, 1)
        assert problem.end_column in {None, 2}
