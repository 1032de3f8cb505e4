"""The security check with the real semgrep on the PATH."""

import os
from pathlib import Path

import pytest

from tests.harness.command_line import verify_lsp
from tests.harness.repository import run_git

SEMGREP = Path(__file__).parents[1] / "tools" / "semgrep"
APP = """from flask import Flask, request
import helpers
app = Flask(__name__)


@app.get("/")
def view():
    words = request.args.get("words")
    line = helpers.joined(words)
    return eval(line)
"""


@pytest.fixture
def folder(tmp_path):
    run_git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "old.py").write_text(APP)
    run_git(tmp_path, "add", "-A")
    run_git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def security(folder, *more, semgrep=True):
    path = os.pathsep.join([str(SEMGREP), os.environ["PATH"]]) if semgrep else os.environ["PATH"]
    done = verify_lsp("run", "--checks", "security", "--format", "json", *more, cwd=folder, env={"PATH": path})
    return done.check("security"), done.report()


def test_semgrep_is_named_with_its_version_and_adds_no_double(folder):
    (folder / "app.py").write_text(APP)
    check, report = security(folder)
    (tool,) = [tool for tool in report.tools if tool.name == "semgrep"]
    assert tool.version
    places = [(finding.line, weakness) for finding in check.findings for weakness in finding.cwe or ()]
    assert len(places) == len(set(places))
    assert "the security rules and semgrep" in check.summary


def test_lines_that_were_there_before_are_not_spoken_of(folder):
    (folder / "old.py").write_text(APP + "\n\nx = 1\n")
    check, _ = security(folder)
    assert check.findings == ()


def test_a_comment_suppresses_what_semgrep_finds(folder):
    for rule in ("py-eval", "*"):
        marked = APP.replace(
            "    return eval", f"    # verify: ignore[{rule}] read by the tests alone\n    return eval"
        )
        (folder / "app.py").write_text(marked)
        check, _ = security(folder)
        assert check.findings == ()


def test_without_semgrep_the_check_runs_all_the_same(folder):
    (folder / "app.py").write_text(APP)
    check, report = security(folder, semgrep=False)
    assert check.status in {"fail", "warn", "pass"}
    assert all(tool.name != "semgrep" for tool in report.tools)
