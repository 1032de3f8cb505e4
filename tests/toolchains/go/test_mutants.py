"""What is laid over a Go module so that its tests can be tried with mutants, and how the answers read."""

import json

import pytest

from tests.harness.tool_runs import laid_out, project_in, run, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.go.module import takes_overlay
from verify_lsp.toolchains.go.mutants import built_in_mutants
from verify_lsp.toolchains.go.noted import reaching_tests, surely_reached, up_to
from verify_lsp.toolchains.go.noting_tests import importing, noting
from verify_lsp.toolchains.go.reaching import go_files, packages_that_reach
from verify_lsp.toolchains.go.trial_output import HEADLINE, read_trial

MOD = "module example.test/m\n\ngo 1.21\n"


def test_what_mentions_the_switch_imports_it_without_moving_a_line():
    text = "// A is a package.\npackage a // import\n\nfunc f() bool { return zzVerifyLsp.On(1) }\n"

    made = importing(text, "example.test/m/zzverifylsp")
    assert made.split("\n")[1] == 'package a; import zzVerifyLsp "example.test/m/zzverifylsp" // import'
    assert len(made.split("\n")) == len(text.split("\n"))
    assert importing("package a\n", "x") == "package a\n"
    assert importing("\ufeff" + text, "x").startswith("\ufeff// A")


@pytest.mark.parametrize(
    ("function", "noted"),
    [
        ("func TestA(t *testing.T) {}", "func TestA(t *testing.T) { zzVerifyLsp.Test(t);}"),
        ("func TestA(_ *testing.T) {\n}", "func TestA(_zzT *testing.T) { zzVerifyLsp.Test(_zzT);\n}"),
        ("func TestA(*testing.T) {\n}", "func TestA(zzT *testing.T) { zzVerifyLsp.Test(zzT);\n}"),
        ("func TestA(t *T) {\n}", "func TestA(t *T) { zzVerifyLsp.Test(t);\n}"),
        ("func FuzzA(f *testing.F) {\n}", "func FuzzA(f *testing.F) { zzVerifyLsp.Test(f);\n}"),
        ("func ExampleA() {\n}", 'func ExampleA() { defer zzVerifyLsp.Example("ExampleA")();\n}'),
    ],
)
def test_each_test_notes_when_it_begins_and_ends(function, noted):
    made = noting(f"package a\n\n{function}\n", "m/zzverifylsp")

    assert made == f'package a; import zzVerifyLsp "m/zzverifylsp"\n\n{noted}\n'


@pytest.mark.parametrize(
    "function",
    [
        "func TestMain(m *testing.M) {}",
        "func Testing(t *testing.T) {}",
        "func (s *Suite) TestA(t *testing.T) {}",
        "func TestA(t *testing.T, n int) {}",
        "func BenchmarkA(b *testing.B) {}",
        "var x = `\nfunc TestA(t *testing.T) {}\n`",
        "func TestA(t *testing.T) { if }",
    ],
)
def test_what_is_no_test_is_left_as_it_is(function):
    assert noting(f"package a\n\n{function}\n", "m/zzverifylsp") is None


def test_go_files_are_those_of_the_module_itself(tmp_path):
    names = ["a_test.go", "in/b_test.go", "vendor/c_test.go", "testdata/d_test.go", "_x/e_test.go", "other/f_test.go"]
    files = {**dict.fromkeys(names, "package a\n"), "other/go.mod": "module o\n", "in/b.go": "package b\n"}

    laid_out(tmp_path, files)
    (tmp_path / "gone_test.go").symlink_to(tmp_path / "nowhere.go")
    found = [file.relative_to(tmp_path).as_posix() for file in go_files(tmp_path)]
    assert found == ["a_test.go", "in/b.go", "in/b_test.go"]


GRAPH = {
    "go.mod": MOD,
    "low/low.go": "package low\n",
    "low/low_test.go": "package low\n",
    "mid/mid.go": 'package mid\n\nimport "example.test/m/low"\n',
    "top/top.go": 'package top\n\nimport (\n\t_ "example.test/m/mid"\n)\n',
    "top/top_test.go": "package top_test\n",
    "far/far.go": "package far\n",
    "far/far_test.go": 'package far_test\n\nimport "example.test/m/mid"\n',
    "other/other.go": "package other\n",
    "other/other_test.go": "package other\n",
    "starts/starts_test.go": 'package starts\n\nimport "os/exec"\n',
    "plan/plan_test.go": '//go:build plan9\n\npackage plan\n\nimport "example.test/m/low"\n',
}


@pytest.mark.parametrize(
    ("changed", "packages"),
    [
        ("low/low.go", ("./far", "./low", "./starts", "./top")),
        ("mid/mid.go", ("./far", "./starts", "./top")),
        ("other/other.go", ("./other", "./starts")),
    ],
)
def test_only_tests_that_could_reach_a_changed_file_are_run(tmp_path, changed, packages):
    project = project_in(laid_out(tmp_path, GRAPH), changed)

    assert packages_that_reach(project, "example.test/m") == packages


def test_where_no_test_could_reach_it_all_are_run(tmp_path):
    files = {"go.mod": MOD, "a/a.go": "package a\n", "b_test.go": "package b\n"}

    assert packages_that_reach(project_in(laid_out(tmp_path, files), "a/a.go"), "example.test/m") == ("./...",)


def result(stdout="", code=0, files=None, **more):
    return CommandResult(code, stdout=stdout, files=files or {}, **more)


def events(*tests):
    lines = []
    for package, name in tests:
        lines.append({"Action": "run", "Package": package, "Test": name})
        lines.append({"Action": "pass", "Package": package, "Test": name})
    return "\n".join(json.dumps(line) for line in lines)


def test_a_mutant_is_reached_by_the_tests_that_run_meanwhile(tmp_path):
    here = str(tmp_path)
    lines = ["+TestA", "1", "-TestA", "+TestB", "+TestC", "1", "2", "-TestB", "3", "-TestC", "*4", "5"]
    notes = "".join(f"{here}/in\t{line}\n" for line in lines)
    ran = result(events(("m/in", "TestA"), ("m/in", "TestB"), ("m/in", "TestB/sub")), files={"reach/7": notes})

    reached = reaching_tests(ran, tmp_path, "m")
    assert reached[1] == ("m/in.TestA", "m/in.TestB", "m/in.TestC")
    assert reached[2] == ("m/in.TestB", "m/in.TestC")
    assert reached[3] == ("m/in.TestC",)
    assert reached[4] == reached[5] == ("m/in.TestA", "m/in.TestB")


def test_the_package_with_most_tests_comes_first(tmp_path):
    notes = f"{tmp_path}\t+TestA\n{tmp_path}\t1\n{tmp_path}/in\t+TestB\n{tmp_path}/in\t+TestC\n{tmp_path}/in\t1\n"

    assert reaching_tests(result(files={"reach/1": notes}), tmp_path, "m")[1] == (
        "m/in.TestB",
        "m/in.TestC",
        "m.TestA",
    )


def test_what_ran_before_a_test_that_noticed_is_of_its_package_and_in_order(tmp_path):
    notes = "".join(f"{tmp_path}\t{line}\n" for line in ["+TestC", "+TestA", "+TestB", "1"])
    ran = result(events(("m", "TestB"), ("m", "TestA"), ("m", "TestC")), files={"reach/1": notes})

    assert reaching_tests(ran, tmp_path, "m")[1] == ("m.TestB", "m.TestA", "m.TestC")
    tests = ("m/in.TestX", "m.TestB", "m.TestA", "m.TestC")
    assert up_to("m.TestA/sub/sub", tests) == ("m.TestB", "m.TestA")
    assert up_to("m/in.TestX", tests) == ("m/in.TestX",)
    assert up_to("m", tests) == tests


def test_the_innermost_test_that_failed_has_noticed():
    output = (
        f"{HEADLINE}m/in\n\x16=== RUN   TestA\n\x16=== RUN   TestA/sub\n    a_test.go:3: no\n"
        "\x16--- FAIL: TestA (0.00s)\n    \x16--- FAIL: TestA/sub (0.00s)\nFAIL\n"
    )

    run_ = read_trial(result(output, 1))
    assert run_.verdict == "failed"
    assert [case.id for case in run_.failures()] == ["m/in.TestA/sub"]


def test_a_program_that_breaks_off_was_noticed_by_the_test_that_ran():
    output = f"{HEADLINE}m\n\x16=== RUN   TestA\n\x16--- PASS: TestA (0.00s)\n\x16=== RUN   TestB\npanic: no\n"

    assert [case.id for case in read_trial(result(output, 2)).failures()] == ["m.TestB"]
    assert [case.id for case in read_trial(result(f"{HEADLINE}m\npanic: early\n", 2)).failures()] == ["m"]


def test_what_did_not_run_is_no_pass():
    assert read_trial(result(f"{HEADLINE}m\ntesting: warning: no tests to run\nPASS\n")).verdict == "none-ran"
    assert read_trial(result(HEADLINE, None, timed_out=True)).verdict == "unusable"
    assert read_trial(result("", None, missing=True)).verdict == "unusable"
    assert read_trial(result(f"{HEADLINE}m\nPASS\n")).verdict == "passed"


def test_files_that_the_user_lays_over_others_are_not_laid_over(tmp_path, monkeypatch):
    project = project_in(laid_out(tmp_path, {"go.mod": MOD}))

    assert takes_overlay(project)
    monkeypatch.setenv("GOFLAGS", "-mod=mod '-overlay=/x y.json'")
    assert not takes_overlay(project)


def test_a_test_program_is_given_what_go_test_would_give_it(tmp_path, monkeypatch):
    monkeypatch.setenv("GOFLAGS", "-tags=x -short '-parallel=2' -race")
    place = laid_out(tmp_path / "place", {"go.mod": MOD})
    step = built_in_mutants(project_in(place, root="."), tmp_path / "room", 60, read_trial)

    first, second = step.trial(3, ("example.test/m/in.TestA", "example.test/m/in.TestB", "example.test/m.TestC"))
    assert first.cwd == "./in"
    assert first.argv[-8:] == (
        f"{tmp_path}/room/programs{place}/in/mutants.test", "-test.v=test2json", "-test.failfast", "-test.paniconexit0",
        "-test.timeout=10m0s", "-test.short", "-test.parallel=2", "-test.run=^(TestA|TestB)$",
    )  # fmt: skip
    assert second.cwd == "."
    assert first.env["VERIFY_LSP_MUTANT"] == "3"
    assert first.env["PWD"] == f"{place}/in"
    assert first.env["GOFLAGS"].endswith(f"-race '-overlay={tmp_path}/room/overlay.json'")
    assert step.trial(0, ())[0].argv[:2] == ("go", "test")


def test_the_places_that_the_compiler_blames_are_those_of_the_texts(tmp_path):
    place = laid_out(tmp_path / "place", {"go.mod": MOD, "in/a.go": "package in\n"})
    room = tmp_path / "the room"
    step = built_in_mutants(project_in(place, "in/a.go"), room, 60, read_trial)
    texts = {"in/a.go": 'package in\n\nfunc f() int { return "a" }\n', "b.go": "package b\n\nfunc f() { if }\n"}
    for path, text in step.files(texts).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    before = tree(place)

    failed = run(step.build[0], place)
    assert failed.exit_code != 0
    assert set(step.blamed(failed)) == {("in/a.go", 3), ("b.go", 3)}
    assert tree(place) == before


def test_tests_are_counted_only_where_one_alone_ran_over_the_line():
    notes = "/m\t+TestA\n/m\t1\n/m\t2\n/m\t-TestA\n/m\t+TestB\n/m\t+TestC\n/m\t2\n/m\t-TestC\n/m\t1\n/m\t*3\n"
    assert surely_reached(result(files={"reach/1": notes})) == {1}
