"""Which faults Go code has room for, and which code has none."""

import pytest

from tests.harness.go_switches import all_mutants, is_go
from verify_lsp.mutation.faults import RANK
from verify_lsp.mutation.go.candidates import mutants_of
from verify_lsp.mutation.switched import with_mutant


def in_function(*lines: str, result: str = "") -> str:
    body = "\n\t".join(lines)
    return f"package a\n\nfunc f(a, b int, s string, ok bool, items []int){' ' + result if result else ''} {{\n\t{body}\n}}\n"


def found(text: str) -> list[tuple[str, str, str]]:
    return [(mutant.operator, mutant.original, mutant.replacement) for mutant in all_mutants(text)]


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("use(a < b)", [("boundary", "<", "<=")]),
        ("use(a >= b)", [("boundary", ">=", ">")]),
        ("use(a == b)", [("equality", "==", "!=")]),
        ("use(ok && a != b)", [("logic", "&&", "||"), ("equality", "!=", "==")]),
        ("if ok {\n\t}", [("condition", "ok", "!(ok)")]),
        ("if !ok {\n\t}", [("negation", "!ok", "ok")]),
        ("if (a < b) {\n\t}", [("boundary", "<", "<=")]),
        ("for ok {\n\t}", [("condition", "ok", "!(ok)")]),
        ("for i := range items {\n\tbreak\n\t}", [("loop", "break", "continue")]),
        ("for a < b {\n\tcontinue\n\t}", [("boundary", "<", "<="), ("loop", "continue", "break")]),
        ("L:\n\tfor a < b {\n\tfor ok {\n\tbreak L\n\t}\n\t}", [
            ("boundary", "<", "<="), ("condition", "ok", "!(ok)"), ("loop", "break", "continue"),
        ]),
        ("a = a - b", [("arithmetic", "-", "+")]),
        ("a = a * b", [("arithmetic", "*", "/")]),
        ("a = a % b", [("arithmetic", "%", "*")]),
        ("a = a &^ b", [("bits", "&^", "&")]),
        ("a <<= 3", [("assignment", "<<=", ">>="), ("number", "3", "4")]),
        ("a += b", [("assignment", "+=", "-=")]),
        ("a++", [("assignment", "++", "--")]),
        ("a = -b", [("sign", "-b", "b")]),
        ("ok = true", [("truth", "true", "false")]),
        ("a = items[0x10]", [("number", "0x10", "17")]),
        ("a = 1_000", [("number", "1_000", "1001")]),
        ("a = 0xFF", [("number", "0xFF", "254")]),
        ("x := make([]int, 3, 100)", [("number", "3", "4")]),
        ("defer finish(s)", [("call", "defer finish(s)", "{}")]),
        ("items = items[a:b]", [("slice", "a", "a + 1"), ("slice", "b", "b + 1")]),
        ("items = items[1:]", [("number", "1", "2")]),
        ("if a < b {\n\tx = s\n\t} else {\n\tx = y\n\t}", [("boundary", "<", "<="), ("branch", "{\n\tx = y\n\t}", "{}")]),
        ("if a < b {\n\tx = s\n\t} else {\n\treturn\n\t}", [("boundary", "<", "<=")]),
        ("if a < b {\n\tx = s\n\t} else {\n\tlog.Print(x)\n\t}", [("boundary", "<", "<=")]),
    ],
)  # fmt: skip
def test_what_is_put_into_a_line(line, faults):
    text = in_function(line)
    expected = [fault for fault in found(text) if fault[0] != "call" or line.startswith("defer")]

    assert sorted(expected) == sorted(faults)


def test_a_call_for_its_effect_alone_is_left_out():
    assert found(in_function("save(s)")) == [("call", "save(s)", "{}")]


@pytest.mark.parametrize(
    ("result", "given", "fault"),
    [
        ("error", "err", "nil"),
        ("error", 'fmt.Errorf("no %s", s)', "nil"),
        ("(int, error)", "a, err", "a, nil"),
        ("(n, m int, ok bool)", "a, b, ok", "a, b, !(ok)"),
        ("string", "s", '""'),
        ("int", "a", "0"),
        ("float64", "g(a)", "0"),
        ("*T", "&T{a}", "nil"),
        ("[]int", "items", "nil"),
        ("map[string]int", "m", "nil"),
        ("func() error", "g", "nil"),
    ],
)
def test_a_function_returns_nothing_of_the_type_that_it_declares(result, given, fault):
    assert ("return", given, fault) in found(in_function(f"return {given}", result=result))


@pytest.mark.parametrize(
    ("result", "given"),
    [("error", "nil"), ("string", '""'), ("Money", "m"), ("T", "t"), ("(int, error)", "g()"), ("bool", "a < b")],
)
def test_where_the_type_is_not_known_or_nothing_would_change_a_function_returns_what_it_did(result, given):
    assert [fault for fault in found(in_function(f"return {given}", result=result)) if fault[0] == "return"] == []


def test_a_function_literal_returns_by_its_own_types():
    text = in_function("g := func() error { return err }", result="int")

    assert found(text) == [("return", "err", "nil")]


def test_what_gives_itself_back_to_be_called_on_is_left_alone():
    assert found("package a\n\nfunc (r *Route) Name() *Route {\n\treturn r\n}\n") == []


@pytest.mark.parametrize(
    "line",
    [
        's = s + "x"',
        's = "a" + b.String() + "c"',
        "s += s",
        "s = s + strings.Repeat(s, n)",
        "use(fmt.Sprintf(s, a) + t)",
        "s = (s + t)[:n] + u",
    ],
)
def test_texts_are_joined_by_nothing_but_plus(line):
    assert [fault for fault in found(in_function(line)) if fault[0] in {"arithmetic", "assignment"}] == []


def test_names_that_a_file_gives_to_texts_are_known():
    text = (
        'package a\n\nconst sep = ","\n\ntype T struct {\n\tName, Title string\n\tAge int\n}\n\n'
        "func (t T) f(n int) {\n\tuse(sep + x)\n\tuse(t.Title + t.Age)\n\tuse(t.Age + n)\n}\n"
    )

    assert [(mutant.line, mutant.operator) for mutant in all_mutants(text) if mutant.operator == "arithmetic"] == [
        (13, "arithmetic")
    ]


def test_what_functions_of_the_file_return_is_known():
    text = (
        "package a\n\nfunc (t *T) name(n int) string {\n\treturn t.s\n}\n\nfunc size(n int) int {\n\treturn n\n}\n\n"
        "func f() {\n\tuse(t.name(x) + y)\n\tuse(size(x) + y)\n}\n"
    )

    assert [mutant.line for mutant in all_mutants(text) if mutant.operator == "arithmetic"] == [13]


@pytest.mark.parametrize(
    "line",
    [
        'log.Printf("%d", a-b)',
        's.logger.Info("x", "n", a+1)',
        'slog.Debug("x", "n", a > b)',
        'fmt.Println("a == b", a-b)',
        "fmt.Fprintf(os.Stderr, s, a-b)",
        'panic(fmt.Sprintf("%d", a-b))',
        "metrics.Count(a - b)",
        "const size = 3",
        "x := errors.New(s[1:])",
        "time.Sleep(3 * time.Second)",
        "d = 5 * time.Minute",
        "ctx, cancel := context.WithTimeout(parent, limit-1)",
        "timeout := 30",
        "readTimeout = 30",
        "x := T{Timeout: 30}",
        "_ = a - b",
        "var _ I = (*T)(nil)",
        "mu.Unlock()",
        "defer mu.Unlock()",
        "defer file.Close()",
        "wg.Add(1)",
        "defer func() {}()",
        "close(done)",
        "x := make(map[string]int, 16)",
        "var x [4]int",
        "if testing.Short() {\n\t\tuse(a < b)\n\t}",
        "t.Helper()",
        "x := 0o644",
        "x := 0644",
        "switch a {\n\tcase 1:\n\t}",
        "switch s := v.(type) {\n\tcase int:\n\t}",
        "for {\n\tbreak\n\t}",
        "for ok := range c {\n\tswitch {\n\tdefault:\n\tcontinue\n\t}\n\t}",
        "// a == b",
        "x := `a == 1`",
        "x := 10 * 1024",
    ],
)
def test_where_a_fault_would_say_nothing_about_the_tests_there_is_none(line):
    kinds = {operator for operator, _, _ in found(in_function(line))}

    assert kinds <= ({"number"} if line == "x := 10 * 1024" else set())


@pytest.mark.parametrize(
    "text",
    [
        'package a\n\nimport (\n\t"fmt"\n)\n',
        "package a\n\nconst (\n\tA = iota + 1\n\tB = A * 2\n)\n",
        "package a\n\nvar Limit = 30\n\nvar name = `x`\n",
        'package a\n\nvar sizes = []int{1, 255, -3}\n\nvar known = map[string]T{"a": {On: true, N: 1}}\n',
        'package a\n\ntype T struct {\n\tA [3]int `json:"a == b"`\n}\n',
        "package a\n\nfunc (t T) String() string {\n\tif t.a == 1 {\n\t\treturn `one`\n\t}\n\treturn t.name\n}\n",
        "package a\n\nfunc (e *E) Error() string {\n\treturn e.text\n}\n",
        "package a\n\nfunc f[T ~int | ~string](t T)\n",
        "//go:build linux && !cgo\n\npackage a\n",
    ],
)
def test_declarations_and_words_for_people_have_no_mutants(text):
    assert found(text) == []


def test_a_mutant_knows_its_method_and_whether_it_runs_when_the_package_is_loaded():
    text = (
        "package a\n\nvar x = g(a < b)\n\nfunc init() {\n\tx = -y\n}\n\n"
        "func (l *List[T]) Len() int {\n\treturn l.n - l.m\n}\n\nvar f = func() bool { return p && q }\n"
    )

    assert [(mutant.function, mutant.at_import, mutant.line) for mutant in all_mutants(text)] == [
        ("", True, 3),
        ("init", True, 6),
        ("List.Len", False, 10),
        ("List.Len", False, 10),
        ("", False, 13),
    ]


def test_only_lines_that_were_asked_for_have_mutants_and_columns_count_characters():
    text = in_function('use("é", a < b)', "use(a > b)")

    assert [(mutant.line, mutant.column, mutant.operator) for mutant in mutants_of("a.go", text, {4})] == [
        (4, 2, "call"),
        (4, 13, "boundary"),
    ]


def test_a_byte_order_mark_and_carriage_returns_change_nothing():
    text = in_function("use(a < b)")

    assert all_mutants("\ufeff" + text.replace("\n", "\r\n")) == all_mutants(text)


def test_each_mutant_is_go_and_its_operator_has_a_rank():
    text = in_function(
        "if ok && a < b { save(s); return }", "for i := 0; i < 3; i++ { a -= i; continue }", "defer g(-a, true)"
    )

    for mutant in all_mutants(text):
        assert is_go(with_mutant(text, mutant)), mutant
        assert mutant.operator in RANK
