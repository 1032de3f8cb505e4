import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from tests.harness.tool_runs import laid_out, tree
from verify_lsp.system.process import run_command
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.code.python import OURS
from verify_lsp.verifiers.code.python_tool import verify_with_project_python


def asked(folder, text, *, trusted=True, data=None, name="a.py"):
    data = text.encode() if data is None else data
    (folder / name).write_bytes(data)
    subject = Subject(folder / name, text, data, folder, saved=True, trusted=trusted)
    return anyio.run(verify_with_project_python, subject, run_command)


@functools.cache
def interpreter(version):
    """Return an installed interpreter of another version; pyenv's shims only run when told which."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [
        *map(str, sorted(root.glob(f"versions/{version}.*/bin/python{version}"))),
        shutil.which(f"python{version}"),
    ]
    for program in filter(None, found):
        done = subprocess.run(
            [program, "-c", "import sys; print(sys.executable)"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return done.stdout.strip()
    pytest.skip(f"Python {version} is not installed")


def with_python(folder, version):
    program = interpreter(version)
    laid_out(
        folder, {"pyproject.toml": "", ".venv/pyvenv.cfg": f"home = {Path(program).parent}\nversion = {version}.0\n"}
    )
    (folder / ".venv/bin").mkdir()
    (folder / ".venv/bin/python").symlink_to(program)
    return folder


def with_spy(folder, version):
    """An interpreter of the workspace's that leaves a trace when it is run, and is ours in truth."""
    laid_out(
        folder,
        {
            "pyproject.toml": "",
            ".venv/pyvenv.cfg": f"home = /usr\nversion = {version}.0\n",
            ".venv/bin/python": f'#!/bin/sh\ntouch "{folder}/was-run"\nexec "{sys.executable}" "$@"\n',
        },
    )
    (folder / ".venv/bin/python").chmod(0o755)
    return folder


def test_an_interpreter_of_the_workspace_is_not_run_before_trust(tmp_path):
    folder = with_spy(tmp_path, "3.7")

    seen = asked(folder, "x = 1\n", trusted=False)

    assert not (folder / "was-run").exists()
    assert seen.problems == ()
    assert seen.note == (
        f"held against Python {OURS[0]}.{OURS[1]}; the project's interpreter .venv/bin/python is 3.7, and was not run,"
        " because the workspace is not trusted"
    )


def test_an_interpreter_of_the_workspace_is_run_in_a_trusted_one_and_its_own_word_counts(tmp_path):
    folder = with_spy(tmp_path, "3.7")

    seen = asked(folder, "x = 1\né = '😀' $\n")

    assert (folder / "was-run").exists()
    (problem,) = seen.problems
    assert (problem.line, problem.column, problem.end_column, problem.severity) == (2, 9, 10, "high")
    assert seen.note is None


def test_an_interpreter_of_our_own_version_is_not_run_at_all(tmp_path):
    folder = with_spy(tmp_path, f"{OURS[0]}.{OURS[1]}")

    assert asked(folder, "x = (\n").problems[0].message == "'(' was never closed"
    assert not (folder / "was-run").exists()


def test_an_interpreter_that_does_not_answer_leaves_our_own_verdict_and_a_note(tmp_path):
    folder = with_spy(tmp_path, "3.7")
    (folder / ".venv/bin/python").write_text("#!/bin/sh\nexit 3\n")

    seen = asked(folder, "x = (\n")

    assert seen.problems[0].line == 1
    assert seen.note.endswith("is 3.7, which did not answer")


@pytest.mark.parametrize(
    ("version", "text", "needs"),
    [
        ("3.8", "x = 1\nmatch x:\n    case 1: pass\n", "a `match` statement needs Python 3.10"),
        ("3.9", "try: pass\nexcept* E: pass\n", "`except*` needs Python 3.11"),
        ("3.8", "x = 1\nwith (open(a) as f, open(b) as g): pass\n", "invalid syntax"),
    ],
)
def test_newer_syntax_than_an_older_interpreter_is_named_and_no_error(tmp_path, version, text, needs):
    (problem,) = asked(with_python(tmp_path, version), text).problems

    assert (problem.rule, problem.severity, problem.line) == ("python.newer-syntax", "medium", 2)
    assert problem.message.startswith(f"newer syntax than the interpreter {version}: {needs}")


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13"])
@pytest.mark.parametrize(
    ("data", "at"),
    [
        ("x = 1\né = '😀' $\n".encode(), (2, 9, 10)),
        ("\ufeffé = '😀' $\r\n".encode(), (1, 10, 11)),
        ("# coding: latin-1\r\né = 'ü' $\r\n".encode("latin-1"), (2, 9, 10)),
        (b"if x:\n\ty\n        z\n", (3, 1, 9)),
        ("# a\rb\nif x:\n\té = $\n".encode(), (3, 6, 7)),
    ],
)
def test_each_version_places_an_error_alike(tmp_path, version, data, at):
    line, column, end_column = at
    folder = with_python(tmp_path, version)
    text = data.decode("latin-1" if b"latin" in data else "utf-8")

    (problem,) = asked(folder, text, data=data).problems

    assert (problem.line, problem.column) == (line, column)
    assert problem.end_column in {end_column, None}
    assert problem.severity == "high"


@pytest.mark.parametrize("text", ["type X = int\n", "class A[T]:\n    pass\n", 'x = f"{y["a"]}"\n'])
def test_syntax_that_only_the_projects_newer_interpreter_knows_is_no_problem(tmp_path, text):
    seen = asked(with_python(tmp_path, "3.13"), text)

    assert (seen.problems, seen.skipped) == ((), None)


def test_nothing_is_written_beside_the_file(tmp_path):
    folder = with_python(tmp_path, "3.13")
    before = {*tree(folder), "a.py"}

    asked(folder, "x = 1\n")

    assert {*tree(folder)} == before


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("print 'a'\n", "it is written for Python 2"),
        ("{% if x %}\nx = 1\n{% endif %}\n", "it is a template"),
        ("-" * 100_000 + "1", "it is nested too deeply for the compiler of this Python"),
    ],
)
def test_what_is_no_python_of_today_is_skipped_whatever_the_interpreter(tmp_path, text, reason):
    for version in ("3.9", "3.13"):
        folder = tmp_path / version
        folder.mkdir()
        assert asked(with_python(folder, version), text).skipped in {
            reason,
            f"Python {version} of the project could not compile it",
        }
