import json
import os
import subprocess

import pytest

from tests.harness.node_projects import node_project, step_of
from tests.harness.tool_runs import project_in
from verify_lsp.model.command import CommandResult

FILES = {
    "shop.js": "module.exports = 'as it is';\n",
    "shop.mjs": "export default 'as it is';\n",
    "other.js": "module.exports = 'as it is';\n",
}


def over(folder, script="mocha", **package):
    """Return a project's folder, and how it is tried without a copy."""
    project = project_in(node_project(folder / "project", FILES, scripts={"test": script, **package}))
    return project.folder, step_of(project).laid_over(folder / "private")


def printed(folder, code, *more, **texts):
    """Return what a module prints where `texts` are laid over the project's files, and what its process noted."""
    home, step = over(folder)
    reach = folder / "reach"
    reach.mkdir()
    for path, text in step.files(texts).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (home / "main.mjs").write_text(code)
    variables = {name: step.survey.env[name] for name in ("NODE_OPTIONS", "VERIFY_LSP_OVER")}
    environment = {"PATH": os.environ["PATH"], **variables, "VERIFY_LSP_REACH": str(reach)}
    argv = ["node", *more, "main.mjs"]
    done = subprocess.run(argv, cwd=home, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    log = reach / "reached.ndjson"
    result = CommandResult(exit_code=0, files={"reach/reached.ndjson": log.read_text() if log.exists() else ""})
    return done.stdout.strip(), step.unsure(result, texts)


LAID = {"shop.js": "module.exports = 'laid over';\n", "shop.mjs": "export default 'laid over';\n"}


@pytest.mark.parametrize("name", LAID)
def test_what_is_loaded_is_the_text_that_was_laid_over(tmp_path, name):
    code = f"import shop from './{name}';\nconsole.log(shop);\n"
    assert printed(tmp_path, code, **{name: LAID[name]}) == ("laid over", False)


def test_a_file_is_known_by_its_real_path_too(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "project")
    code = "import { createRequire } from 'module';\n"
    code += "console.log(createRequire(import.meta.url)('../link/shop.js'));\n"
    assert printed(tmp_path, code, **{"shop.js": LAID["shop.js"]}) == ("laid over", False)


def test_a_worker_and_a_process_that_tests_start_load_it_as_well(tmp_path):
    code = """\
import { execFileSync } from 'child_process';
import { Worker } from 'worker_threads';
process.stdout.write(execFileSync(process.execPath, ['-p', "require('./shop.js')"]));
new Worker("require('worker_threads').parentPort.postMessage(require('./shop.js'))", { eval: true }).on('message', console.log);
"""
    assert printed(tmp_path, code, **{"shop.js": LAID["shop.js"]}) == ("laid over\nlaid over", False)


def test_other_files_are_what_they_are(tmp_path):
    code = "import shop from './other.js';\nimport './shop.js';\nconsole.log(shop);\n"
    assert printed(tmp_path, code, **{"shop.js": LAID["shop.js"]}) == ("as it is", False)


def test_a_file_that_is_not_loaded_leaves_all_unsure(tmp_path):
    assert printed(tmp_path, "import './shop.js';\n", **LAID) == ("", True)


@pytest.mark.parametrize(
    "act",
    [
        "fs.readFileSync('shop.js')",
        "await fs.promises.readFile('shop.js')",
        "await promises.readFile('shop.js')",
        "await readFile('shop.js')",
        "await new Promise((done) => fs.readFile('shop.js', done))",
        "fs.closeSync(fs.openSync('shop.js'))",
        "fs.createReadStream(new URL('./shop.js', import.meta.url)).destroy()",
        "fs.copyFileSync('shop.js', 'else.js')",
        "fs.cpSync('.', '../else', { recursive: true })",
        "execSync('true')",
        "execFileSync('true')",
        "spawnSync('node', ['-v'], { env: {} })",
        "spawn('true')",
        "fork('other.js', { env: {} })",
        "new Worker('./other.js', { env: {} })",
        "register('data:text/javascript,')",
    ],
)
def test_what_may_read_a_file_in_another_way_leaves_all_unsure(tmp_path, act):
    code = "import './shop.js';\nimport fs, { promises } from 'fs';\nimport { register } from 'module';\nimport { readFile } from 'fs/promises';\n"
    code += "import { execFileSync, execSync, fork, spawn, spawnSync } from 'child_process';\n"
    code += f"import {{ Worker }} from 'worker_threads';\n{act};\n"
    assert printed(tmp_path, code, **{"shop.js": LAID["shop.js"]}) == ("", True)


def test_a_text_that_is_read_is_what_is_on_disk(tmp_path):
    code = "import './shop.js';\nimport { readFileSync } from 'fs';\nconsole.log(readFileSync('shop.js', 'utf8'));\n"
    assert printed(tmp_path, code, **{"shop.js": LAID["shop.js"]}) == (FILES["shop.js"].strip(), True)


@pytest.mark.parametrize("script", ["mocha", "vitest run", "jest", "node --test", "eslint . && mocha"])
def test_no_copy_is_needed_where_a_known_runner_reads_the_sources(tmp_path, script):
    assert over(tmp_path, script)[1] is not None


@pytest.mark.parametrize("script", ["tap", "mocha | tee log", "tsc && mocha"])
def test_a_copy_is_laid_out_where_something_is_built_or_the_runner_is_not_known(tmp_path, script):
    assert over(tmp_path, script)[1] is None


def test_nothing_is_written_outside_of_the_private_folder(tmp_path):
    _, step = over(tmp_path)
    assert all(path.is_relative_to(tmp_path / "private") for path in step.files(LAID))
    assert step.build == ()


@pytest.mark.parametrize("line", ["{", "[]", '{"loaded": 1}', "null"])
def test_a_line_of_the_survey_that_was_cut_shows_nothing(tmp_path, line):
    _, step = over(tmp_path)
    assert step.unsure(CommandResult(exit_code=0, files={"reach/reached.ndjson": line}), ["shop.js"])


def test_json_of_paths_is_read_whatever_they_hold(tmp_path):
    _, step = over(tmp_path)
    texts = {'a "b"\u00e9.js': ""}
    (places,) = (json.loads(text) for path, text in step.files(texts).items() if path.name == "over.json")
    assert all(name.endswith('a "b"\u00e9.js') for name in places)
