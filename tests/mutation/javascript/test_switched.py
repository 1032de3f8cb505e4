"""JavaScript and TypeScript with mutants built in: the program it was while all are off, a mutant's while one is on."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.javascript.candidates import mutants_of
from verify_lsp.mutation.javascript.head import spoiled
from verify_lsp.mutation.javascript.switched import switched
from verify_lsp.mutation.switched import with_mutant
from verify_lsp.syntax.languages import language_of
from verify_lsp.syntax.trees import parse

TOOLS = Path(__file__).parents[2] / "tools" / "node" / "node_modules"
FOLD = Path(__file__).with_name("fold.cjs")


def numbered(path: str, text: str) -> dict[int, Mutant]:
    return dict(enumerate(mutants_of(path, text, range(1, text.count("\n") + 2)), 1))


def case(path: str, text: str, every: int = 1) -> dict[str, Any]:
    mutants = numbered(path, text)
    built = switched(text, mutants)
    tried = [number for number in mutants if number % every == 0 and number not in built.left]
    alone = {number: with_mutant(text, mutants[number]) for number in tried}
    return {"path": path, "plain": text, "switched": built.text, "mutants": alone}


def folded(folder: Path, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Read all texts as TypeScript does; return what is not the program that it should be."""
    (folder / "cases.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    command = ["node", "--stack-size=4000", str(FOLD), str(TOOLS / "typescript"), str(folder / "cases.json")]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)
    assert told["read"] == len(cases)
    return told["wrong"]


def printed(folder: Path, name: str, text: str, mutant: int = 0) -> str:
    """Run a text and return what it says, and the name of the error that it ends with if it does."""
    (folder / name).write_text(f"process.on('uncaughtException', (e) => console.log(e.name));{text}", encoding="utf-8")
    environment = {**os.environ, "VERIFY_LSP_MUTANT": str(mutant)}
    command = ["node", str(folder / name)]
    return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=60, text=True).stdout


HAZARDS = {
    "no_semicolons.js": """\
        let a = 1, b = [2], c = {d() { return this.e }, e: 3}
        const f = g
        !a && b.push(a + 1)
        a < b.length ? c.d() : c.e
        a += 1
        function g() { return a || (() => ({ a, [b[0] + 1]: -a }))() }
        b[a - 1] = a
        for (let i = "x" in c ? 0 : 1; i < 3; i++) if (i > 1) g(); else f(i)
        do c.d(); while (a > 5)
        outer: for (const x of b || []) { if (x === 1) continue outer; if (x) break }
        if (a) if (b) g(); else f()
        label: g()
        delete c.e, g()
        (a && c.d)?.()
        try { a = c.slice(b, c.e) } catch (error) { throw new Error("no") } finally { c.d() }
        if (a) a = b
        else {
          let c = b
          a = c
        }
        """,
    "operators.js": """\
        const a = (x, y, z = x ?? y ?? 0) => x && y && z || x === y !== z;
        const b = (x, y) => x | y & x ^ y << 2 >>> y;
        const c = (x, y) => x ** y ** 2 % x - -y + -(x - y);
        const d = (x) => !(x instanceof Array) && !("a" in x) || typeof x !== "string" && void 0;
        const e = async function* (x) { yield x > 1; await x.y(); for await (const z of x || []) yield* -z; };
        const f = (x) => x ? x.y ? 1 : "two" : `three ${x + 1} ${`four ${x - 1}`}`;
        const g = new (f || d)(a < b), h = [...(b || []), a?.[1 + b]?.(c * 2)];
        class A extends (a || b) { #x = !a; static y = a > 1; static { a(); } [a + 1]() { return #x in this; } set z(v = a + 1) { super.z(v); } }
        function i({ a = 1, b: [c = a > 2] = [], ...d } = {}) { return arguments.length > 1 ? new.target : f`x${a + 1}`; }
        export default a || b;
        """,
    "types.ts": """\
        import type { A } from "./a";
        abstract class B<T extends 1 | 2 = 1> { constructor(private readonly a = 1, protected b?: T) { } abstract c(): void }
        export function f<T>(a: T | undefined, b: number = 1, c?: 1 | 2): asserts a is T { if (a === undefined || b < 2) throw a; }
        const g = (a: A): a is A & { b: 1 } => a.b! > 1 && (a as any).c <= <number>a.d;
        const h = { a: 1 - g.a!.b, b: (x: number) => x + 1 } satisfies Record<string, unknown>;
        export const i = await f<Map<string, number>>(h.a!, 2)!, j = i < h.a || i > h.b(1);
        namespace C { export const k = j ? 1 : 2; }
        enum D { A = 1 << 2 }
        export = i || j;
        """,
    "markup.tsx": """\
        export const A = ({ a, b = 1 }: { a?: 1; b?: number }) => {
          if (!a) return <p>none</p>;
          return (
            <ul className={a ? "a" : "b"} hidden={b > 1} {...(a || {})}>
              {a && b > 2 && (
                <li>
                  {b + 1} of <b>{a}</b>
                </li>
              )}
              {[1, 2].map((x) => <li key={x} onClick={() => a(x + 1)}>{x < 2 ? "less" : "more"}</li>)}
            </ul>
          );
        };
        const f = <T,>(x: T) => x || a;
        """,
}


def hazard(name: str) -> str:
    return "\n".join(line.removeprefix("        ") for line in HAZARDS[name].split("\n"))


@pytest.mark.parametrize("name", HAZARDS)
def test_every_switch_stands_where_the_language_can_choose(name, tmp_path):
    told = case(name, hazard(name))

    assert len(told["mutants"]) > 10
    assert folded(tmp_path, [told]) == []


def test_our_tools_own_files_are_the_same_programs_with_all_mutants_in_them(tmp_path):
    names = [
        "picomatch/lib/utils.js",
        "picomatch/lib/picomatch.js",
        "debug/src/common.js",
        "brace-expansion/index.js",
        "@jridgewell/sourcemap-codec/src/sourcemap-codec.ts",
        "@jridgewell/sourcemap-codec/src/vlq.ts",
    ]
    cases = [
        case(Path(name).name, (TOOLS / name).read_text(encoding="utf-8").replace("\r\n", "\n"), every=9)
        for name in names
    ]

    assert sum(len(each["mutants"]) for each in cases) > 50
    assert folded(tmp_path, cases) == []


RUNS = """\
'use strict'
let a = 1, b = [2, 3], c = { e: 3, d() { return this.e } }
const f = (x, y = x > 2 ? 'more' : 'less') => y
!a && b.push(a + 1)
a < b.length ? b.push(c.d()) : c.e
a += 1
b[a - 2] += a
if (a > 1) if (b.length > 9) f(1); else b.push(9)
for (const x of b) { if (x === 9) continue; c.e -= x }
const g = function* (n) { for (let i = 0; i < n; i++) yield i * 2 }
class D { #p = a > 1; static q = a - 1; has(o) { return #p in o && o.#p } get r() { return this.#p ?? 1 } }
const h = async () => { await null; return a || b }
function i(x) { try { if (!x) throw x; return 1 - -x } catch { return c.missing?.(x) ?? 'none' } finally { delete c.gone } }
h().then((x) => console.log(x))
console.log(a, b, c.e, c.d(), f(1), f(3), [...g(3)], new D().has(new D()), D.q, new D().r, i(0), i(2), typeof h, h.name)
"""


def test_a_program_does_the_same_while_all_are_off_and_what_the_mutant_does_while_it_is_on(tmp_path):
    mutants = numbered("a.cjs", RUNS)
    built = switched(RUNS, mutants)

    assert built.left == frozenset()
    assert printed(tmp_path, "a.cjs", built.text) == printed(tmp_path, "b.cjs", RUNS)
    tried = [
        number for number, mutant in mutants.items() if mutant.operator in {"condition", "call", "raise", "logic"}
    ][::2]
    for number in tried:
        assert printed(tmp_path, "a.cjs", built.text, number) == printed(
            tmp_path, "b.cjs", with_mutant(RUNS, mutants[number])
        )
    assert len(tried) > 3


@pytest.mark.parametrize("name", HAZARDS)
def test_lines_stay_where_they_are(name):
    text = hazard(name)
    mutants = numbered(name, text)
    built = switched(text, mutants)
    rows = built.text.split("\n")

    for number, (first, last) in built.rows.items():
        assert f"__verifyLspOn({number})" in "\n".join(rows[first - 1 : last])
    if name.endswith(".js"):
        assert len(rows) == text.count("\n") + 1
        assert all(
            first == mutants[number].line or mutants[number].operator == "call"
            for number, (first, _) in built.rows.items()
        )


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("#!/usr/bin/env node\nf(a < b)\n", "#!/usr/bin/env node\n/* eslint-disable */ var "),
        ("'use strict'\n\nf(a < b)\n", "'use strict'\n\n/* eslint-disable */ var "),
        ("// a\n'use client'; 'use strict'; f(a < b)\n", "// a\n'use client'; 'use strict'; /* eslint-disable */ var "),
        ("\ufefff(a < b)\n", "\ufeff/* eslint-disable */ var "),
        ("import a from 'a'\nf(a < b)\n", "/* eslint-disable */ var "),
    ],
)
def test_the_switch_stands_behind_what_must_come_first(text, head):
    built = switched(text, numbered("a.js", text))

    assert built.text.startswith(head)
    assert built.text.count("\n") == text.count("\n")
    assert set(built.rows.values()) == {(text.count("\n"), text.count("\n"))}


@pytest.mark.parametrize(
    ("text", "head", "rows"),
    [
        ("import a from 'a'\n\nf(a < b)\n", "// @ts-nocheck\n/* eslint-disable */ var ", 3),
        ("/* a\n*/\nimport a from 'a'\nf(a < b)\n", "/* a\n*/ // @ts-nocheck\n/* eslint-disable */ var ", 4),
        ("import a from 'a'\nf(a < b)\n", "// @ts-nocheck\n/* eslint-disable */ var ", 3),
        ("#!/usr/bin/env node\n\nf(a < b)\n", "#!/usr/bin/env node\n// @ts-nocheck\n/* eslint-disable */ var ", 3),
        ("\ufeffimport a from 'a'\n\n'use x'\nf(a < b)\n", "\ufeff// @ts-nocheck\n/* eslint-disable */ var ", 4),
    ],
)
def test_types_are_not_checked_and_no_line_is_added_where_one_can_be_spared(text, head, rows):
    built = switched(text, numbered("a.ts", text))

    assert built.text.startswith(head)
    assert set(built.rows.values()) == {(rows, rows)}
    assert "__verifyLspOn(1)" in built.text.split("\n")[rows - 1]


def test_types_of_what_a_file_exports_stay_what_they_were(tmp_path):
    text = (
        "export function f(a: string | null) {\n  if (a === null) return 1\n  return a.length > 1 ? a.length : 2\n}\n"
    )
    built = switched(text, numbered("a.ts", text))
    (tmp_path / "a.ts").write_text(built.text, encoding="utf-8")
    (tmp_path / "b.ts").write_text("import { f } from './a'\nexport const b: number = f('c')\n", encoding="utf-8")
    command = [
        "node",
        str(TOOLS / "typescript/bin/tsc"),
        "--noEmit",
        "--strict",
        "--skipLibCheck",
        "b.ts",
    ]

    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, text=True, timeout=60).stdout == ""


def test_a_mutant_of_another_text_is_left():
    mutant = Mutant("a.js", 1, 1, 1, 3, "boundary", "<", "<=")

    assert switched("abc < d\n", {7: mutant}).left == frozenset({7})


def test_a_spoiled_file_exports_what_it_did_and_fails_when_it_is_loaded(tmp_path):
    (tmp_path / "a.mjs").write_text(spoiled("export const a = 1 // a"), encoding="utf-8")
    (tmp_path / "b.mjs").write_text("import { a } from './a.mjs'\nconsole.log(a)\n", encoding="utf-8")
    ran = subprocess.run(["node", str(tmp_path / "b.mjs")], capture_output=True, text=True, check=False, timeout=60)

    assert ran.returncode == 1
    assert "an error on purpose" in ran.stderr


_EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "1", "'x'", "true", "a.b", "a?.b", "null", "`é${a}`"]),
    lambda inner: st.one_of(
        st.tuples(
            inner,
            st.sampled_from(
                [
                    "+",
                    "-",
                    "*",
                    "/",
                    "%",
                    "<",
                    ">",
                    "<=",
                    "===",
                    "!==",
                    "&&",
                    "||",
                    "&",
                    "|",
                    "^",
                    ">>>",
                    "instanceof",
                    "in",
                    ",",
                ]
            ),
            inner,
        ).map(lambda parts: f"({parts[0]}) {parts[1]} {parts[2]}" if parts[1] != "," else f"({parts[0]}, {parts[2]})"),
        inner.map("!{}".format),
        inner.map("-({})".format),
        st.tuples(inner, inner, inner).map(lambda parts: "({}) ? ({}) : ({})".format(*parts)),
        st.tuples(inner, inner).map(lambda parts: "a({}, ...[{}])".format(*parts)),
        inner.map("(x => {})".format),
        inner.map("(({{ a = {} }}) => a)".format),
        st.tuples(inner, inner).map(lambda parts: "(({}) ?? ({}))".format(*parts)),
        inner.map("[\n{}\n]".format),
    ),
    max_leaves=8,
)
_STATEMENTS = st.recursive(
    _EXPRESSIONS.map("x = {}".format)
    | _EXPRESSIONS.map("return {}".format)
    | _EXPRESSIONS.map("!({}) && a()".format)
    | _EXPRESSIONS.map("a({})".format),
    lambda inner: st.one_of(
        st.tuples(_EXPRESSIONS, inner, inner).map(lambda parts: "if ({}) {{\n{}\n}} else {{ {} }}".format(*parts)),
        st.tuples(_EXPRESSIONS, inner).map(lambda parts: "while ({}) {{ {}\nbreak }}".format(*parts)),
        st.tuples(inner, inner).map("\n".join),
    ),
    max_leaves=5,
)


@settings(max_examples=40)
@given(st.lists(_STATEMENTS, min_size=1, max_size=4), st.sampled_from(["a.js", "a.ts"]))
def test_any_program_can_be_read_with_all_mutants_in_it_and_with_each(statements, path):
    text = "async function f(a, b) {\n" + "\n".join(statements) + "\n}\n"
    language = language_of(path)
    if parse(language, text.encode()).root_node.has_error:
        return
    mutants = numbered(path, text)
    assert not parse(language, switched(text, mutants).text.encode()).root_node.has_error
    for mutant in mutants.values():
        assert not parse(language, with_mutant(text, mutant).encode()).root_node.has_error, mutant


def test_a_body_left_empty_is_chosen_within_braces_of_its_own(tmp_path: Path) -> None:
    text = "function f(a) {\n  const b = a + 1;\n  return b;\n}\nfor (const c of [1, 2]) { console.log(f(c)); }\n"
    body = Mutant("a.js", 1, 15, 4, 2, "return", text[14 : text.index("}") + 1], "{}")
    loop = Mutant("a.js", 5, 25, 5, 47, "call", "{ console.log(f(c)); }", "{}")
    made = switched(text, {1: body, 2: loop})
    assert not made.left
    off, first, second = (printed(tmp_path, "a.js", made.text, number) for number in (0, 1, 2))
    assert off == "2\n3\n"
    assert first == "undefined\nundefined\n"
    assert second == ""
