import json
import os
import subprocess

import pytest

from tests.harness.node_projects import node_project, step_of
from tests.harness.tool_runs import project_in
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.node.testing.switch import PRELUDE, TELLING_PRELUDE

FILES = {
    "shop.js": "module.exports = 'as it is';\n",
    "shop.mjs": "export default 'as it is';\n",
    "other.js": "module.exports = 'as it is';\n",
}
GIVEN = {
    "shop.js": f"{PRELUDE} module.exports = 'given out';\n",
    "shop.mjs": f"{PRELUDE} export default 'given out';\n",
}
ONE = {"shop.js": GIVEN["shop.js"]}


def over(folder, script="mocha", **package):
    """Return a project's folder, and how it is tried."""
    project = project_in(node_project(folder / "project", FILES, scripts={"test": script}, **package))
    return project.folder, step_of(project).built_in(folder / "private")


def gives_out(step, folder):
    return all(path.is_relative_to(folder / "private") for path in step.files(GIVEN))


def ended(passed=1, notes=""):
    """Return what came of mocha."""
    tests = [{"title": "one", "fullTitle": "one", "file": "t.js", "err": {}}]
    report = {"stats": {}, "passes": tests * passed, "failures": tests * (1 - passed), "pending": []}
    return CommandResult(exit_code=1 - passed, files={"mocha.json": json.dumps(report), "over.ndjson": notes})


def printed(folder, code, texts, *, telling=True):
    """Return what a module prints where `texts` are given out, and whether that shows that they were all that ran."""
    home, step = over(folder)
    for path, text in step.files(texts).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (home / "main.mjs").write_text(code)
    notes = folder / "over.ndjson"
    variables = {name: step.survey.env[name] for name in ("NODE_OPTIONS", "VERIFY_LSP_OVER")}
    asked = {"VERIFY_LSP_OVER_TELLING": "1"} if telling else {}
    environment = {"PATH": os.environ["PATH"], **variables, **asked, "VERIFY_LSP_OVER_NOTES": str(notes)}
    argv = ["node", "--no-warnings", "main.mjs"]
    done = subprocess.run(argv, cwd=home, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    told = ended(notes=notes.read_text() if notes.exists() else "")
    return done.stdout.strip(), step.instead(told, texts) is None


@pytest.mark.parametrize("name", GIVEN)
def test_what_is_loaded_is_the_text_that_is_given_out(tmp_path, name):
    code = f"import shop from './{name}';\nconsole.log(shop);\n"
    assert printed(tmp_path, code, {name: GIVEN[name]}) == ("given out", True)


def test_a_file_is_known_by_its_real_path_too(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "project")
    code = "import { createRequire } from 'module';\n"
    code += "console.log(createRequire(import.meta.url)('../link/shop.js'));\n"
    assert printed(tmp_path, code, ONE) == ("given out", True)


def test_a_worker_and_a_process_that_tests_start_load_it_as_well(tmp_path):
    code = """\
import { execFileSync } from 'child_process';
import { Worker } from 'worker_threads';
process.stdout.write(execFileSync(process.execPath, ['-p', "require('./shop.js')"]));
const code = "require('worker_threads').parentPort.postMessage(require('./shop.js'))";
new Worker(code, { eval: true }).on('message', console.log);
"""
    assert printed(tmp_path, code, ONE) == ("given out\ngiven out", True)


def test_other_files_are_what_they_are(tmp_path):
    code = "import shop from './other.js';\nimport './shop.js';\nconsole.log(shop);\n"
    assert printed(tmp_path, code, ONE) == ("as it is", True)


def test_a_file_that_is_not_loaded_leaves_all_open(tmp_path):
    assert printed(tmp_path, "import './shop.js';\n", GIVEN) == ("", False)


IMPORTS = """\
import './shop.js';
import { execFileSync, execSync, fork, spawn, spawnSync } from 'child_process';
import fs, { promises, readFileSync } from 'fs';
import { readFile } from 'fs/promises';
import { register, createRequire } from 'module';
import vm from 'vm';
import { Worker } from 'worker_threads';
const require = createRequire(import.meta.url);
"""


@pytest.mark.parametrize(
    "act",
    [
        "fs.cpSync('.', '../else', { recursive: true })",
        "fs.renameSync('shop.js', 'else.js')",
        "fs.writeFileSync('shop.js', '')",
        "execSync('true')",
        "execFileSync('true')",
        "spawnSync('node', ['-v'], { env: {} })",
        "spawn('true')",
        "fork('other.js', { env: {} })",
        "new Worker('./other.js', { env: {} })",
        "register('data:text/javascript,')",
    ],
)
def test_what_may_read_a_file_unseen_leaves_all_open(tmp_path, act):
    assert printed(tmp_path, f"{IMPORTS}{act};\n", ONE) == ("", False)


@pytest.mark.parametrize(
    "act",
    [
        "readFileSync('shop.js')",
        "await fs.promises.readFile('shop.js')",
        "await promises.readFile('shop.js')",
        "await readFile('shop.js')",
        "await new Promise((done) => fs.readFile('shop.js', done))",
        "fs.closeSync(fs.openSync('shop.js'))",
        "for await (const text of fs.createReadStream(new URL('./shop.js', import.meta.url))) text",
        "fs.copyFileSync('shop.js', 'else.js')",
    ],
)
def test_what_is_read_as_a_text_leaves_nothing_open(tmp_path, act):
    assert printed(tmp_path, f"{IMPORTS}{act};\n", ONE) == ("", True)


@pytest.mark.parametrize(
    "act",
    [
        "eval(String(readFileSync('shop.js')).replace('module.', 'globalThis.'))",
        "new Function('module', readFileSync('shop.js', 'utf8'))({})",
        "vm.runInThisContext(`(module) => {${await readFile('shop.js', 'utf8')}}`)({})",
        "vm.runInNewContext(readFileSync('shop.js', 'utf8'), { module: {} })",
        "fs.writeFileSync('else.cjs', readFileSync('shop.js', 'utf8')); require('./else.cjs')",
        "fs.copyFileSync('shop.js', 'else.cjs'); require('./else.cjs')",
        "new Worker(readFileSync('shop.js', 'utf8'), { eval: true })",
        (
            "require.extensions['.js'] = (m, f) => m._compile(readFileSync(f, 'utf8'), f);"
            " delete require.cache[require.resolve('./shop.js')]; require('./shop.js')"
        ),
    ],
)
def test_a_text_that_is_read_and_run_leaves_all_open(tmp_path, act):
    assert printed(tmp_path, f"{IMPORTS}{act};\n", ONE)[1] is False


def test_a_text_that_is_read_is_what_is_on_disk(tmp_path):
    code = f"{IMPORTS}console.log(readFileSync('shop.js', 'utf8'));\n"
    assert printed(tmp_path, code, ONE, telling=False) == (FILES["shop.js"].strip(), True)


def test_a_text_that_tells_is_code_as_well():
    assert TELLING_PRELUDE != PRELUDE
    assert "\n" not in TELLING_PRELUDE


# What a survey leads to.


def loaded(home, *more):
    return "".join(json.dumps(note) + "\n" for note in ({"loaded": str(home / "shop.js")}, *more))


def test_tests_that_hold_a_text_against_another_are_surveyed_with_texts_as_they_are(tmp_path):
    home, step = over(tmp_path)
    read = loaded(home, {"read": "shop.js"})
    second = step.instead(ended(0, read), ONE)

    assert step.survey.env["VERIFY_LSP_OVER_TELLING"]
    assert "VERIFY_LSP_OVER_TELLING" not in second.survey.env
    assert gives_out(second, tmp_path)
    assert second.instead(ended(1, read), ONE) is None


@pytest.mark.parametrize(
    ("passed", "more"), [(0, ()), (0, ({"read": ""}, {"compiles": ""})), (1, ({"read": ""}, {"ran": ""}))]
)
def test_else_texts_are_written_and_that_is_that(tmp_path, passed, more):
    home, step = over(tmp_path)
    second = step.instead(ended(passed, loaded(home, *more)), ONE)

    assert home / "shop.js" in second.files(ONE)
    assert "VERIFY_LSP_OVER" not in second.survey.env
    assert second.instead(ended(0), ONE) is None


def test_tests_that_pass_without_any_text_that_was_given_out_show_nothing(tmp_path):
    home, step = over(tmp_path)
    verdicts = [step.parse(ended(1, notes)).verdict for notes in ("", loaded(home))]
    assert verdicts == ["unusable", "passed"]


@pytest.mark.parametrize("script", ["mocha", "vitest run", "jest", "node --test", "eslint . && mocha"])
def test_texts_are_given_out_where_a_known_runner_reads_the_sources(tmp_path, script):
    assert gives_out(over(tmp_path, script)[1], tmp_path)


@pytest.mark.parametrize("script", ["tap", "mocha | tee log", "tsc && mocha"])
def test_texts_are_written_where_something_is_built_or_the_runner_is_not_known(tmp_path, script):
    assert not gives_out(over(tmp_path, script)[1], tmp_path)


@pytest.mark.parametrize("line", ["{", "[]", '{"loaded": 1}', "null"])
def test_a_line_that_was_cut_shows_nothing(tmp_path, line):
    _, step = over(tmp_path)
    assert step.instead(ended(notes=line), ["shop.js"]) is not None


def test_json_of_paths_is_read_whatever_they_hold(tmp_path):
    _, step = over(tmp_path)
    texts = {'a "b"\u00e9.js': ""}
    (places,) = (json.loads(text) for path, text in step.files(texts).items() if path.name == "over.json")
    assert all(name.endswith('a "b"\u00e9.js') for name in places)
