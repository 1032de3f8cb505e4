"""What of a test another one, running beside it, could notice."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from verify_lsp.toolchains.node.testing import mutants

SHARES = str(Path(mutants.__file__).with_name("shares.cjs"))
OWN = "fs.mkdtempSync(path.join(os.tmpdir(), 'own-'))"
BEGIN = f"""
import {{ createRequire }} from "node:module";
const told = [];
createRequire(import.meta.url)({json.dumps(SHARES)})((what) => told.push(what));
const {{ default: fs, writeFileSync, promises }} = await import("node:fs");
const [{{ default: net }}, {{ default: path }}, {{ default: os }}] = await Promise.all(["net", "path", "os"].map((name) => import(name)));
const [{{ execFile, execSync }}, {{ Worker }}, {{ default: dgram }}] = await Promise.all(
  ["child_process", "worker_threads", "dgram"].map((name) => import(name)),
);
"""


def told(folder, act):
    """Return whether anything is told of what a module does in its folder."""
    code = BEGIN + act + "\nconsole.log(JSON.stringify(told));\n"
    argv = ["node", "--input-type=module", "-e", code]
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(folder)}
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize(
    "act",
    [
        "fs.writeFileSync('a', '1');",
        "writeFileSync('a', '1');",
        "await promises.writeFile('a', '1');",
        "await new Promise((done) => fs.appendFile('a', '1', done));",
        "fs.closeSync(fs.openSync('a', 'w'));",
        "await (await promises.open('a', 'a')).close();",
        "await new Promise((done) => fs.createWriteStream('a').end('1', done));",
        "fs.mkdirSync(path.join(os.tmpdir(), 'fixed'));",
        "fs.rmSync('a', { force: true });",
        f"const own = {OWN}; fs.writeFileSync(path.join(own, 'a'), '1'); fs.renameSync(path.join(own, 'a'), 'a');",
        f"fs.writeFileSync({OWN} + '-beside', '1');",
        f"fs.writeFileSync(new URL('a', `file://${{{OWN}}}`), '1');",
        "await new Promise((done) => { const one = net.createServer().listen(0, () => one.close(done)); });",
        "net.connect(1).on('error', () => {});",
        "dgram.createSocket('udp4').bind(0, function () { this.close(); });",
        "execSync('true');",
        "await new Promise((done) => execFile('true', done));",
        "await new Promise((done) => new Worker('', { eval: true }).on('exit', done));",
        "await fetch('http://127.0.0.1:65001').catch(() => {});",
    ],
)
def test_what_others_could_notice_is_told(tmp_path, act):
    assert told(tmp_path, act)


@pytest.mark.parametrize(
    "act",
    [
        "fs.readdirSync('.'); fs.existsSync('a'); fs.statSync('.');",
        "fs.closeSync(fs.openSync(process.execPath));",
        "fs.readFileSync(process.execPath); await promises.readFile(process.execPath);",
        "console.log('1'); fs.writeFileSync(1, 'to an open file\\n');",
        f"const own = {OWN}; fs.writeFileSync(path.join(own, 'a'), '1'); fs.rmSync(own, {{ recursive: true }});",
        "const own = await promises.mkdtemp(path.join(os.tmpdir(), 'o')); await promises.mkdir(path.join(own, 'a'));",
        (
            "const own = await new Promise((done) => fs.mkdtemp(path.join(os.tmpdir(), 'o'), (_, made) => done(made)));"
            " fs.writeFileSync(path.join(own, 'a'), '1');"
        ),
    ],
)
def test_what_nobody_notices_is_not_told(tmp_path, act):
    assert told(tmp_path, act) == []
