import json
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in, there
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Unreadable
from verify_lsp.toolchains.go.linters import read_golangci, read_staticcheck
from verify_lsp.toolchains.go.tools import TOOLS

FILES = {
    "go.mod": "module example.test/m\n\ngo 1.21\n",
    "a.go": "package m\n\nvar é = 1\n",
    "p/p.go": "package p\n",
    "p/p_windows.go": "package p\n",
    "w/w_windows.go": "package w\n",
    "testdata/t.go": "package t\n",
}


def installed(folder: Path, *names: str) -> str:
    """Return a PATH with programs of these names, which nobody runs."""
    for name in names:
        laid_out(folder, {f"bin/{name}": "#!/bin/sh\n"})
        (folder / "bin" / name).chmod(0o755)
    return str(folder / "bin")


def test_without_a_configuration_there_is_no_lint(tmp_path: Path) -> None:
    laid_out(tmp_path, FILES)
    path = installed(tmp_path, "golangci-lint", "staticcheck")
    assert TOOLS.lint(project_in(tmp_path, "a.go", path=path), 60) == Absent(
        "no Go linter is configured", needless=True
    )


def test_a_configured_linter_that_is_not_installed_leaves_its_files_unverified(tmp_path: Path) -> None:
    laid_out(tmp_path, {**FILES, ".golangci.yml": "version: '2'\n"})
    absent = TOOLS.lint(project_in(tmp_path, "a.go", path=str(tmp_path)), 60)
    assert absent == Absent("golangci-lint is configured, but not installed", needless=False)


@pytest.mark.parametrize(
    ("name", "text", "flag"),
    [
        (".golangci.yml", 'version: "2"\n', "--output.json.path=stdout"),
        (".golangci.toml", "version = '2'\n", "--output.json.path=stdout"),
        (".golangci.json", '{\n  "version": "2"\n}\n', "--output.json.path=stdout"),
        (".golangci.yaml", "linters:\n  enable: [errcheck]\n", "--out-format=json"),
    ],
)
def test_golangci_lint_looks_at_changed_packages_only(tmp_path: Path, name: str, text: str, flag: str) -> None:
    laid_out(tmp_path, {**{f"sub/{path}": file for path, file in FILES.items()}, name: text})
    path = installed(tmp_path, "golangci-lint")
    changed = ("a.go", "p/p.go", "p/p_windows.go", "w/w_windows.go", "testdata/t.go")
    step = there(TOOLS.lint(project_in(tmp_path, *changed, root="sub", path=path), 60))
    assert isinstance(step, ProblemStep)
    assert step.command.argv == (
        "golangci-lint",
        "run",
        flag,
        "--issues-exit-code=0",
        "--allow-parallel-runners",
        ".",
        "./p",
    )
    assert step.command.cwd == "sub"
    assert not step.whole_project
    assert step.unseen(CommandResult(0)) == ("p/p_windows.go", "w/w_windows.go")


def test_a_configuration_above_the_workspace_is_not_ours(tmp_path: Path) -> None:
    laid_out(tmp_path, {".golangci.yml": "", **{f"inner/{path}": file for path, file in FILES.items()}})
    assert isinstance(TOOLS.lint(project_in(tmp_path / "inner", "a.go"), 60), Absent)


def golangci(issues: list[dict[str, object]], exit_code: int = 0) -> CommandResult:
    return CommandResult(exit_code, json.dumps({"Issues": issues, "Report": {}}) + "\n1 issues:\n* errcheck: 1\n")


def test_golangci_issues_stand_at_their_characters(tmp_path: Path) -> None:
    laid_out(tmp_path / "sub", FILES)
    issue = {
        "FromLinter": "staticcheck",
        "Text": "SA4006: never used",
        "Severity": "error",
        "Pos": {"Filename": "sub/a.go", "Line": 3, "Column": 8},
    }
    other = {"FromLinter": "errcheck", "Text": "not checked", "Pos": {"Filename": "p/p.go", "Line": 1}}
    assert read_golangci(golangci([issue, other]), tmp_path / "sub", tmp_path) == (
        Problem("a.go", 3, "medium", "staticcheck/SA4006", "SA4006: never used", 7),
        Problem("p/p.go", 1, "low", "errcheck", "not checked"),
    )


def test_code_that_does_not_compile_is_not_linted(tmp_path: Path) -> None:
    reason = "the code does not compile, so that the linter could not look"
    broken = golangci([{"FromLinter": "typecheck", "Text": "undefined: x", "Pos": {"Filename": "a.go", "Line": 1}}])
    assert read_golangci(broken, tmp_path, tmp_path) == Unreadable(reason, broke=False)
    line = json.dumps({"code": "compile", "location": {"file": "", "line": 0}, "message": "# m\na.go:1:1: x"})
    assert read_staticcheck(CommandResult(1, line + "\n"), tmp_path, tmp_path) == Unreadable(reason, broke=False)


def test_a_linter_that_fails_is_not_a_clean_one(tmp_path: Path) -> None:
    failed = CommandResult(3, "", "Error: unknown flag: --out-format\n")
    assert read_golangci(failed, tmp_path, tmp_path) == Unreadable(
        "golangci-lint failed (exit 3): Error: unknown flag: --out-format"
    )
    assert isinstance(read_staticcheck(CommandResult(2, "", "panic"), tmp_path, tmp_path), Unreadable)
    assert isinstance(read_staticcheck(CommandResult(1, "", "matched no packages"), tmp_path, tmp_path), Unreadable)
    assert read_staticcheck(CommandResult(0), tmp_path, tmp_path) == ()


def test_staticcheck_findings_are_read(tmp_path: Path) -> None:
    laid_out(tmp_path, FILES)
    finding = {
        "code": "SA5009",
        "severity": "error",
        "location": {"file": str(tmp_path / "a.go"), "line": 3, "column": 8},
        "end": {"file": str(tmp_path / "a.go"), "line": 3, "column": 11},
        "message": "wrong",
    }
    elsewhere = {**finding, "location": {"file": "/elsewhere/b.go", "line": 1, "column": 1}}
    printed = f"{json.dumps(finding)}\n{json.dumps(elsewhere)}\n"
    assert read_staticcheck(CommandResult(1, printed), tmp_path, tmp_path) == (
        Problem("a.go", 3, "medium", "SA5009", "wrong", 7, end_line=3, end_column=10),
    )
