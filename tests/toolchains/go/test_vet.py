from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.go.tools import TOOLS
from verify_lsp.toolchains.go.vet import read_vet, unseen

MOD = "module example.test/m\n\ngo 1.21\n"


def vetted(project: Project, **variables: str) -> tuple[tuple[Problem, ...] | Unreadable, tuple[str, ...]]:
    step = there(TOOLS.project_check(project, 60))
    assert isinstance(step, ProblemStep)
    before = tree(project.place)
    result = run(step.command, project.place, **variables)
    assert tree(project.place) == before
    return step.parse(result), step.unseen(result)


def places(problems: tuple[Problem, ...] | Unreadable) -> list[tuple[str, int, int | None, str]]:
    assert not isinstance(problems, Unreadable), problems.reason
    return [(problem.path, problem.line, problem.column, problem.rule) for problem in problems]


def test_a_clean_module_has_no_problems(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "a.go": "package m\n\nfunc A() int { return 1 }\n"})
    laid_out(tmp_path, {"cmd/x/main.go": "package main\n\nfunc main() {}\n"})
    assert vetted(project_in(tmp_path, "a.go")) == ((), ())


def test_findings_of_vet_stand_at_their_characters(tmp_path: Path) -> None:
    text = 'package m\n\nimport "fmt"\n\nfunc A() { /* é😀 */ fmt.Printf("%d", "x") }\n'
    laid_out(tmp_path, {"go.mod": MOD, "a.go": text})
    problems, _ = vetted(project_in(tmp_path, "a.go"))
    assert problems == (
        Problem(
            "a.go",
            5,
            "high",
            "printf",
            'fmt.Printf format %d has arg "x" of wrong type string',
            33,
            end_line=5,
            end_column=35,
        ),
    )
    assert text.split("\n")[4][32:34] == "%d"


def test_a_type_error_in_a_test_only_package_is_found(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "go.mod": MOD,
            "t/t_test.go": 'package t\n\nimport "testing"\n\nfunc TestT(t *testing.T) { var é int = "x" }\n',
        },
    )
    problems, _ = vetted(project_in(tmp_path, "t/t_test.go"))
    assert places(problems) == [("t/t_test.go", 5, 40, "compile")]


def test_a_broken_package_names_what_stands_behind_it(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "go.mod": MOD,
            "low/l.go": "package low\n\nfunc L() int { return undefined1 + undefined2 }\n",
            "high/h.go": 'package high\n\nimport "example.test/m/low"\n\nvar H = low.L()\n',
        },
    )
    problems, unseen_files = vetted(project_in(tmp_path, "low/l.go", "high/h.go"))
    assert places(problems) == [("low/l.go", 3, 23, "compile"), ("low/l.go", 3, 36, "compile")]
    assert unseen_files == ("high/h.go",)


def test_other_files_of_a_package_with_a_type_error_count_as_unseen(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "go.mod": MOD,
            "p/a.go": "package p\n\nvar A int = undefined1\n",
            "p/b.go": "package p\n\nvar B int = undefined2\n",
        },
    )
    laid_out(tmp_path, {"q/q.go": "package q\n"})
    problems, unseen_files = vetted(project_in(tmp_path, "p/a.go", "p/b.go", "q/q.go"))
    assert places(problems) == [("p/a.go", 3, 13, "compile")]
    assert unseen_files == ("p/b.go",)


def test_a_continued_message_is_kept_whole(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "a.go": "package m\n\nfunc g(a int) {}\n\nfunc f() { g(1, 2) }\n"})
    problems, _ = vetted(project_in(tmp_path, "a.go"))
    assert isinstance(problems, tuple)
    assert problems[0].message == "too many arguments in call to g\n  have (number, number)\n  want (int)"


def test_files_for_other_systems_are_no_errors_and_are_said_not_to_be_seen(tmp_path: Path) -> None:
    broken = "package m\n\nvar X int = undefined\n"
    files = {"a.go": "package m\n", "a_windows.go": broken, "gen.go": "//go:build ignore\n\n" + broken}
    laid_out(tmp_path, {"go.mod": MOD, **files})
    assert vetted(project_in(tmp_path, *files)) == ((), ("a_windows.go", "gen.go"))


def test_a_module_of_excluded_files_only_is_not_clean_but_unread(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "a_windows.go": "package m\n", "gen.go": "//go:build ignore\n\npackage m\n"})
    answer, _ = vetted(project_in(tmp_path, "a_windows.go"))
    assert answer == Unreadable("no Go package of the module is built on this system", broke=False)


def test_a_second_main_package_behind_a_tag_is_no_error(tmp_path: Path) -> None:
    main = "package main\n\nfunc main() {}\n"
    laid_out(tmp_path, {"go.mod": MOD, "a.go": main, "b.go": "//go:build ignore\n\n" + main})
    assert vetted(project_in(tmp_path, "a.go")) == ((), ())


def test_two_packages_in_one_folder_are_an_error_with_a_place(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "p/a.go": "package a\n", "p/b.go": "package b\n"})
    problems, _ = vetted(project_in(tmp_path, "p/b.go"))
    assert places(problems) == [("p/b.go", 1, None, "compile")]


def without_c_compiler(folder: Path) -> str:
    """Return a PATH with nothing but go."""
    import shutil

    (folder / "bin").mkdir()
    (folder / "bin" / "go").symlink_to(shutil.which("go") or "")
    return str(folder / "bin")


CGO = 'package c\n\n// int f(void) { return 1; }\nimport "C"\n\nfunc F() int { return int(C.f()) }\n'
USER = 'package u\n\nimport "example.test/m/c"\n\nvar U = c.F()\n'


@pytest.mark.parametrize("enabled", ["", "1"])
def test_cgo_without_a_compiler_is_unverified_not_broken(
    tmp_path: Path, enabled: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CGO_ENABLED", enabled)
    path = without_c_compiler(tmp_path)
    place = laid_out(tmp_path / "m", {"go.mod": MOD, "c/c.go": CGO, "u/u.go": USER})
    answer, unseen_files = vetted(project_in(place, "c/c.go", "u/u.go", path=path), PATH=path, CGO_ENABLED=enabled)
    assert isinstance(answer, Unreadable)
    assert not answer.broke
    assert "C compiler" in answer.reason
    assert unseen_files == ("c/c.go", "u/u.go")


def test_a_constraint_that_shuts_out_an_imported_package_is_an_error_of_the_code(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {"go.mod": MOD, "c/c.go": "//go:build windows\n\npackage c\n\nfunc F() int { return 1 }\n", "u/u.go": USER},
    )
    problems, _ = vetted(project_in(tmp_path, "c/c.go"))
    assert isinstance(problems, tuple)
    assert "build constraints exclude all Go files" in problems[0].message


def test_errors_of_c_in_cgo_are_errors(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "c/c.go": CGO.replace("return 1", "retrn 1")})
    problems, _ = vetted(project_in(tmp_path, "c/c.go"), CGO_ENABLED="1")
    assert places(problems)[0] == ("c/c.go", 3, None, "compile")


def test_a_module_of_a_go_work_sees_its_siblings_and_a_stranger_stands_alone(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "go.work": "go 1.21\n\nuse (\n\t./a\n\t./b\n)\n",
            "a/go.mod": "module example.test/a\n\ngo 1.21\n",
            "a/a.go": 'package a\n\nimport "example.test/b"\n\nvar A = b.B\n',
            "b/go.mod": "module example.test/b\n\ngo 1.21\n",
            "b/b.go": "package b\n\nvar B = 1\n",
            "c/go.mod": "module example.test/c\n\ngo 1.21\n",
            "c/c.go": "package c\n\nvar C int = undefined\n",
        },
    )
    assert vetted(project_in(tmp_path, "a.go", root="a"))[0] == ()
    assert places(vetted(project_in(tmp_path, "c.go", root="c"))[0]) == [("c.go", 3, 13, "compile")]


VENDORED = {
    "go.mod": MOD + "\nrequire dep.test/d v1.0.0\n",
    "vendor/modules.txt": "# dep.test/d v1.0.0\n## explicit\ndep.test/d\n",
    "vendor/dep.test/d/d.go": "package d\n\nfunc F() {}\n",
    "a.go": 'package m\n\nimport "dep.test/d"\n\nfunc A() { d.F() }\n',
}


def test_vendored_packages_serve_without_network(tmp_path: Path) -> None:
    laid_out(tmp_path, VENDORED)
    assert vetted(project_in(tmp_path, "a.go")) == ((), ())


def test_vendoring_out_of_step_is_an_error_of_go_mod(tmp_path: Path) -> None:
    laid_out(tmp_path, {**VENDORED, "vendor/modules.txt": "# dep.test/d v1.0.0\ndep.test/d\n"})
    problems, unseen_files = vetted(project_in(tmp_path, "a.go"))
    assert places(problems) == [("go.mod", 1, None, "compile")]
    assert unseen_files == ("a.go",)


def test_an_import_that_no_module_provides_is_an_error_at_its_line(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "a.go": 'package m\n\nimport _ "missing.test/x"\n', "b/b.go": "package b\n"})
    problems, unseen_files = vetted(project_in(tmp_path, "a.go", "b/b.go"))
    assert places(problems) == [("a.go", 3, 8, "compile")]
    # One package that does not load keeps Go from looking at any.
    assert unseen_files == ("b/b.go",)


def test_a_required_module_that_is_not_here_is_unverified_not_an_error(tmp_path: Path) -> None:
    laid_out(
        tmp_path, {"go.mod": MOD + "\nrequire dep.test/d v1.0.0\n", "a.go": 'package m\n\nimport _ "dep.test/d"\n'}
    )
    laid_out(tmp_path, {"go.sum": "dep.test/d v1.0.0 h1:x\ndep.test/d v1.0.0/go.mod h1:x\n"})
    answer, unseen_files = vetted(project_in(tmp_path, "a.go"), GOMODCACHE=str(tmp_path.parent / "no-modules"))
    assert isinstance(answer, Unreadable)
    assert not answer.broke
    assert "GOPROXY=off" in answer.reason
    assert unseen_files == ("a.go",)


def test_a_module_for_a_newer_go_says_so(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": "module m\n\ngo 1.999\n", "a.go": "package m\n"})
    answer, _ = vetted(project_in(tmp_path, "a.go"), offline="")
    assert isinstance(answer, Unreadable)
    assert not answer.broke
    assert answer.reason.startswith("go.mod requires go 1.999 or later, and go 1.")


def test_a_broken_go_mod_is_an_error_at_its_line(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD + "frobnicate\n", "a.go": "package m\n"})
    assert places(vetted(project_in(tmp_path, "a.go"))[0]) == [("go.mod", 4, None, "compile")]


def test_an_import_cycle_is_an_error(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "a/a.go": 'package a\n\nimport _ "example.test/m/b"\n'})
    laid_out(tmp_path, {"b/b.go": 'package b\n\nimport _ "example.test/m/a"\n'})
    problems, _ = vetted(project_in(tmp_path, "a/a.go"))
    assert isinstance(problems, tuple)
    assert "import cycle not allowed" in problems[0].message


def test_forbidden_internal_packages_are_errors_at_the_import(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {
            "go.mod": MOD,
            "a/internal/x/x.go": "package x\n",
            "u.go": 'package m\n\nimport _ "example.test/m/a/internal/x"\n',
        },
    )
    assert places(vetted(project_in(tmp_path, "u.go"))[0]) == [("u.go", 3, 8, "compile")]


def result(stdout: str = "", stderr: str = "", exit_code: int = 0) -> CommandResult:
    return CommandResult(exit_code, stdout, stderr)


def test_a_failure_without_a_word_is_not_a_pass(tmp_path: Path) -> None:
    assert read_vet(project_in(tmp_path), result(exit_code=2)) == Unreadable(
        "go vet failed (exit 2): it printed nothing"
    )


def test_json_on_stderr_is_read_as_well(tmp_path: Path) -> None:
    """Go before 1.24 prints vet's JSON there, below a line with the package."""
    laid_out(tmp_path, {"a.go": "package m\n"})
    finding = f'{{\n\t"m": {{\n\t\t"assign": [\n\t\t\t{{"posn": "{tmp_path}/a.go:1:1", "message": "self-assignment"}}\n\t\t]\n\t}}\n}}'
    problems = read_vet(project_in(tmp_path), result(stderr=f"# m\n{finding}\n# m/b\n{{}}\n"))
    assert places(problems) == [("a.go", 1, 1, "assign")]


def test_the_same_finding_for_a_package_and_its_tests_is_one(tmp_path: Path) -> None:
    laid_out(tmp_path, {"a.go": "package m\n"})
    found = f'[{{"posn": "{tmp_path}/a.go:1:1", "message": "twice"}}]'
    both = f'{{\n"m": {{"assign": {found}}},\n"m [m.test]": {{"assign": {found}}}\n}}'
    assert len(places(read_vet(project_in(tmp_path), result(both)))) == 1


def test_an_error_outside_of_the_module_keeps_its_place_in_the_message(tmp_path: Path) -> None:
    problems = read_vet(
        project_in(tmp_path), result(stderr="# dep.test/d\n/elsewhere/d.go:3:4: undefined: x\n", exit_code=1)
    )
    assert problems == (Problem("", 0, "high", "compile", "/elsewhere/d.go:3: undefined: x"),)


def test_a_c_warning_is_a_warning_and_a_note_is_nothing(tmp_path: Path) -> None:
    laid_out(tmp_path, {"c.go": "package c\n"})
    lines = "# m\nc.go: In function 'f':\nc.go:1:3: warning: unused\n    1 | code\n      | ^~~\nc.go:1:3: note: here\n"
    problems = read_vet(project_in(tmp_path), result(stderr=lines))
    assert problems == (Problem("c.go", 1, "medium", "compile", "unused"),)


def test_testdata_is_not_called_unseen(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "testdata/x.go": "package x\n"})
    assert unseen(project_in(tmp_path, "testdata/x.go", "go.mod"), result()) == ()
