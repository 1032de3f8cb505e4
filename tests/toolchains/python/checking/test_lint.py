import json

import pytest

from tests.harness.python_projects import bare_project, small_environment, tooled_project
from tests.harness.tool_runs import laid_out, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.python.checking.flake8 import read_flake8
from verify_lsp.toolchains.python.checking.lint import lint
from verify_lsp.toolchains.python.checking.pylint import read_pylint
from verify_lsp.toolchains.python.checking.ruff import lint_severity, read_ruff

SOURCE = 'import os\ns = "😀é"; t = undefined_one\n'


def step_of(project: Project) -> ProblemStep:
    step = there(lint(project, 60.0))
    assert isinstance(step, ProblemStep)
    return step


def problems_of(project: Project) -> tuple[Problem, ...]:
    step = step_of(project)
    problems = step.parse(run(step.command, project.place))
    assert not isinstance(problems, Unreadable), problems
    return problems


def test_ruff_lints_the_changed_files_alone(tmp_path):
    files = {"ruff.toml": 'lint.select = ["E", "F"]\n', "pkg/ünï.py": SOURCE, "pkg/other.py": SOURCE}
    project = tooled_project(tmp_path, files, "pkg/ünï.py", "notes.txt")
    step = step_of(project)
    assert (step.tool, step.whole_project) == ("ruff", False)
    found = {
        (problem.path, problem.line, problem.column, problem.rule, problem.severity) for problem in problems_of(project)
    }
    line = SOURCE.split("\n")[1]
    assert found == {
        ("pkg/ünï.py", 1, 8, "F401", "low"),
        ("pkg/ünï.py", 2, line.index(";") + 1, "E702", "low"),
        ("pkg/ünï.py", 2, line.index("undefined_one") + 1, "F821", "medium"),
    }


def test_each_rule_has_its_page(tmp_path):
    project = tooled_project(tmp_path, {"ruff.toml": "", "a.py": SOURCE}, "a.py")
    assert all(
        (problem.url or "").endswith(("/unused-import", "/undefined-name"))
        for problem in problems_of(project)
        if problem.rule[0] == "F"
    )


def test_what_the_settings_leave_out_is_not_linted(tmp_path):
    files = {"ruff.toml": 'exclude = ["gen"]\n', "gen/a.py": SOURCE, "b.py": SOURCE}
    project = tooled_project(tmp_path, files, "gen/a.py", "b.py")
    assert {problem.path for problem in problems_of(project)} == {"b.py"}


def test_files_that_are_all_left_out_were_not_looked_at(tmp_path):
    project = tooled_project(tmp_path, {"ruff.toml": 'exclude = ["gen"]\n', "gen/a.py": SOURCE}, "gen/a.py")
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert not parsed.broke


def test_a_file_whose_name_looks_like_an_option_is_a_file(tmp_path):
    project = tooled_project(tmp_path, {"ruff.toml": "", "--fix.py": SOURCE}, "--fix.py")
    assert {problem.path for problem in problems_of(project)} == {"--fix.py"}


def test_nothing_is_written(tmp_path):
    project = tooled_project(tmp_path, {"ruff.toml": "fix = true\nfix-only = true\n", "a.py": SOURCE}, "a.py")
    before = {name: text for name, text in tree(project.place).items() if not name.startswith(".venv")}
    assert {problem.rule for problem in problems_of(project)} >= {"F401"}
    assert {name: text for name, text in tree(project.place).items() if not name.startswith(".venv")} == before


def test_settings_that_cannot_be_read_are_no_clean_answer(tmp_path):
    project = tooled_project(tmp_path, {"ruff.toml": "nonsense = 1\n", "a.py": SOURCE}, "a.py")
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert "TOML parse error" in parsed.reason


def test_a_finding_in_a_notebook_names_its_cell(tmp_path):
    finding = {"cell": 2, "code": "F821", "filename": "a.ipynb", "location": {"row": 3, "column": 1}, "message": "no"}
    parsed = read_ruff(CommandResult(exit_code=1, stdout=json.dumps([finding])), tmp_path, lint_severity)
    assert parsed == (Problem("a.ipynb", 0, "medium", "F821", "cell 2, line 3: no"),)


def test_without_changed_files_there_is_nothing_to_lint(tmp_path):
    absent = lint(tooled_project(tmp_path, {"a.py": SOURCE}, "notes.txt"), 60.0)
    assert absent == Absent("no Python file was changed", needless=True)


def test_without_a_linter_there_is_nothing_to_lint_with(tmp_path):
    absent = lint(bare_project(tmp_path, {"a.py": SOURCE}, "a.py", path=""), 60.0)
    assert absent == Absent("no linter is configured", needless=True)


def test_a_configured_linter_that_is_missing_leaves_the_code_unlinted(tmp_path):
    files = {"a.py": SOURCE, ".flake8": "[flake8]\n", ".pylintrc": ""}
    project = bare_project(tmp_path, files, "a.py")
    small_environment(project.workspace, ())
    assert lint(project, 60.0) == Absent("flake8 and pylint are configured, but not installed", needless=False)


@pytest.mark.parametrize(
    ("files", "tool"),
    [
        ({".flake8": "[flake8]\n"}, "flake8"),
        ({"tox.ini": "[flake8]\n"}, "flake8"),
        ({"setup.cfg": "[flake8]\n"}, "flake8"),
        ({".pylintrc": ""}, "pylint"),
        ({"pyproject.toml": "[tool.pylint.main]\n"}, "pylint"),
    ],
)
def test_the_projects_own_linter_is_chosen(tmp_path, files, tool):
    project = bare_project(tmp_path, {"-a.py": SOURCE, **files}, "-a.py")
    site = small_environment(project.workspace, ())
    laid_out(site, {"flake8-7.5.0.dist-info/METADATA": "", "pylint-4.1.4.dist-info/METADATA": ""})
    step = step_of(project)
    assert step.tool == tool
    assert step.command.argv[:3] == (f"{project.workspace}/.venv/bin/python", "-m", tool)


def test_flake8s_bytes_and_pycodestyles_characters_both_become_columns(tmp_path):
    laid_out(tmp_path, {"a.py": SOURCE})
    lines = "a.py:1:1:F401:'os' imported but unused\na.py:2:9:E702:multiple statements\na.py:2:19:F821:undefined name\n"
    parsed = read_flake8(CommandResult(exit_code=1, files={"flake8.txt": lines}), tmp_path)
    assert not isinstance(parsed, Unreadable)
    assert [(problem.line, problem.column, problem.rule, problem.severity) for problem in parsed] == [
        (1, 1, "F401", "low"),
        (2, 9, "E702", "low"),
        (2, SOURCE.split("\n")[1].index("undefined") + 1, "F821", "medium"),
    ]


@pytest.mark.parametrize(
    ("exit_code", "stderr"), [(1, "No module named flake8"), (2, "error: unrecognized arguments"), (None, "")]
)
def test_flake8_that_did_not_look_is_no_clean_answer(tmp_path, exit_code, stderr):
    assert isinstance(read_flake8(CommandResult(exit_code=exit_code, stderr=stderr), tmp_path), Unreadable)


def test_pylints_messages_are_read(tmp_path):
    laid_out(tmp_path, {"a.py": SOURCE})
    line = SOURCE.split("\n")[1]
    messages = [
        {
            "type": "error",
            "path": "a.py",
            "line": 2,
            "column": len(line[:14].encode()),
            "symbol": "undefined-variable",
            "message": "no",
        },
        {
            "type": "convention",
            "path": "a.py",
            "line": 1,
            "column": 0,
            "symbol": "missing-module-docstring",
            "message": "doc",
        },
    ]
    parsed = read_pylint(CommandResult(exit_code=18, stdout=json.dumps(messages)), tmp_path)
    assert parsed == (
        Problem("a.py", 2, "medium", "undefined-variable", "no", 15),
        Problem("a.py", 1, "low", "missing-module-docstring", "doc", 1),
    )


@pytest.mark.parametrize(("exit_code", "stdout"), [(32, "[]"), (1, ""), (None, "[]"), (-9, "[]")])
def test_pylint_that_did_not_look_is_no_clean_answer(tmp_path, exit_code, stdout):
    assert isinstance(read_pylint(CommandResult(exit_code=exit_code, stdout=stdout), tmp_path), Unreadable)


@pytest.mark.parametrize(
    ("rule", "severity"),
    [
        ("F821", "medium"),
        ("B006", "medium"),
        ("E999", "medium"),
        ("invalid-syntax", "medium"),
        ("E501", "low"),
        ("F401", "low"),
        ("I001", "low"),
        ("BLE001", "low"),
        ("SIM102", "low"),
        ("PLE0101", "medium"),
        ("FBT003", "low"),
    ],
)
def test_likely_bugs_stand_above_style(rule, severity):
    assert lint_severity(rule, "") == severity
