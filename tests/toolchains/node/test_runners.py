"""The runners themselves: what they report must be what they print."""

import attrs
import pytest

from tests.harness.node_projects import counts, node_project, run_tests, step_of
from tests.harness.tool_runs import project_in, run, tree
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.node.testing.summaries import read_summaries

VITEST = {
    "src/a.test.ts": """import { describe, expect, it } from 'vitest';
it('top level', () => { expect(1).toBe(1); });
describe('suite > odd', () => {
  it('adds (1 + 1) "q" $x', () => { expect(2).toBe(2); });
  it('fails', () => { expect(1).toBe(2); });
  it.skip('skipped', () => {});
  it.todo('later');
});
""",
}
JEST = {
    "a.test.js": """test('top (level)', () => { expect(1).toBe(1); });
describe('suite', () => {
  test('fails', () => { expect(1).toBe(2); });
  test.skip('skipped', () => {});
  test.todo('later');
});
""",
}
MOCHA = {
    "test/a.js": """const assert = require('assert');
it('top', () => {});
describe('suite', () => {
  it('fails', () => { assert.equal(1, 2); });
  it.skip('skipped');
  it('passes', () => { console.log('port 99 passing (1ms)'); });
});
""",
}
NODE_TEST = {
    "test/a.test.js": """import { describe, it, test } from 'node:test';
import assert from 'node:assert';
test('top', () => {});
describe('suite', () => {
  it('fails', () => { assert.equal(1, 2); });
  it.skip('skipped');
  it.todo('later');
});
test('parent', async (t) => { await t.test('sub', () => {}); t.diagnostic('tests 99'); });
""",
}

CASES = {
    "vitest": (VITEST, {"type": "module", "scripts": {"test": "vitest"}}, (2, 1, 2)),
    "jest": (JEST, {"scripts": {"test": "jest --watch --coverage"}}, (1, 1, 2)),
    "mocha": (MOCHA, {"scripts": {"test": "mocha --watch --reporter dot"}}, (2, 1, 1)),
    "node:test": (NODE_TEST, {"type": "module", "scripts": {"test": "node --test --watch"}}, (3, 1, 2)),
}


@attrs.frozen
class Sample:
    """A project, and one run of its tests that all tests of this module look at."""

    runner: str
    project: Project
    expected: tuple[int, int, int]
    run: TestRun
    written: set[str]


@pytest.fixture(scope="module", params=CASES)
def sample(request, tmp_path_factory):
    files, package, expected = CASES[request.param]
    folder = node_project(tmp_path_factory.mktemp("sample") / "work", files, **package)
    project = project_in(folder)
    before = tree(folder)
    found, _ = run_tests(project)
    return Sample(request.param, project, expected, found, {*tree(folder).items()} ^ {*before.items()})


def test_the_counts_are_those_that_the_runner_prints(sample):
    words = {
        "vitest": ("vitest", "run"),
        "jest": ("jest", "--ci"),
        "mocha": ("mocha",),
        "node:test": ("node", "--test"),
    }
    plain = attrs.evolve(step_of(sample.project).command, argv=words[sample.runner], support={})
    printed = read_summaries(run(plain, sample.project.place))
    assert printed is not None
    assert counts(sample.run) == counts(printed) == sample.expected
    assert (sample.run.verdict, sample.run.total) == ("failed", sum(sample.expected))
    assert sample.run.contradiction is None
    assert step_of(sample.project).tool == sample.runner


def test_a_failed_test_has_its_file_and_a_message(sample):
    (case,) = sample.run.failures()
    ids = {
        "vitest": "src/a.test.ts > suite > odd > fails",
        "jest": "a.test.js > suite > fails",
        "mocha": "test/a.js > suite fails",
        "node:test": "test/a.test.js > suite > fails",
    }
    assert case.id == ids[sample.runner]
    assert case.path == case.id.split(" > ")[0]
    assert case.line == {"vitest": 5, "jest": 3, "mocha": None, "node:test": 5}[sample.runner]
    assert "1" in case.message
    assert "2" in case.message
    assert " at " not in case.message


def test_nothing_is_written_to_the_tree(sample):
    assert sample.written == set()


def test_a_chosen_test_alone_runs_again(sample):
    step = step_of(sample.project)
    for case in [case for case in sample.run.cases if case.outcome != "skipped"][-2:]:
        command = step.only((case.id,))
        assert command is not None
        again = step.parse(run(command, sample.project.place))
        ran = [(test.id, test.outcome) for test in again.cases if test.outcome != "skipped"]
        assert (case.id, case.outcome) in ran
        assert len(ran) < (sample.run.passed or 0) + (sample.run.failed or 0)


def test_several_tests_are_chosen_together(sample):
    step = step_of(sample.project)
    ids = tuple(case.id for case in sample.run.cases if case.outcome != "skipped")
    command = step.only(ids)
    assert command is not None
    again = step.parse(run(command, sample.project.place))
    assert (again.passed, again.failed) == (sample.run.passed, sample.run.failed)
