"""Real runs of the checkers, over one file with something odd before every column."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.harness.python_projects import bare_project, small_environment, tooled_project
from tests.harness.tool_runs import laid_out, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.python.checking.compiling import compile_step
from verify_lsp.toolchains.python.checking.mypy import read_mypy
from verify_lsp.toolchains.python.checking.project_check import project_check
from verify_lsp.toolchains.python.checking.pyright import read_pyright
from verify_lsp.toolchains.python.checking.ruff import error_severity
from verify_lsp.toolchains.python.checking.ty import read_ty
from verify_lsp.toolchains.python.project.interpreter import find_interpreter

SOURCE = 's = "😀é"; t = undefined_one\n\ndef f() -> int:\n\treturn "text"\n'
SETTINGS = {
    "basedpyright": {"pyproject.toml": "[tool.basedpyright]\n"},
    "pyright": {"pyrightconfig.json": "{}\n"},
    "mypy": {"pyproject.toml": "[tool.mypy]\n"},
    "mypy.ini": {"mypy.ini": "[mypy]\n"},
    "mypy in setup.cfg": {"setup.cfg": "[mypy]\n"},
    "ty": {"pyproject.toml": "[tool.ty]\n"},
    "ty.toml": {"ty.toml": ""},
}
TOOLS = {"basedpyright": "basedpyright", "pyright": "basedpyright", "ty": "ty", "ty.toml": "ty"}


def step_of(project: Project) -> ProblemStep:
    step = there(project_check(project, 120.0))
    assert isinstance(step, ProblemStep)
    return step


def problems_of(project: Project) -> tuple[Problem, ...]:
    step = step_of(project)
    problems = step.parse(run(step.command, project.place))
    assert not isinstance(problems, Unreadable), problems
    return problems


@pytest.mark.parametrize("settings", sorted(SETTINGS))
def test_the_configured_checker_looks_and_its_columns_are_code_points(tmp_path, settings):
    project = tooled_project(tmp_path, {**SETTINGS[settings], "pkg/__init__.py": "", "pkg/a.py": SOURCE}, "pkg/a.py")
    step = step_of(project)
    assert (step.tool, step.proves, step.unverified) == (TOOLS.get(settings, "mypy"), "types", ())
    before = {name for name in tree(project.place) if not name.startswith(".venv")}
    found = {
        (problem.path, problem.line, problem.column) for problem in problems_of(project) if problem.severity == "high"
    }
    line = SOURCE.split("\n", maxsplit=1)[0]
    assert found == {("pkg/a.py", 1, line.index("undefined_one") + 1), ("pkg/a.py", 4, 9)}
    assert {name for name in tree(project.place) if not name.startswith(".venv")} == before


@pytest.mark.parametrize("settings", ["basedpyright", "mypy", "ty"])
def test_a_clean_project_has_no_problems(tmp_path, settings):
    project = tooled_project(tmp_path, {**SETTINGS[settings], "a.py": "x: int = 1\n"}, "a.py")
    assert problems_of(project) == ()


@pytest.mark.parametrize("settings", ["basedpyright", "mypy", "ty"])
def test_a_project_in_a_folder_of_the_workspace_has_paths_of_its_own(tmp_path, settings):
    files = {f"api/{name}": text for name, text in SETTINGS[settings].items()}
    project = tooled_project(tmp_path, {**files, "api/src/a.py": "x: int = 'a'\n"}, "src/a.py", root="api")
    assert {problem.path for problem in problems_of(project)} == {"src/a.py"}


@pytest.mark.parametrize("settings", ["basedpyright", "mypy", "ty"])
def test_with_no_files_nothing_was_checked(tmp_path, settings):
    project = tooled_project(tmp_path, SETTINGS[settings])
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert not parsed.broke


@pytest.mark.parametrize(
    "files",
    [
        {"pyproject.toml": "[tool.mypy]\npython_version = 'never'\nfiles = 'nowhere'\n"},
        {"pyproject.toml": "[tool.mypy]\nfiles = ['a', 'b']\n", "a/same.py": "", "b/same.py": ""},
        {"pyproject.toml": "[tool.ty]\nnonsense = 1\n"},
    ],
)
def test_a_checker_that_could_not_look_found_nothing_out(tmp_path, files):
    project = tooled_project(tmp_path, {**files, "a.py": "x = 1\n"})
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert parsed.broke
    assert parsed.reason


def test_a_syntax_error_is_a_problem_of_mypys(tmp_path):
    project = tooled_project(tmp_path, {"mypy.ini": "[mypy]\n", "a.py": "def f(:\n    pass\n"}, "a.py")
    problems = problems_of(project)
    assert {(problem.path, problem.line, problem.rule) for problem in problems} == {("a.py", 1, "syntax")}


def test_mypy_reads_what_its_settings_name(tmp_path):
    files = {"mypy.ini": "[mypy]\nfiles = src\n", "src/a.py": "x: int = 'a'\n", "other.py": "x: int = 'a'\n"}
    assert {problem.path for problem in problems_of(tooled_project(tmp_path, files))} == {"src/a.py"}


def test_basedpyrights_baseline_stays_the_users(tmp_path):
    entry = '{"code": "reportAssignmentType", "range": {"startColumn": 9, "endColumn": 12, "lineCount": 1}}'
    baseline = f'{{"files": {{"./a.py": [{entry}, {entry}]}}}}'
    files = {"pyproject.toml": "[tool.basedpyright]\n", ".basedpyright/baseline.json": baseline, "a.py": "x: int = 1\n"}
    project = tooled_project(tmp_path, files)
    assert problems_of(project) == ()
    assert (project.place / ".basedpyright/baseline.json").read_text() == baseline


def only_with(tmp_path: Path, *programs: str) -> str:
    """Return a path with a Python and just these programs."""
    folder = tmp_path / "programs"
    folder.mkdir()
    for program in programs:
        (folder / program).symlink_to(shutil.which(program, path=f"{sys.prefix}/bin") or "")
    (folder / "python3").symlink_to(f"{sys.base_prefix}/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    return str(folder)


@pytest.mark.parametrize("settings", ["", "[tool.mypy]\n"])
def test_without_a_checker_ruff_looks_for_errors(tmp_path, settings):
    source = SOURCE + 'print(_("x"))\nif t is 1: pass\nreturn 1\n'
    files = {"pyproject.toml": settings, "a.py": source, "b.py": "def f(:\n"}
    project = bare_project(tmp_path, files, path=only_with(tmp_path, "ruff"))
    step = step_of(project)
    assert (step.tool, step.proves) == ("ruff (E9,F63,F7,F82)", "compile")
    assert step.unverified == (("types, because mypy is configured, but not installed",) if settings else ())
    line = source.split("\n")[0]
    found = {
        (problem.path, problem.line, problem.column, problem.rule, problem.severity) for problem in problems_of(project)
    }
    assert {
        ("a.py", 1, line.index("undefined_one") + 1, "F821", "high"),
        ("a.py", 5, 7, "F821", "medium"),
        ("a.py", 6, 4, "F632", "medium"),
        ("a.py", 7, 1, "F706", "high"),
        ("b.py", 1, 7, "invalid-syntax", "high"),
    } <= found


def test_ruff_does_not_fix_what_it_checks(tmp_path):
    files = {"ruff.toml": "fix = true\nunsafe-fixes = true\nshow-fixes = true\n", "a.py": "x = 1\nif x is 1: pass\n"}
    project = bare_project(tmp_path, files, path=only_with(tmp_path, "ruff"))
    before = tree(project.place)
    assert [problem.rule for problem in problems_of(project)] == ["F632"]
    assert tree(project.place) == before


def test_where_the_settings_leave_everything_out_nothing_was_checked(tmp_path):
    project = bare_project(
        tmp_path, {"ruff.toml": 'exclude = ["*"]\n', "a.py": "def f(:\n"}, path=only_with(tmp_path, "ruff")
    )
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert not parsed.broke


def test_with_python_alone_every_file_is_compiled(tmp_path):
    files = {
        "a.py": 's = "😀"; def f(:\n',
        "fine.py": "match 1:\n    case _: pass\n",
        "latin.py": "# -*- coding: ascii -*-\nx = 1\n",
        "feed.py": "\f\nx = 1\n",
        "warns.py": "x is 1\n'\\d'\n",
        "tabs.py": "if 1:\n\tx\n        y\n",
        "null.py": "a\0b",
        "stub.pyi": "def f() -> int: ...\n",
        ".hidden/b.py": "def f(:\n",
    }
    project = bare_project(tmp_path, files, "stub.pyi", path=only_with(tmp_path))
    step = step_of(project)
    assert (step.tool, step.proves) == ("Python compile()", "compile")
    before = tree(project.place)
    problems = problems_of(project)
    assert {(problem.path, problem.line) for problem in problems} == {("a.py", 1), ("tabs.py", 3), ("null.py", 0)}
    assert next(problem.column for problem in problems if problem.path == "a.py") == files["a.py"].index("def") + 1
    assert all(f"(Python {sys.version_info.major}.{sys.version_info.minor}." in problem.message for problem in problems)
    assert tree(project.place) == before


def test_compiling_no_files_checks_nothing(tmp_path):
    project = bare_project(tmp_path, {"pyproject.toml": ""}, path=only_with(tmp_path))
    step = step_of(project)
    parsed = step.parse(run(step.command, project.place))
    assert isinstance(parsed, Unreadable)
    assert not parsed.broke


def test_compiling_runs_nothing_of_the_project(tmp_path):
    evil = "raise SystemExit('the project was run')\n"
    files = {"json.py": evil, "sitecustomize.py": evil, "os.py": evil, "a.py": "x = 1\n"}
    assert problems_of(bare_project(tmp_path, files, path=only_with(tmp_path))) == ()


def test_without_python_and_ruff_types_stay_unverified(tmp_path):
    project = bare_project(tmp_path, {"mypy.ini": "[mypy]\n", "a.py": ""}, path=str(tmp_path))
    assert project_check(project, 60.0) == Absent("neither mypy nor Python is installed", needless=False)


def test_the_environments_own_mypy_of_an_older_version_answers_in_text(tmp_path):
    project = bare_project(tmp_path, {"mypy.ini": "[mypy]\n", "a.py": ""})
    site = small_environment(project.workspace, ())
    laid_out(site, {"mypy-1.8.0.dist-info/METADATA": ""})
    assert "--output" not in step_of(project).command.argv


TEXT = """\
a.py:1:24:1:29: error: Incompatible types in assignment  [assignment]
a.py:3:5: error: Name "x" is not defined  [name-defined]
a.py:3:5: note: Did you mean "y"?
b.py:7: error: Missing return statement
"""


def test_text_lines_of_mypy_are_read(tmp_path):
    laid_out(tmp_path, {"a.py": "1\n2\n    x\n"})
    problems = read_mypy(CommandResult(exit_code=1, stdout=TEXT), tmp_path)
    assert not isinstance(problems, Unreadable)
    assert [(problem.path, problem.line, problem.column, problem.rule) for problem in problems] == [
        ("a.py", 1, 24, "assignment"),
        ("a.py", 3, 5, "name-defined"),
        ("b.py", 7, None, "mypy"),
    ]


@pytest.mark.parametrize(
    "result",
    [
        CommandResult(exit_code=1, stdout=""),
        CommandResult(exit_code=1, stderr="No module named mypy"),
        CommandResult(exit_code=0, stdout=TEXT),
        CommandResult(exit_code=2, stderr="mypy: error: bad option"),
        CommandResult(exit_code=None),
        CommandResult(exit_code=-9, stdout=TEXT),
        CommandResult(exit_code=1, stdout=TEXT, truncated=True),
    ],
)
def test_an_answer_of_mypys_that_contradicts_its_exit_code_is_none(tmp_path, result):
    assert isinstance(read_mypy(result, tmp_path), Unreadable)


@pytest.mark.parametrize("stdout", ["", "{", "[]", '{"generalDiagnostics": 3}', "No configuration file found.\n"])
def test_an_answer_of_pyrights_that_is_no_report_is_none(tmp_path, stdout):
    assert isinstance(read_pyright(CommandResult(exit_code=0, stdout=stdout), tmp_path, "pyright"), Unreadable)


@pytest.mark.parametrize(
    "result",
    [
        CommandResult(exit_code=0, stdout=""),
        CommandResult(exit_code=2, stdout="[]"),
        CommandResult(exit_code=101, stdout="["),
    ],
)
def test_an_answer_of_tys_that_is_no_report_is_none(tmp_path, result):
    assert isinstance(read_ty(result, tmp_path), Unreadable)


def test_a_name_that_programs_are_given_is_no_error():
    assert error_severity("F821", "Undefined name `_`") == "medium"
    assert error_severity("F821", "Undefined name `undefined`") == "high"
    assert error_severity("E999", "SyntaxError") == "high"


def test_the_interpreter_that_compiles_is_the_projects(tmp_path):
    project = tooled_project(tmp_path, {"a.py": ""})
    interpreter = find_interpreter(project)
    assert interpreter is not None
    program = compile_step(project, interpreter, 60.0).command.argv[0]
    assert program == f"{project.workspace}/.venv/bin/python"
