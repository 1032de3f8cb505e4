"""Which faults JavaScript and TypeScript have room for, and which texts are left alone."""

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.mutant import Mutant, MutantResult
from verify_lsp.mutation.javascript.candidates import mutants_of
from verify_lsp.mutation.languages import engine_for
from verify_lsp.mutation.sentences import problem_of


def found(text: str, *lines: int, path: str = "a.tsx") -> list[Mutant]:
    text = textwrap.dedent(text)
    return list(mutants_of(path, text, lines or range(1, text.count("\n") + 2)))


def changes(text: str, *lines: int, path: str = "a.tsx") -> list[tuple[str, str]]:
    return [(mutant.original, mutant.replacement) for mutant in found(text, *lines, path=path)]


def body(code: str) -> str:
    return "async function f(a, b, x, ...c) {\n" + textwrap.indent(textwrap.dedent(code).strip("\n"), "  ") + "\n}\n"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("if (a < b) g = a", [("<", "<=")]),
        ("if (a >= b) g = a", [(">=", ">")]),
        ("if (a === b) g = a", [("===", "!==")]),
        ("if (a != b) g = a", [("!=", "==")]),
        ("if (a in b) g = a", [("a in b", "!(a in b)")]),
        ("if (a instanceof b) g = a", [("a instanceof b", "!(a instanceof b)")]),
        ("if (a && b) g = a", [("&&", "||")]),
        ("x = a ?? b", [("??", "&&")]),
        ("x = a ?? b ?? c", [("a ?? b ?? c", "((a ?? b) && (c))"), ("a ?? b", "((a) && (b))")]),
        ("if (!a) g = a", [("!a", "a")]),
        ("x = !!a", [("!!a", "!a")]),
        ("if (a?.b) g = a", [("a?.b", "!(a?.b)")]),
        ("while (await a.b()) g = a", [("await a.b()", "!(await a.b())")]),
        ("do { g = a } while (a)", [("a", "!(a)")]),
        ("for (let i = a; i; i = i.next) g = i", [("i", "!(i)")]),
        ("x = a ? b : x", [("a", "!(a)")]),
        ("x = a + b", [("+", "-")]),
        ("x = a ** b", [("**", "*")]),
        ("x = a+-b", [("+", "- "), ("-b", "b")]),
        ("x += a", [("+=", "-=")]),
        ("x ??= a", [("??=", "&&=")]),
        ("x = a >>> b", [(">>>", "<<")]),
        ("for (const y of b) { if (y) break }", [("y", "!(y)"), ("break", "continue")]),
        ("for (const y of b) { if (y) continue; g = y }", [("y", "!(y)"), ("continue", "break")]),
        ("x = a[1]", [("1", "2")]),
        ("x = a[0x10]", [("0x10", "17")]),
        ("x = a(1_000n, 1.5, .5, 1e3)", [("1_000n", "1001n"), ("1.5", "2.5"), (".5", "1.5"), ("1e3", "1001")]),
        ("x = a(true)", [("true", "false")]),
        ("return a", [("a", "undefined")]),
        ("return(a)", [("(a)", " undefined")]),
        ("return!a", [("!a", " undefined"), ("!a", " a")]),
        ("return!_", [("!_", " undefined"), ("!_", " _")]),
        ("return isOdd(a)", [("isOdd(a)", "!(isOdd(a))")]),
        ("x = b.map(y => y.id)", [("y.id", "undefined")]),
        ("a.update(b)", [("a.update(b)", "void 0")]),
        ("await a?.update(b)", [("await a?.update(b)", "void 0")]),
        ("delete a.b", [("delete a.b", "void 0")]),
        ("throw a", [("throw a", ";")]),
        ("throw new Stop;", [("throw new Stop;", ";")]),
        ("x = a || 'none'", [("||", "&&"), ("'none'", '""')]),
        ("x = `${a < b}`", [("<", "<=")]),
        ("x = (a as number) < <number>b", [("<", "<=")]),
        ("const {y = ''} = a", [("''", '"x"')]),
        ("x = a.slice(b, b.length)", [("b", "b + 1")]),
        ("x = a.b?.substring(0, x.y())", [("0", "1"), ("x.y()", "x.y() + 1")]),
        ("try { x = a } catch { x = b }", [("{ x = b }", "{}")]),
        ("try { x = a } catch (e) { throw new Error('no') }", [("{ throw new Error('no') }", "{}")]),
        ("try { x = a } catch (e) { x = b + c }", [("+", "-")]),
        ("try { x = a } catch (e) { console.warn(e); return }", []),
        ("if (a < b) x = a; else { x = b }", [("<", "<="), ("{ x = b }", "{}")]),
        ("if (a < b) x = a; else if (b < a) x = b; else { /* none */ }", [("<", "<="), ("<", "<=")]),
    ],
)
def test_code_that_decides_something_can_be_wrong(code, expected):
    path = "a.ts" if "<number>" in code else "a.tsx"

    assert changes(body(code), 2, path=path) == expected


@pytest.mark.parametrize(
    "text",
    [
        "/** a == b and c < d */\n// a === b\n",
        "#!/usr/bin/env node\n'use strict';\n",
        body("console.log('a == b', a + b)"),
        body("logger.warn(`${a + 1}`)"),
        body("this.logger.error(a < b)"),
        body("await log.info(a < b)"),
        body("if (a) { console.error(a) }"),
        body("a && console.log(b)"),
        body("debug('%s', a + 1)"),
        body("metrics.increment('x', a + 1)"),
        body("throw new TypeError('bad > value')"),
        body("throw new TypeError(`bad > ${a + 1}`)"),
        body("x = new RangeError('a' + (b + 1))"),
        body("process.stdout.write(String(a + 1))"),
        "import a, { b as c } from './a.js'\nexport { a }\nexport * from './b.js'\n",
        "export type A = 1 | 2\ninterface B { a: 1; b(c?: true): 2 }\nenum C { A = 1, B = A << 2 }\n",
        "declare const a: 1\ndeclare function b(c: 3): true\n",
        "function f(a: 1): asserts a is 1\nfunction f(a: string): a is 'x'\n",
        "const A = 5, B = -0.5, C = [1, 'a', { d: true }], D = 60 * 1000, E = new Set([1])\n",
        "export const A = { b: 1, c: [2, true] } as const\n",
        "module.exports = { b: 1 }\n",
        "const a = {\n  B: 1\n}\n",
        "class A extends b(1 + 2) { static C = 3; timeoutMs = 5; @c(1 + 1) d: 1 | 2; toString() { return 'a' + this.d + 1 } }\n",
        body("setTimeout(g, a + 100).unref()"),
        body("clearTimeout(a)"),
        body("const TWO = 2"),
        body("x = g({ timeout: 30 * 1000, retries: 3, cacheSize: a + 1 })"),
        body("readTimeoutMs = 5 * 60"),
        body("if (process.env.NODE_ENV !== 'production') { check(a + 1) }"),
        body("process.env.NODE_ENV !== 'production' && check(a + 1)"),
        "if (import.meta.vitest) {\n  const { it } = import.meta.vitest\n  it('adds', () => { expect(1 + 1).toBe(2) })\n}\n",
        "if (require.main === module) {\n  main(1 + 2)\n}\n",
        "if (!module.parent) {\n  main(1 + 2)\n}\n",
        "if (import.meta.url === a(process.argv[1])) main(1 + 2)\n",
        body("x = typeof window === 'undefined'"),
        body("x = /a|b{1,2}/"),
        body("x = 'text'"),
        body("x = 'a' + b\nx = a + b + `c`\nx += 'a'\nx = (a + 'b') + x\nx = String(a) + b"),
        body('x = <A className="a" key={a + 1} data-x={b ? "c" : "d"} />'),
        body("return <p>text</p>"),
        body("return (\n  <p>text</p>\n)"),
        body("Object.defineProperty(exports, '__esModule', { value: true })"),
        body("while (true) { g = a; break }"),
        body("switch (a) { case b: x = a; break }"),
        body("/* istanbul ignore next */\nif (a) { x = a + 1 }"),
        body("await vi.importActual<typeof import('x')>('x').y"),
        "/* c8 ignore file */\nexport const f = (a) => a + 1\n",
        "function* f() { return a }\n",
        "Foo.displayName = a ? 'A' : 'B'\n",
        "(function () {})()\n",
        "const { 1: a, 'b': c } = d, e = { 1: f, [g]: h }\n",
    ],
)
def test_texts_for_people_types_and_limits_have_no_mutants(text):
    assert changes(text) == []


def test_numbers_in_a_function_s_own_data_are_mutants():
    assert changes(body("x = { a: 1 }"), 2) == [("1", "2")]


@pytest.mark.parametrize("path", ["a.d.ts", "a.d.mts", "a.stories.tsx", "a.bench.js", "a.vue"])
def test_files_that_hold_no_program_or_that_no_test_runs_have_none(path):
    assert changes(body("x = a < b"), path=path) == []


def test_what_a_program_wrote_on_one_long_line_has_none():
    assert changes("var a=b<c;" * 300, path="a.js") == []
    assert changes(body("x = a < b") + "const data = '" + "x" * 350 + "'\n", path="a.js") == [("<", "<=")]


def test_the_other_branch_of_a_build_s_question_is_code():
    text = body("if (process.env.NODE_ENV === 'test') { x = 1 } else { x = a < b }")

    assert changes(text) == [("<", "<=")]


def test_the_first_argument_of_an_assertion_is_code_and_its_message_is_not():
    assert changes(body("invariant(a > b, `a ${a + b}`)")) == [(">", ">=")]
    assert changes(body("setTimeout(() => { a.go() }, b * 1000)")) == [
        ("setTimeout(() => { a.go() }, b * 1000)", "void 0"),
        ("a.go()", "void 0"),
    ]


def test_what_the_grammar_misreads_is_read_right():
    assert changes(body("x = a - b!.c"), path="a.ts") == [("-", "+")]
    assert changes(body("return !a!.b"), path="a.ts") == [("!a!.b", "undefined"), ("!a!.b", "a .b")]


def test_the_place_is_told_in_code_points_and_the_function_by_its_name():
    text = 'class A {\n  f(a) {\n    const y = "日本" + (a.b < "𝄞"), g = (q) => q * 2\n  }\n}\n'
    mutants = {each.original: each for each in found(text)}

    row = text.split("\n")[2]
    less = mutants["<"]
    assert row[less.column - 1 : less.end_column - 1] == "<"
    assert (less.function, less.at_import) == ("A.f", False)
    assert mutants["*"].function == "A.f.g"


def test_a_static_field_runs_when_the_file_is_loaded_and_others_when_something_is_made():
    text = "class A { static a = g(1)\n  b = 2\n}\nconst c = g(3)\nconst d = () => 4\n"

    assert [(each.original, each.at_import) for each in found(text) if each.operator == "number"] == [
        ("1", True),
        ("2", False),
        ("3", True),
        ("4", False),
    ]


def test_line_ends_of_windows_count_as_one_and_a_byte_order_mark_as_none():
    unix = "function f(a) {\n  return a < 1\n}\n"

    assert mutants_of("a.js", "\ufeff" + unix.replace("\n", "\r\n"), [2]) == mutants_of("a.js", unix, [2])


def test_only_the_lines_that_were_asked_for_have_mutants():
    text = "function f(a) {\n  if (a < 1)\n    return 1\n  return a > 2\n}\n"

    assert {mutant.line for mutant in found(text, 4)} == {4}
    assert found(text, 1) == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("if (!a) g = a", "taking the `!` from `!a` here goes unnoticed by the tests"),
        ("x = -a", "taking the `-` from `-a` here goes unnoticed by the tests"),
        ("a.update()", "leaving out `a.update()` here goes unnoticed by the tests"),
        ("return a", "returning undefined instead of `a` here goes unnoticed by the tests"),
        ("x = a in b", "changing `a in b` to `!(a in b)` here goes unnoticed by the tests"),
    ],
)
def test_faults_are_told_in_the_signs_of_the_language(code, said):
    problem = problem_of(MutantResult(found(body(code), 2)[0], "survived"))

    assert problem is not None
    assert problem.message == said


@pytest.mark.parametrize("name", ["a.js", "a.mjs", "a.cjs", "a.jsx", "a.ts", "a.mts", "a.cts", "a.tsx"])
def test_each_extension_has_an_engine_that_knows_what_tools_run(name):
    engine = engine_for(name)

    assert engine is not None
    assert {"vite.config.ts", "jest.config.js", ".eslintrc.cjs"} <= engine.run_by_tools


_PIECES = st.sampled_from(
    [
        "a",
        "<",
        "!",
        " in ",
        "(",
        ")",
        "1",
        "'é'",
        "+",
        "\n",
        "if (",
        "{",
        "}",
        "return ",
        "`${",
        "`",
        "𝄞",
        "//",
        "[",
        "]",
        "=>",
        "??",
        "?.",
        "await ",
        "<A>",
        "</A>",
        ";",
        ":",
        "?",
        "as ",
    ]
)


@given(st.lists(_PIECES, max_size=40).map("".join), st.sampled_from(["a.js", "a.ts", "a.tsx"]))
def test_any_text_gets_an_answer_and_each_place_holds_what_is_said(text, path):
    rows = text.split("\n")
    for mutant in mutants_of(path, text, range(1, len(rows) + 1)):
        if mutant.line == mutant.end_line:
            assert rows[mutant.line - 1][mutant.column - 1 : mutant.end_column - 1] == mutant.original
