"""Faults in added JavaScript and TypeScript lines, tried by the real runners on small projects."""

import json

import attrs
import pytest

from tests.harness.mutation import added, counts, mutated, ran
from tests.harness.node_projects import node_project
from tests.harness.tool_runs import project_in, tree
from verify_lsp.checks import trial_time
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import Change
from verify_lsp.model.outcome import Skipped
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.node.toolchain import TOOLCHAIN

ESM = """\
export function price(amount, member) {
  if (amount > 100 && member) {
    return amount - 10;
  }
  return amount;
}

export function unused(amount) {
  return amount > 1;
}
"""
CJS = ESM.replace("export function", "function") + "\nmodule.exports = { price, unused };\n"
TS = ESM.replace("(amount, member)", "(amount: number, member: boolean): number").replace(
    "(amount)", "(amount: number): boolean"
)
EXPECTED = {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}

VITEST = """\
import { expect, test } from "vitest";
import { price } from "./shop";
test("members", () => expect(price(200, true)).toBe(190));
test("others", () => expect(price(200, false)).toBe(200));
"""
JEST = """\
const { price } = require("./shop");
test("members", () => expect(price(200, true)).toBe(190));
test("others", () => expect(price(200, false)).toBe(200));
"""
MOCHA = """\
const assert = require("assert");
const { price } = require("../shop");
it("members", () => assert.equal(price(200, true), 190));
it("others", () => assert.equal(price(200, false), 200));
"""
NODE = """\
import test from "node:test";
import assert from "node:assert";
import { price } from "../shop.js";
test("members", () => assert.equal(price(200, true), 190));
test("others", () => assert.equal(price(200, false), 200));
"""
OTHER = 'import { expect, test } from "vitest";\ntest("other", () => expect(1).toBe(1));\n'
TSC = json.dumps(
    {"compilerOptions": {"outDir": "dist", "rootDir": "src", "module": "nodenext", "target": "es2022", "types": []}}
)


def prepared(folder, files, *changed, root=".", **package):
    """Lay a project out whose `changed` files are new, and return what its checks are given."""
    home = node_project(folder / "project", files, **package)
    project = project_in(home, *changed, root=root, cache=folder / "cache")
    variables = child_environment(offline=True)

    async def run(command, place):
        return await run_command(command, place, environment=variables)

    prefix = "" if root == "." else f"{root}/"
    change = Change(tuple(added(prefix + path, files[prefix + path]) for path in sorted(changed)))
    owner = ProjectOf(TOOLCHAIN, project)
    return CheckContext(home, home, change, (owner,), Settings(timeout_secs=120), run)


def tried(context):
    """Return the outcome; whatever it is, nothing was written to the user's tree, nor to what it links."""
    before = tree(context.workspace)
    outcome = mutated(context)
    assert tree(context.workspace) == before
    return outcome


def commands_of(context):
    """Return the context with a list of the commands that will be run."""
    shown = []

    async def noting(command, place):
        shown.append(command.shown())
        return await context.run(command, place)

    return attrs.evolve(context, run=noting), shown


def seen_of(context, name):
    """Return the context with a set of the texts that a file has where commands are run, at the end of each."""
    texts = set()

    async def noting(command, place):
        result = await context.run(command, place)
        assert place != context.workspace
        texts.add((place / name).read_text(encoding="utf-8"))
        return result

    return attrs.evolve(context, run=noting), texts


RUNS = {
    "vitest": (
        "vitest run",
        {"shop.ts": TS, "shop.test.ts": VITEST, "other.test.ts": OTHER},
        "shop.ts",
        {"type": "module"},
    ),
    "vitest in contexts": (
        "vitest run --pool=vmThreads",
        {"shop.js": ESM, "shop.test.js": VITEST},
        "shop.js",
        {"type": "module"},
    ),
    "jest": ("jest", {"shop.js": CJS, "shop.test.js": JEST}, "shop.js", {}),
    "mocha": ("mocha", {"shop.js": CJS, "test/shop.js": MOCHA}, "shop.js", {}),
    "node": ("node --test", {"shop.js": ESM, "test/shop.test.js": NODE}, "shop.js", {"type": "module"}),
}


@pytest.mark.parametrize("name", RUNS)
def test_each_runner_tries_the_faults_of_the_lines_that_its_tests_reach(tmp_path, name):
    script, files, changed, package = RUNS[name]
    context, texts = seen_of(prepared(tmp_path, files, changed, scripts={"test": script}, **package), changed)

    assert counts(tried(context)) == EXPECTED
    assert texts == {files[changed]}  # even in the copy


READS = {
    "vitest": ("shop.test.ts", f'expect(readFileSync("shop.ts", "utf8").length).toBe({len(TS)})'),
    "jest": ("shop.test.js", f'expect(readFileSync("shop.js", "utf8").length).toBe({len(CJS)})'),
    "mocha": ("test/shop.js", f'assert.equal(readFileSync("shop.js", "utf8").length, {len(CJS)})'),
    "node": ("test/shop.test.js", f'assert.equal(readFileSync("shop.js", "utf8").length, {len(ESM)})'),
}


@pytest.mark.parametrize("name", READS)
def test_a_test_that_reads_the_text_of_a_changed_file_sees_it_as_it_is(tmp_path, name):
    script, files, changed, package = RUNS[name]
    test, act = READS[name]
    modules = "import" in files[test]
    reads = ('import { readFileSync } from "node:fs";' if modules else 'const { readFileSync } = require("fs");') + "\n"
    case = f'{"it" if name == "mocha" else "test"}("is as long", () => {{ {act}; }});\n'
    files = {**files, test: reads + files[test] + case}
    context, texts = seen_of(prepared(tmp_path, files, changed, scripts={"test": script}, **package), changed)

    assert counts(tried(context)) == EXPECTED
    assert texts == {files[changed]}


@pytest.mark.parametrize(
    "more",
    [
        "execSync('true');\n",
        (
            "const text = readFileSync('shop.js', 'utf8').replaceAll('export ', '');\n"
            "test('unused', () => assert.equal(new Function(`${text}; return unused(1)`)(), false));\n"
        ),
    ],
)
def test_where_files_may_be_had_in_other_ways_the_copy_is_written_to(tmp_path, more):
    heads = 'import { execSync } from "node:child_process";\nimport { readFileSync } from "node:fs";\n'
    files = {"shop.js": ESM, "test/shop.test.js": heads + NODE + more}
    first = prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "node --test"})
    context, texts = seen_of(first, "shop.js")

    expected = {"mutants": 4, "killed": 3, "survived": 1, "score": 0.75} if "unused" in more else EXPECTED
    assert counts(tried(context)) == expected
    assert len(texts) > 1


def test_what_an_earlier_run_decided_is_told_without_a_copy(tmp_path):
    files = {"shop.js": ESM.split("\n\n", maxsplit=1)[0] + "\n", "test/shop.test.js": NODE}
    context = prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "node --test"})
    first = tried(context)
    again, shown = commands_of(context)

    assert counts(tried(again)) == counts(first) == {"mutants": 3, "killed": 2, "survived": 1, "score": 0.6667}
    assert shown == []


def test_a_test_file_that_ends_its_process_with_success_has_not_passed(tmp_path):
    shop = """\
export function price(amount) {
  if (amount > 100) {
    process.exit(0);
  }
  return amount;
}
"""
    test = NODE.replace("price(200, true), 190", "price(100), 100").replace("price(200, false), 200", "price(7), 7")
    files = {"shop.js": shop, "test/shop.test.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "node --test"}))

    assert counts(outcome) == {"mutants": 2, "killed": 1, "error": 1, "score": 1.0}


def test_where_nothing_could_be_tried_no_number_of_noticed_faults_is_told(tmp_path):
    call = 'execFileSync(process.execPath, ["main.js"], { env: {} }).toString()'
    tests = 'import test from "node:test";\nimport assert from "node:assert";\n'
    tests += (
        f'import {{ execFileSync }} from "node:child_process";\ntest("main", () => assert.equal({call}, "190\\n"));\n'
    )
    main = 'import { price } from "./shop.js";\nconsole.log(price(200, true));\n'
    files = {"shop.js": ESM, "main.js": main, "test/shop.test.js": tests}
    outcome = mutated(prepared(tmp_path, files, "shop.js", scripts={"test": "node --test"}, type="module"))

    assert ran(outcome).summary == "4 faults put into added lines could not be tried"
    assert counts(outcome) == {"mutants": 4, "error": 4, "score": None}


def test_tests_that_are_changed_under_the_run_show_nothing(tmp_path):
    files, name = {"shop.js": ESM, "test/shop.test.js": NODE}, "test/shop.test.js"
    context = prepared(tmp_path, files, "shop.js", name, scripts={"test": "node --test"}, type="module")

    async def changing(command, place):
        (context.workspace / name).write_text(OTHER, encoding="utf-8")
        return await context.run(command, place)

    outcome = mutated(attrs.evolve(context, run=changing))

    assert isinstance(outcome, Skipped)
    assert outcome.reason == f"{name} was changed while mutants were tried on the tests; run again"


def test_what_tests_read_compiled_is_compiled_in_the_copy_once(tmp_path):
    files = {
        "src/shop.ts": TS,
        "test/shop.test.js": NODE.replace("../shop.js", "../dist/shop.js"),
        "dist/shop.js": "throw new Error('built long ago');\n",
        "tsconfig.json": TSC,
    }
    scripts = {"test": "node --test test/*.test.js", "build": "tsc"}
    context, shown = commands_of(prepared(tmp_path, files, "src/shop.ts", type="module", scripts=scripts))

    assert counts(tried(context)) == EXPECTED
    assert [line for line in shown if "build" in line] == ["npm run build"]


def test_tests_of_another_copy_are_said_not_to_be_reached(tmp_path):
    files = {
        "shop.js": ESM,
        "copy/shop.js": ESM,
        "test/shop.test.js": NODE.replace("../shop.js", "../copy/shop.js"),
    }
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "node --test"}))

    assert isinstance(outcome, Skipped)
    assert "do not reach" in outcome.reason


def test_a_package_of_a_workspace_is_reached_through_its_link(tmp_path):
    files = {
        "packages/shop/package.json": '{"name": "@mine/shop", "type": "module", "main": "shop.js"}\n',
        "packages/shop/shop.js": ESM,
        "test/shop.test.js": NODE.replace("../shop.js", "@mine/shop"),
    }
    context = prepared(tmp_path, files, "shop.js", root="packages/shop", type="module", scripts={"test": "node --test"})
    modules = context.workspace / "node_modules"
    modules.unlink()
    (modules / "@mine").mkdir(parents=True)
    (modules / "@mine" / "shop").symlink_to("../../packages/shop")

    assert counts(tried(context)) == EXPECTED


def test_a_loop_that_a_fault_makes_endless_is_no_kill_and_holds_nothing_up(tmp_path, monkeypatch):
    monkeypatch.setattr(trial_time, "TRIAL_LEAST_S", 3.0)
    shop = """\
export function count(n) {
  let seen = 0;
  while (seen < n) {
    seen += 1;
  }
  return seen;
}
"""
    test = 'import { expect, test } from "vitest";\nimport { count } from "./shop";\n'
    test += 'test("counts", () => expect(count(3)).toBe(3));\n'
    files = {"shop.js": shop, "shop.test.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "vitest run"}))

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "timeout": 1, "score": 0.6667}


def test_tests_that_can_be_run_once_in_a_process_give_no_false_kills(tmp_path):
    test = """\
import { expect, test } from "vitest";
import { price, unused } from "./shop";
test("members", () => {
  expect(globalThis.ran).toBeUndefined();
  globalThis.ran = true;
  expect(price(200, true)).toBe(190);
  unused(3);
});
"""
    files = {"shop.js": ESM, "shop.test.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "vitest run"}))

    assert counts(outcome) == {"mutants": 4, "killed": 1, "survived": 2, "no_coverage": 1, "score": 0.25}


def test_an_error_outside_of_the_tests_is_no_kill(tmp_path):
    shop = """\
export function later(ready) {
  if (!ready) {
    Promise.reject(new Error("nobody listens"));
  }
  return 1;
}
"""
    test = 'import { expect, test } from "vitest";\nimport { later } from "./shop";\n'
    test += (
        'test("later", async () => { expect(later(true)).toBe(1); await new Promise((r) => setTimeout(r, 20)); });\n'
    )
    files = {"shop.js": shop, "shop.test.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "vitest run"}))

    assert "killed_by" not in repr(ran(outcome).findings)
    assert counts(outcome)["error"] == 1


def test_a_fault_that_keeps_the_test_files_from_loading_is_noticed(tmp_path):
    shop = """\
const table = new Map([["a", 1]]);
if (table.size === 0) {
  throw new Error("empty");
}
module.exports = { table };
"""
    test = 'const assert = require("assert");\nconst { table } = require("../shop");\n'
    test += 'it("holds", () => assert.equal(table.get("a"), 1));\n'
    files = {"shop.js": shop, "test/shop.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", scripts={"test": "mocha"}))

    assert counts(outcome)["killed"] >= 1


def test_what_runs_where_reach_cannot_be_seen_is_not_said_to_be_missed(tmp_path):
    test = """\
import test from "node:test";
import assert from "node:assert";
import { execFileSync } from "node:child_process";
test("says", () => {
  assert.match(execFileSync(process.execPath, ["shop.js"], { env: {} }).toString(), /^190/);
});
"""
    files = {"shop.js": f"{ESM}console.log(price(200, true));\n", "test/shop.test.js": test}
    outcome = tried(prepared(tmp_path, files, "shop.js", type="module", scripts={"test": "node --test"}))

    assert counts(outcome)["error"] == counts(outcome)["mutants"]
    assert ran(outcome).verdict != "pass"
    assert not [finding for finding in ran(outcome).findings if finding.rule == "mutation-not-covered"]
