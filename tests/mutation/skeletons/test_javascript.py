"""Skeletons in JavaScript and TypeScript, run for real by each runner."""

import json

import attrs
import pytest

from tests.harness.skeletons import mutant_of, write

SHOP = "export function price(amount) {\n  if (amount >= 100) {\n    return amount - 10;\n  }\n  return amount;\n}\n"
COMMON = SHOP.replace("export ", "") + "module.exports = { price };\n"
MESSAGE = "not written yet: a test of price (src/shop.js:2) that notices changing `>=` to `>`"


@attrs.frozen
class Runner:
    """How a runner's projects look, and how its tests are run and written."""

    script: str
    argv: tuple[str, ...]
    heading: str
    assertion: str
    module: bool = True


BIN = "node_modules/.bin"
RUNNERS = {
    "vitest": Runner(
        "vitest run", (f"{BIN}/vitest", "run"), 'import { describe, expect, it } from "vitest";\n',
        "expect(price(100)).toBe(90);",
    ),
    "jest": Runner("jest", (f"{BIN}/jest", "--no-cache"), "", "expect(price(100)).toBe(90);", module=False),
    "mocha": Runner(
        "mocha", (f"{BIN}/mocha", "test"), 'const assert = require("node:assert");\n',
        "assert.equal(price(100), 90);", module=False,
    ),
    "node": Runner(
        "node --test", ("node", "--test"), 'import assert from "node:assert";\nimport { describe, it } from "node:test";\n',
        "assert.equal(price(100), 90);",
    ),
}  # fmt: skip


def files_for(runner, place):
    up = "../" * place.count("/") or "./"
    brought = (
        f'import {{ price }} from "{up}src/shop.js";'
        if runner.module
        else f'const {{ price }} = require("{up}src/shop.js");'
    )
    package = {"name": "shop", "scripts": {"test": runner.script}, **({"type": "module"} if runner.module else {})}
    tests = f'describe("price", () => {{\n  it("is small", () => {{\n    {runner.assertion.replace("100", "1").replace("90", "1")}\n  }});\n}});\n'
    return {
        "package.json": json.dumps(package),
        "src/shop.js": SHOP if runner.module else COMMON,
        place: f"{runner.heading}{brought}\n\n{tests}",
    }


@pytest.mark.parametrize("name", RUNNERS)
def test_it_is_made_by_the_function_that_the_file_uses(tmp_path, name):
    runner = RUNNERS[name]
    written = write(tmp_path, files_for(runner, "test/shop.test.js"), mutant_of("src/shop.js", 2), modules=True)
    assert written.skeleton.path == "test/shop.test.js"

    result = written.run(*runner.argv)
    assert result.returncode != 0
    assert MESSAGE in result.stdout + result.stderr

    written.fill("throw new Error(", runner.assertion)
    after = written.run(*runner.argv)
    assert after.returncode == 0, after.stdout + after.stderr


@pytest.mark.parametrize("name", RUNNERS)
def test_a_new_file_brings_what_the_others_bring(tmp_path, name):
    runner = RUNNERS[name]
    files = files_for(runner, "test/other.test.js")
    written = write(tmp_path, files, mutant_of("src/shop.js", 2), modules=True)
    assert (written.skeleton.path, written.skeleton.before) == ("test/shop.test.js", None)

    result = written.run(*runner.argv)
    assert result.returncode != 0
    assert MESSAGE in result.stdout + result.stderr


def test_a_new_file_stands_beside_its_code_where_the_others_do(tmp_path):
    files = {
        "package.json": json.dumps({"scripts": {"test": "vitest run"}}),
        "src/a/one.ts": "export const one = 1;\n",
        "src/a/one.spec.ts": 'import { test, expect } from "vitest";\ntest("one", () => {});\n',
        "src/b/shop.ts": SHOP,
    }
    written = write(tmp_path, files, mutant_of("src/b/shop.ts", 2), modules=True)

    assert written.skeleton.path == "src/b/shop.spec.ts"
    assert written.skeleton.text.startswith('import { test } from "vitest";\n\ntest("price, src/b/shop.ts line 2')


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('import test from "node:test";', 'import test from "node:test";'),
        ('import test, { describe } from "node:test";', 'import test from "node:test";'),
        ('const { test, mock } = require("node:test");', 'const { test } = require("node:test");'),
        ('const test = require("node:test");', 'const test = require("node:test");'),
        ("import {\n  describe,\n  test,\n} from 'vitest'", "import { test } from 'vitest'"),
    ],
)
def test_of_what_the_others_bring_a_new_file_takes_what_it_needs(tmp_path, line, kept):
    files = {"package.json": "{}", "a.test.js": f'{line}\ntest("a", () => {{}});\n', "src/shop.js": SHOP}

    assert write(tmp_path, files, mutant_of("src/shop.js", 2)).skeleton.text.startswith(f"{kept}\n\ntest(")
