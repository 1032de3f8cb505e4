import json
import shutil

import pytest

from tests.harness.node_projects import counts, node_project, path_of, run_tests, step_of
from tests.harness.tool_runs import laid_out, project_in, run, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import Absent
from verify_lsp.toolchains.node.testing.step import find_tests

PLACEHOLDER = 'echo "Error: no test specified" && exit 1'
PASSES = "const assert = require('assert'); it('passes', () => { assert.ok(true); });\n"
JEST_PASSES = "test('passes', () => {});\n"


def argv(folder, *, root=".", path=None):
    return step_of(project_in(folder, root=root, path=path)).command.argv


def absent(folder, *, root=".", path=None):
    step = find_tests(project_in(folder, root=root, path=path), 60.0)
    assert isinstance(step, Absent)
    return step


# Which script.


@pytest.mark.parametrize("line", [PLACEHOLDER, "exit 0", "echo no tests", "true", "echo 'later' && exit 0"])
def test_a_placeholder_is_no_test(line, tmp_path):
    folder = node_project(tmp_path, {}, scripts={"test": line})
    assert absent(folder) == Absent("no tests are configured in package.json", needless=True)


def test_no_script_is_no_test(tmp_path):
    folder = node_project(tmp_path, {"bun.lock": "", "a.test.js": JEST_PASSES}, scripts={"start": "node ."})
    assert absent(folder).needless


def test_a_manifest_that_cannot_be_read_stays_unverified(tmp_path):
    folder = laid_out(tmp_path, {"package.json": '{"scripts": {'})
    assert absent(folder) == Absent("package.json cannot be read", needless=False)


def test_browser_tests_are_not_unit_tests(tmp_path):
    folder = node_project(tmp_path, {}, scripts={"test": "playwright test"})
    assert absent(folder) == Absent(
        "the script 'test' runs browser tests (playwright), which are not run", needless=False
    )


def test_unit_tests_beside_browser_tests_run(tmp_path):
    folder = node_project(tmp_path, {}, scripts={"test": "playwright test", "test:unit": "vitest"})
    assert argv(folder)[:2] == ("vitest", "run")


def test_dependencies_that_are_not_installed_leave_the_tests_unverified(tmp_path):
    package = json.dumps({"scripts": {"test": "vitest"}, "devDependencies": {"vitest": "*"}})
    folder = laid_out(tmp_path, {"package.json": package, "pnpm-lock.yaml": ""})
    assert absent(folder) == Absent("dependencies are not installed (run pnpm install)", needless=False)


def test_a_runner_that_is_not_installed_leaves_the_tests_unverified(tmp_path):
    package = json.dumps({"scripts": {"test": "vitest"}})
    folder = laid_out(tmp_path, {"package.json": package})
    assert absent(folder, path=path_of("node", folder=tmp_path / "bin")) == Absent(
        "vitest is not installed (run npm install)", needless=False
    )


def test_a_project_without_dependencies_needs_no_node_modules(tmp_path):
    files = {"package.json": '{"scripts": {"test": "node --test"}}', "a.test.mjs": "import 'node:test';\n"}
    assert argv(laid_out(tmp_path, files))[0] == "node"


# Monorepos.


def monorepo(folder, **of_a):
    files = {
        "packages/a/package.json": json.dumps({"name": "a", **of_a}),
        "packages/a/test/a.js": PASSES,
        "test/root.js": PASSES + "it('passes too', () => {});\n",
    }
    return node_project(folder, files, workspaces=["packages/*"], scripts={"test": "mocha"})


def test_the_owning_package_runs_its_own_script_in_its_own_folder(tmp_path):
    folder = monorepo(tmp_path, scripts={"test": "mocha"})
    project = project_in(folder, root="packages/a")
    assert step_of(project).command.cwd == "packages/a"
    test_run, _ = run_tests(project)
    assert counts(test_run) == (1, 0, 0)
    assert [case.path for case in test_run.cases] == ["test/a.js"]


@pytest.mark.parametrize("scripts", [{}, {"test": PLACEHOLDER}])
def test_a_package_without_tests_is_tested_by_the_one_above(scripts, tmp_path):
    project = project_in(monorepo(tmp_path, scripts=scripts), root="packages/a")
    assert step_of(project).command.cwd == "."
    assert counts(run_tests(project)[0]) == (2, 0, 0)


# The package manager and the script.


def test_a_bun_lock_does_not_make_it_bun_test(tmp_path):
    folder = node_project(tmp_path, {"bun.lock": ""}, scripts={"test": "vitest run"})
    assert argv(folder)[:2] == ("vitest", "run")
    chained = node_project(tmp_path / "chained", {"bun.lock": ""}, scripts={"test": "vitest run && tsd"})
    step = step_of(project_in(chained))
    assert step.command.argv == ("npm", "run", "test")
    assert step.parse(CommandResult(0)).notes == ("bun is not installed, so npm ran the script",)


def test_a_chained_script_runs_unchanged_and_nothing_is_appended(tmp_path):
    files = {"a.js": PASSES, "b.js": PASSES + "it('fails', () => { assert.fail(); });\n"}
    project = project_in(node_project(tmp_path, files, scripts={"test": "mocha a.js && mocha b.js"}))
    step = step_of(project)
    assert step.command.argv == ("npm", "run", "test")
    assert step.only(("b.js > fails",)) is None
    test_run, _ = run_tests(project)
    assert (test_run.verdict, *counts(test_run)) == ("failed", 2, 1, 0)
    assert [case.id for case in test_run.failures()] == []


def test_a_masked_exit_code_is_a_contradiction(tmp_path):
    files = {"test/a.js": PASSES.replace("true", "false")}
    test_run, result = run_tests(project_in(node_project(tmp_path, files, scripts={"test": "mocha || true"})))
    assert result.exit_code == 0
    assert test_run.verdict == "failed"
    assert test_run.contradiction == "the output says 1 failed, the exit code is 0"


def test_a_step_of_a_script_runs_where_its_package_manager_is_missing(tmp_path):
    files = {"pnpm-lock.yaml": "", "test/a.js": PASSES}
    scripts = {"lint": "eslint .", "test": "pnpm lint && mocha --parallel && pnpm types"}
    project = project_in(
        node_project(tmp_path, files, scripts=scripts), path=path_of("node", "npm", folder=tmp_path / "bin")
    )
    assert step_of(project).command.argv[0] == "mocha"
    test_run, _ = run_tests(project)
    assert counts(test_run) == (1, 0, 0)
    assert test_run.notes == (
        "pnpm is not installed, so only 'mocha --parallel' ran, without 'pnpm lint' and 'pnpm types'",
    )


def test_another_script_runs_where_the_package_manager_is_missing(tmp_path):
    files = {"pnpm-lock.yaml": "", "test/a.js": PASSES}
    scripts = {"test": 'pnpm run "/^test:.*/"', "test:lint": "eslint .", "test:spec": "mocha"}
    machine = path_of("node", "npm", folder=tmp_path / "bin")
    test_run, _ = run_tests(project_in(node_project(tmp_path, files, scripts=scripts), path=machine))
    assert counts(test_run) == (1, 0, 0)
    assert test_run.notes == ("pnpm is not installed, so the script 'test:spec' ran in place of 'test'",)


def test_a_script_that_only_its_missing_package_manager_can_run_stays_unverified(tmp_path):
    folder = node_project(tmp_path, {"yarn.lock": ""}, scripts={"test": "yarn workspaces foreach run test"})
    found = absent(folder, path=path_of("node", "npm", folder=tmp_path / "bin"))
    assert found == Absent("yarn is not installed, and the script 'test' calls it", needless=False)


def test_variables_of_a_script_reach_its_runner(tmp_path):
    files = {"test/a.js": "const a = require('assert'); it('is set', () => a.equal(process.env.KIND, 'unit'));\n"}
    scripts = {"test": "cross-env KIND=unit CI=false mocha"}
    project = project_in(node_project(tmp_path, files, scripts=scripts, version="1.2.3"))
    command = step_of(project).command
    assert command.env["CI"] == "1"
    assert command.env["npm_package_version"] == "1.2.3"
    assert counts(run_tests(project)[0]) == (1, 0, 0)


def test_a_project_that_colours_text_is_tested_as_its_users_test_it(tmp_path):
    files = {"test/a.js": "it('colours', () => { if (process.env.NO_COLOR) throw new Error('no colour'); });\n"}
    for name, line in (("plain", "mocha"), ("chained", "mocha && true")):
        test_run, _ = run_tests(project_in(node_project(tmp_path / name, files, scripts={"test": line})))
        assert counts(test_run) == (1, 0, 0)


def test_a_script_before_the_script_runs_first(tmp_path):
    files = {"test/a.js": "const a = require('assert'); it('is made', () => require('../made.js'));\n"}
    scripts = {"pretest": "echo 'module.exports = 1' > made.js", "test": "mocha"}
    project = project_in(node_project(tmp_path, files, scripts=scripts))
    assert [command.argv for command in step_of(project).prepare] == [("npm", "run", "pretest")]
    assert counts(run_tests(project)[0]) == (1, 0, 0)


def test_a_coverage_wrapper_does_not_hide_the_runner(tmp_path):
    folder = node_project(tmp_path, {}, scripts={"test": "nyc --reporter text mocha --recursive"})
    assert argv(folder)[0] == "mocha"
    assert argv(folder)[-1] == "--recursive"


def test_jest_started_by_node_keeps_the_options_of_node(tmp_path):
    line = "node --experimental-vm-modules node_modules/jest/bin/jest.js --verbose"
    project = project_in(node_project(tmp_path, {"a.test.js": JEST_PASSES}, scripts={"test": line}))
    assert step_of(project).command.argv[:3] == ("node", "--experimental-vm-modules", "node_modules/jest/bin/jest.js")
    assert counts(run_tests(project)[0]) == (1, 0, 0)


# Watch modes and questions.


@pytest.mark.parametrize(
    ("line", "files"),
    [
        ("vitest", {"a.test.mjs": "import { it } from 'vitest'; it('passes', () => {});\n"}),
        ("vitest watch --ui", {"a.test.mjs": "import { it } from 'vitest'; it('passes', () => {});\n"}),
        ("jest --watch", {"a.test.js": JEST_PASSES}),
        ("jest --watchAll", {"a.test.js": JEST_PASSES}),
        ("mocha -w", {"test/a.js": PASSES}),
        ("node --test --watch", {"a.test.mjs": "import { it } from 'node:test'; it('passes', () => {});\n"}),
        ("node ask.js && mocha", {"ask.js": "process.stdin.on('data', () => {});\n", "test/a.js": PASSES}),
    ],
)
def test_a_script_that_would_wait_ends(line, files, tmp_path):
    test_run, _ = run_tests(project_in(node_project(tmp_path, files, scripts={"test": line})))
    assert counts(test_run) == (1, 0, 0)


@pytest.mark.parametrize("line", ["react-scripts test", "craco test", "react-app-rewired test"])
def test_wrappers_of_jest_are_told_not_to_watch(line, tmp_path):
    folder = node_project(tmp_path, {}, scripts={"test": f"CI=false {line} --env=jsdom"})
    program = line.split()[0]
    laid_out(tmp_path / "bin", {program: "#!/bin/sh\n", "node": ""})
    (tmp_path / "bin" / program).chmod(0o755)
    step = step_of(project_in(folder, path=str(tmp_path / "bin")))
    assert step.command.argv[:2] == tuple(line.split())
    assert {"--watchAll=false", "--ci", "--env=jsdom"} <= set(step.command.argv)
    assert step.command.env["CI"] == "1"
    assert step.version is not None
    assert step.version.argv == (program, "--version")


def test_a_run_that_was_ended_is_unusable_and_hints_at_watch_mode(tmp_path):
    step = step_of(project_in(node_project(tmp_path, {}, scripts={"test": "wait-for-ever"})))
    found = step.parse(CommandResult(None, stdout="waiting\n", timed_out=True, duration_ms=60_000))
    assert found.verdict == "unusable"
    assert found.reason == "wait-for-ever was ended after 60 s without finishing (watch mode?)"


# What cannot be believed.


def test_a_test_that_ends_the_process_is_no_pass(tmp_path):
    files = {"test/a.js": "it('ends', () => { process.exit(0); });\nit('fails', () => { throw new Error('x'); });\n"}
    test_run, result = run_tests(project_in(node_project(tmp_path, files, scripts={"test": "mocha"})))
    assert result.exit_code == 0
    assert (test_run.verdict, test_run.passed) == ("unusable", None)


def test_a_test_file_that_does_not_load_fails(tmp_path):
    for runner, name in (("vitest", "a.test.mjs"), ("jest", "a.test.js")):
        files = {name: "import './nope.mjs';\n" if runner == "vitest" else "require('./nope');\n"}
        test_run, _ = run_tests(project_in(node_project(tmp_path / runner, files, scripts={"test": runner})))
        assert (test_run.verdict, *counts(test_run)) == ("failed", 0, 1, 0)
        assert test_run.unbuilt == (name,)
        assert [case.id for case in test_run.failures()] == [name]
    files = {"test/a.js": "require('./nope');\n"}
    test_run, _ = run_tests(project_in(node_project(tmp_path / "mocha", files, scripts={"test": "mocha"})))
    assert (test_run.verdict, *counts(test_run)) == ("failed", None, None, None)
    assert "Cannot find module './nope'" in (test_run.reason or "")
    assert test_run.unbuilt == (".",)
    files = {
        "a.test.mjs": "import './nope.mjs';\n",
        "b.test.mjs": "import { it } from 'node:test'; it('passes', () => {});",
    }
    test_run, _ = run_tests(project_in(node_project(tmp_path / "node", files, scripts={"test": "node --test"})))
    assert (test_run.verdict, *counts(test_run), test_run.unbuilt) == ("failed", 1, 1, 0, ("a.test.mjs",))


def test_an_error_outside_of_the_tests_fails_a_run_of_passing_tests(tmp_path):
    late = "import { it } from 'vitest';\nit('passes', async () => {\n  Promise.reject(new Error('late'));\n});\n"
    project = project_in(node_project(tmp_path, {"a.test.mjs": late}, scripts={"test": "vitest"}))
    test_run, _ = run_tests(project)
    assert (test_run.verdict, *counts(test_run)) == ("failed", 1, 0, 0)
    assert test_run.contradiction == "the output says that no test failed, the exit code is 1"


@pytest.mark.parametrize("runner", ["vitest", "vitest --passWithNoTests", "jest", "jest --passWithNoTests", "mocha"])
def test_a_run_without_test_files_is_no_pass(runner, tmp_path):
    test_run, _ = run_tests(project_in(node_project(tmp_path, {"a.js": ""}, scripts={"test": runner})))
    assert test_run.verdict == "none-ran"
    assert test_run.reason


def test_a_runner_that_fails_before_its_first_test_found_not_just_no_tests(tmp_path):
    files = {
        "vitest.config.mjs": "export default { test: { environment: 'nope' } };\n",
        "a.test.mjs": "import 'vitest';\n",
    }
    test_run, _ = run_tests(project_in(node_project(tmp_path, files, scripts={"test": "vitest"})))
    assert test_run.verdict == "unusable"
    assert "nope" in (test_run.reason or "")


def test_a_hundred_and_twenty_seven_failures_are_no_missing_program(tmp_path):
    files = {"test/a.js": "for (let i = 0; i < 127; i++) it(`fails ${i}`, () => { throw new Error('x'); });\n"}
    test_run, result = run_tests(project_in(node_project(tmp_path, files, scripts={"test": "mocha"})))
    assert result.exit_code == 127
    assert (test_run.verdict, test_run.failed) == ("failed", 127)


def test_a_script_whose_program_is_missing_is_unusable(tmp_path):
    test_run, result = run_tests(project_in(node_project(tmp_path, {}, scripts={"test": "no-such-program --x"})))
    assert result.exit_code == 127
    assert test_run.verdict == "unusable"


def test_a_script_that_says_nothing_passes_without_counts(tmp_path):
    test_run, _ = run_tests(project_in(node_project(tmp_path, {"t.js": ""}, scripts={"test": "node t.js"})))
    assert (test_run.verdict, *counts(test_run)) == ("passed", None, None, None)


def test_a_script_that_fails_without_a_summary_says_what_it_said(tmp_path):
    project = project_in(node_project(tmp_path, {"t.js": "throw new Error('boom')\n"}, scripts={"test": "node t.js"}))
    test_run, _ = run_tests(project)
    assert (test_run.verdict, *counts(test_run)) == ("failed", None, None, None)
    assert "boom" in (test_run.reason or "")


def test_a_package_manager_that_may_not_download_itself_is_no_failed_test(tmp_path):
    step = step_of(project_in(node_project(tmp_path, {}, scripts={"test": "make check"})))
    said = "Internal Error: Network access disabled by the environment; can't reach npm repository x\n"
    found = step.parse(CommandResult(1, stderr=said))
    assert found.verdict == "unusable"


def test_corepack_asks_nothing_and_fetches_nothing(tmp_path):
    corepack = shutil.which("corepack")
    assert corepack is not None
    laid_out(tmp_path / "bin", {"pnpm": f'#!/bin/sh\nexec "{corepack}" pnpm "$@"\n'})
    (tmp_path / "bin" / "pnpm").chmod(0o755)
    path = f"{tmp_path / 'bin'}:{path_of('node', 'sh', folder=tmp_path / 'machine')}:/usr/bin:/bin"
    package = {"scripts": {"test": "make check"}, "packageManager": "pnpm@9.1.0"}
    project = project_in(node_project(tmp_path / "work", {}, **package), path=path)
    step = step_of(project)
    assert step.command.argv == ("pnpm", "run", "test")
    result = run(step.command, project.place, PATH=path, COREPACK_HOME=str(tmp_path / "corepack"))
    assert step.parse(result).verdict == "unusable"


# Compiled output.

COMPILED = {
    "src/index.js": "exports.add = (a, b) => a + b;\n",
    "test/a.js": "const { add } = require('../dist/index.js');\nit('adds', () => require('assert').equal(add(1, 2), 3));\n",
}
BUILD = "mkdir -p dist && cp src/index.js dist/index.js"


def test_tests_of_compiled_output_get_a_build_first(tmp_path):
    scripts = {"test": "mocha", "build": BUILD}
    files = {**COMPILED, ".gitignore": "node_modules\n/dist/\n", "dist/index.js": "exports.add = () => 0;\n"}
    project = project_in(node_project(tmp_path, files, scripts=scripts, main="dist/index.js"))
    assert [command.argv for command in step_of(project).prepare] == [("npm", "run", "build")]
    before = tree(project.folder)
    assert counts(run_tests(project)[0]) == (1, 0, 0)
    after = tree(project.folder)
    assert {name for name in after if after[name] != before.get(name)} == {"dist/index.js"}


@pytest.mark.parametrize(
    "test_file",
    [
        "require('..');",
        "require('../');",
        "import x from 'sample';",
        "import 'sample/sub';",
        "await import('../dist/x.js');",
    ],
)
def test_compiled_output_is_also_reached_by_the_package_itself(test_file, tmp_path):
    files = {".gitignore": "dist\n", "test/a.test.mjs": test_file}
    folder = node_project(
        tmp_path, files, scripts={"test": "mocha", "build": BUILD}, exports={".": {"import": "./dist/i.js"}}
    )
    assert step_of(project_in(folder)).prepare


@pytest.mark.parametrize(
    ("files", "scripts"),
    [
        ({".gitignore": "dist\n", "test/a.js": "require('../src/index.js');"}, {"test": "mocha", "build": BUILD}),
        ({".gitignore": "dist\n", "test/a.js": "require('../dist/x.js');"}, {"test": "mocha"}),
        (
            {".gitignore": "dist\n", "test/a.js": "require('../dist/x.js');"},
            {"test": "npm run build && mocha", "build": BUILD},
        ),
        ({"lib/index.js": "", "test/a.js": "require('../lib');"}, {"test": "mocha", "build": BUILD}),
    ],
)
def test_no_build_runs_that_nothing_asks_for(files, scripts, tmp_path):
    folder = node_project(tmp_path, files, scripts=scripts, main="dist/index.js")
    assert step_of(project_in(folder)).prepare == ()


def test_compiled_output_that_git_tracks_is_not_rebuilt_but_named(tmp_path):
    files = {**COMPILED, "dist/index.js": COMPILED["src/index.js"]}
    scripts = {"test": "mocha", "build": BUILD}
    project = project_in(node_project(tmp_path, files, scripts=scripts, main="dist/index.js"))
    assert step_of(project).prepare == ()
    test_run, _ = run_tests(project)
    assert test_run.verdict == "passed"
    assert test_run.notes == (
        "the tests import dist/, which git tracks, so it was not built anew (set preTestCommand to build it)",
    )
