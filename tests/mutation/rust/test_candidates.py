"""Which faults are put into Rust, and where none are."""

import pytest

from tests.harness.rust_texts import ENGINE, SAMPLE
from verify_lsp.mutation.switched import with_mutant
from verify_lsp.syntax.trees import parse


def found(text: str, path: str = "src/lib.rs") -> list[tuple[str, str, str]]:
    mutants = ENGINE.mutants_of(path, text, range(1, text.count("\n") + 2))
    return [(mutant.operator, mutant.original, mutant.replacement) for mutant in mutants]


def in_function(body: str, signature: str = "fn f(a: u8, b: u8)") -> list[tuple[str, str, str]]:
    return found(f"{signature} {{\n{body}\n}}\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("let c = a < b;", [("boundary", "<", "<=")]),
        ("let c = a == b;", [("equality", "==", "!=")]),
        ("let c = a > b && b >= a;", [("boundary", ">", ">="), ("logic", "&&", "||"), ("boundary", ">=", ">")]),
        ("let c = !d;", [("negation", "!d", "d")]),
        ("if d { g(); }", [("condition", "d", "!(d)"), ("call", "g()", "()")]),
        ("while d.is_x() {}", [("condition", "d.is_x()", "!(d.is_x())")]),
        ("match a { x if ok(x) => {} _ => {} }", [("condition", "ok(x)", "!(ok(x))")]),
        ("let c = a * b % a;", [("arithmetic", "*", "/"), ("arithmetic", "%", "*")]),
        ("let c = a | b << a;", [("bits", "|", "&"), ("bits", "<<", ">>")]),
        ("a += b;", [("assignment", "+=", "-=")]),
        ("let c = -a;", [("sign", "-a", "a")]),
        ("let c = true;", [("truth", "true", "false")]),
        ("for x in y { continue; }", [("loop", "continue", "break")]),
        ("for x in y { break; }", [("loop", "break", "continue")]),
        ("'o: for x in y { for z in x { break 'o; } }", [("loop", "break 'o", "continue 'o")]),
        ("g()?;", [("call", "g()?", "()")]),
        ("let c = &x[a..b.len()];", [("slice", "a", "a + 1"), ("slice", "b.len()", "b.len() + 1")]),
        ("let c = &x[..2];", [("number", "2", "3")]),
        (
            "if a < b { c = x; } else { c = y; }\ng();",
            [
                ("boundary", "<", "<="),
                ("branch", "{ c = y; }", "{}"),
                ("call", "g()", "()"),
            ],
        ),
        ("let d = if a < b { x } else { c = y; z };", [("boundary", "<", "<=")]),
        ("if a < b { c = x; } else { return Err(c); }", [("boundary", "<", "<=")]),
        ("let c;\nif a < b { c = x; } else { c = y; }", [("boundary", "<", "<=")]),
        (
            "let c = g(1, 0x0f_u8, 2.5f32);",
            [("number", "1", "2"), ("number", "0x0f_u8", "0x10u8"), ("number", "2.5f32", "3.5f32")],
        ),
    ],
)
def test_each_operator_has_its_fault(body: str, expected: list[tuple[str, str, str]]) -> None:
    assert in_function(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "if let Some(x) = y { }",
        "if let Some(x) = y && z { }",
        "if y && z && let Some(x) = w { }",
        "loop { break; }",
        "let v = 'a: { break 'a; };",
        "let v = loop { break v; };",
        'let s = s + "x" + &t + &format!("{}", 1);',
        "let t = pair.0;",
        "let v = [x; 32];",
        "let v: [u8; 32] = w;",
        "let v = x as [u8; 2];",
        "let v = Vec::<[u8; 3]>::new();",
        "match a { 0 => {} 1..=5 => {} true => {} _ => {} }",
        'println!("{}", 1 + 2); info!("{}", a < b); assert!(a < b, "{}", 1);',
        "std::thread::sleep(Duration::from_millis(100));",
        "let v = Vec::with_capacity(16);",
        "let timeout = 30;",
        "let c = Config { timeout_ms: 500 };",
        "const LIMIT: usize = 4 + 1;",
        "static NAME: usize = 4;",
        '#[cfg(feature = "x")] use a::b;',
        "unsafe { *p.add(1) = 2; }",
        "let c = 255u8;",
        "drop(guard);",
        "const { 1 + 2 };",
    ],
)
def test_nothing_is_put_where_a_fault_would_tell_nothing(body: str) -> None:
    assert in_function(body) == []


@pytest.mark.parametrize(
    "text",
    [
        "#[cfg(test)]\nmod tests {\n fn f() -> bool { a < b }\n}\n",
        "#![cfg(test)]\nfn f() -> bool { a < b }\n",
        "#[test]\nfn f() { assert(a < b); }\n",
        "#[tokio::test]\nasync fn f() { g(a < b); }\n",
        "#[cfg(all(test, unix))]\nfn f() { g(a < b); }\n",
        "impl fmt::Display for A {\n fn fmt(&self) -> bool { a < b }\n}\n",
        "impl<T> Debug for A<T> {\n fn fmt(&self) -> bool { a < b }\n}\n",
        "unsafe fn f() -> bool { a < b }\n",
        "unsafe impl GlobalAlloc for A {\n fn f() -> bool { a < b }\n}\n",
        "macro_rules! m { () => { 1 + 2 } }\n",
        "enum E { A = 1 + 2, B = 4 }\n",
        "struct S<const N: usize = 4>([u8; 1 + 2]);\n",
        "trait T { const N: usize = 3; fn f(&self, a: [u8; 4]) -> bool; }\n",
        "fn f() where [u8; 2]: Sized {}\n",
    ],
)
def test_tests_and_what_is_for_people_or_the_compiler_have_none(text: str) -> None:
    assert found(text) == []


def test_what_is_compiled_without_tests_is_no_test() -> None:
    assert len(found("#[cfg(not(test))]\nfn f() { g(a < b); }\n")) == 2


@pytest.mark.parametrize("path", ["benches/b.rs", "examples/e.rs", "src/tests.rs", "crates/x/fuzz/f.rs"])
def test_files_beside_the_program_have_none(path: str) -> None:
    assert found("fn f() { g(a < b); }\n", path) == []


@pytest.mark.parametrize(
    ("signature", "value", "other"),
    [
        ("fn f() -> bool", "g(x)", "!g(x)"),
        ("fn f() -> Option<u8>", "Some(x)", "None"),
        ("fn f() -> Result<u8, E>", "g(x)", "Ok(0)"),
        ("fn f() -> Result<bool, E>", "Ok(x)", "!x"),
        ("fn f() -> io::Result<()>", "Err(e)", "Ok(())"),
        ("fn f() -> usize", "x.len()", "0"),
        ("fn f() -> f64", "x", "0.0"),
        ("fn f() -> String", "x.name()", "String::new()"),
        ("fn f<'a>(x: &'a str) -> &'a str", "x", '""'),
        ("fn f() -> Vec<u8>", "x", "Vec::new()"),
        ("fn f() -> bool", "matches!(x, A)", "!matches!(x, A)"),
    ],
)
def test_a_function_returns_something_else_of_its_type(signature: str, value: str, other: str) -> None:
    for body in (value, f"return {value};", f"if let A = y {{ {value} }} else {{ h }}", f"match y {{ _ => {value} }}"):
        assert other in [mutant[2] for mutant in in_function(body, signature) if mutant[0] == "return"]


@pytest.mark.parametrize(
    ("signature", "body"),
    [
        ("fn f() -> Option<u8>", "None"),
        ("fn f() -> usize", "x.map(|y| y.z())"),
        ("fn f() -> Self", "x"),
        ("fn f() -> impl Iterator<Item = u8>", "x"),
        ("fn f() -> Box<u8>", "x"),
        ("fn f()", "g(x)"),
        ("fn f() -> Result<Widget, E>", "g(x)"),
        ("fn f() -> usize", "unreachable!()"),
        ("fn f() -> Option<u8>", "x.map(|y| { return y; }); None"),
        ("fn f() -> Vec<u8>", "Vec::new()"),
    ],
)
def test_nothing_else_is_returned_where_the_type_leaves_doubt(signature: str, body: str) -> None:
    returns = [mutant for mutant in in_function(body, signature) if mutant[0] == "return"]
    assert [mutant for mutant in returns if mutant[1] != "x.map(|y| y.z())"] == []


def test_functions_are_named_by_what_they_belong_to() -> None:
    text = (
        "mod m {\n impl<T> Store<T> {\n  fn put(&self) { g(1); }\n }\n}\ntrait Near {\n fn near(&self) { g(1); }\n}\n"
    )
    names = [
        mutant.function for mutant in ENGINE.mutants_of("src/lib.rs", text, range(1, 9)) if mutant.operator == "number"
    ]
    assert names == ["m.Store.put", "Near.near"]


def test_what_a_const_function_does_counts_as_loaded_early() -> None:
    mutants = ENGINE.mutants_of("src/lib.rs", "const fn f(a: u8) -> bool { a < 2 }\n", [1])
    assert {mutant.at_import for mutant in mutants} == {True}


def test_only_the_lines_asked_for_have_mutants() -> None:
    assert [mutant.line for mutant in ENGINE.mutants_of("src/lib.rs", "fn f() {\n g(1);\n g(2);\n}\n", [3])] == [3, 3]


def test_the_text_of_every_mutant_is_rust() -> None:
    mutants = ENGINE.mutants_of("src/lib.rs", SAMPLE, range(1, SAMPLE.count("\n") + 2))
    broken = [each for each in mutants if parse("rust", with_mutant(SAMPLE, each).encode()).root_node.has_error]
    assert len(mutants) > 60
    assert broken == []


def test_columns_count_characters() -> None:
    (mutant,) = ENGINE.mutants_of("src/lib.rs", '\ufefffn f() { let é = "日本"; /* ü */ g(é < b) }\n', [1])
    assert (mutant.line, mutant.column, mutant.original) == (1, 36, "<")
