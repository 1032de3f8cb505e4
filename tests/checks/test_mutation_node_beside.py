"""Faults in JavaScript that are tried side by side, and those that do not come to their end."""

import socket

import attrs
import pytest

from tests.checks.test_mutation_node import commands_of, prepared, tried
from tests.harness.mutation import counts
from verify_lsp.checks import trial_time
from verify_lsp.settings.settings import Settings

HEAD = 'import { expect, test } from "vitest";\n'
RUN = {"type": "module", "scripts": {"test": "vitest run"}}


@pytest.fixture
def soon(monkeypatch):
    monkeypatch.setattr(trial_time, "TRIAL_LEAST_S", 5.0)


def driven(folder, files, changed="shop.js"):
    """Return what became of the mutants, and how often a driver was started."""
    context, shown = commands_of(prepared(folder, files, changed, **RUN))
    many = attrs.evolve(context, settings=Settings(timeout_secs=120, mutation_max_mutants=40))
    return counts(tried(many)), sum("vitest_mutants" in line for line in shown)


LOOP = """\
export function count(n) {
  let seen = 0;
  while (seen < n) {
    seen += 1;
  }
  return seen;
}
"""
LOOP_FATES = {"mutants": 4, "killed": 2, "survived": 1, "timeout": 1, "score": 0.6667}


@pytest.mark.usefixtures("soon")
def test_a_loop_that_asks_for_a_switch_is_broken_off_and_its_worker_goes_on(tmp_path):
    test = HEAD + 'import { count } from "./shop";\ntest("counts", () => expect(count(3)).toBe(3));\n'
    assert driven(tmp_path, {"shop.js": LOOP, "shop.test.js": test}) == (LOOP_FATES, 1)


@pytest.mark.usefixtures("soon")
def test_under_jest_a_loop_that_is_broken_off_ends_no_process(tmp_path):
    shop = LOOP.replace("export function", "function") + "module.exports = { count };\n"
    test = 'const { count } = require("./shop");\ntest("counts", () => expect(count(3)).toBe(3));\n'
    context, shown = commands_of(
        prepared(tmp_path, {"shop.js": shop, "shop.test.js": test}, "shop.js", scripts={"test": "jest"})
    )
    assert counts(tried(context)) == LOOP_FATES
    assert sum("jest_mutants" in line for line in shown) == 1


@pytest.mark.usefixtures("soon")
def test_a_loop_that_asks_for_none_takes_its_worker_along_and_nothing_else(tmp_path):
    shop = """\
export function most(n) {
  if (n > 3) {
    return 3;
  }
  return n;
}
export function twice(n) {
  return n * 2;
}
"""
    walk = 'import { most } from "./shop";\n'
    walk += "export function walk(n) {\n  const end = most(n);\n  let at = 0;\n  while (at !== end) at += 1;\n  return at;\n}\n"
    test = HEAD + 'import { walk } from "./walk";\ntest("walks", () => expect(walk(2)).toBe(2));\n'
    test += 'import { twice } from "./shop";\ntest("doubles", () => expect(twice(3)).toBe(6));\n'
    expected = {"mutants": 4, "killed": 1, "survived": 1, "no_coverage": 1, "timeout": 1, "score": 0.3333}
    assert driven(tmp_path, {"shop.js": shop, "walk.js": walk, "shop.test.js": test}) == (expected, 1)


@pytest.mark.usefixtures("soon")
def test_what_a_loop_that_was_broken_off_leaves_behind_makes_no_kills_and_loses_none(tmp_path):
    test = HEAD + 'import { count } from "./shop";\n'
    test += 'test("is clean", () => expect(globalThis.busy).toBeUndefined());\n'
    test += (
        'test("counts", () => {\n  globalThis.busy = true;\n  const found = count(3);\n'
        "  delete globalThis.busy;\n  expect(found).toBe(3);\n});\n"
    )
    assert driven(tmp_path, {"shop.js": LOOP, "shop.test.js": test}) == (LOOP_FATES, 1)


@pytest.mark.usefixtures("soon")
def test_code_that_catches_what_breaks_its_loop_off_is_not_said_to_be_noticed(tmp_path):
    shop = """\
export function count(n) {
  let seen = 0;
  try {
    while (seen < n) {
      seen += 1;
    }
  } catch {
    return -1;
  }
  return seen;
}
"""
    test = HEAD + 'import { count } from "./shop";\ntest("counts", () => expect(count(3)).toBe(3));\n'
    found, drivers = driven(tmp_path, {"shop.js": shop, "shop.test.js": test})
    assert (found["timeout"], drivers) == (1, 1)


# Of these as many are noticed as are not: a failure that two runs bring about between them would show.
TABLE = "".join(f"  if (n === {10 * row}) {{\n    return {row};\n  }}\n" for row in range(1, 9))
SHOP = (
    f"export function place(n) {{\n{TABLE}  return 0;\n}}\n" + f"export function spare(n) {{\n{TABLE}  return 0;\n}}\n"
)
ASKED = "Array.from({ length: 9 }, (_, row) => (spare(10 * row), place(10 * row)))"
RIGHT = "Array.from({ length: 9 }, (_, row) => row)"


def test_tests_that_listen_on_one_port_are_not_run_beside_each_other(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    test = HEAD + 'import { createServer } from "node:http";\nimport { place, spare } from "./shop";\n'
    test += f"""\
test("serves", async () => {{
  const server = createServer((_, response) => response.end(JSON.stringify({ASKED})));
  await new Promise((resolve, reject) => server.on("error", reject).listen({port}, "127.0.0.1", resolve));
  const told = await (await fetch("http://127.0.0.1:{port}")).json();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => server.close(resolve));
  expect(told).toEqual({RIGHT});
}});
"""
    found, drivers = driven(tmp_path, {"shop.js": SHOP, "shop.test.js": test})
    assert (found["killed"], found["survived"], drivers) == (found["mutants"] / 2, found["mutants"] / 2, 1)


def test_tests_that_write_a_file_of_one_name_are_not_run_beside_each_other(tmp_path):
    test = (
        HEAD
        + 'import { readFileSync, rmSync, writeFileSync } from "node:fs";\nimport { place, spare } from "./shop";\n'
    )
    test += f"""\
test("keeps", async () => {{
  writeFileSync("kept.json", JSON.stringify({ASKED}));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const told = JSON.parse(readFileSync("kept.json", "utf8"));
  expect(told).toEqual({RIGHT});
}});
"""
    found, drivers = driven(tmp_path, {"shop.js": SHOP, "shop.test.js": test})
    assert (found["killed"], found["survived"], drivers) == (found["mutants"] / 2, found["mutants"] / 2, 1)
