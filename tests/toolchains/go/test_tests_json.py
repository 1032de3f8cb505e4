import json
import uuid
from pathlib import Path

from tests.harness.tool_runs import laid_out, project_in, run, there
from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestCase, TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.go.selection import select
from verify_lsp.toolchains.go.tests_json import read_test_run
from verify_lsp.toolchains.go.tools import TOOLS

MOD = "module example.test/m\n\ngo 1.21\n"
HEAD = 'import (\n\t"testing"\n)\n\n'


def step_of(project: Project) -> TestStep:
    step = there(TOOLS.tests(project, 60))
    assert isinstance(step, TestStep)
    return step


def ran(project: Project, **variables: str) -> TestRun:
    step = step_of(project)
    return step.parse(run(step.command, project.place, **variables))


def counts(run: TestRun) -> tuple[int | None, int | None, int | None, int | None]:
    return run.passed, run.failed, run.skipped, run.total


def outcomes(run: TestRun) -> dict[str, str]:
    return {case.id: case.outcome for case in run.cases}


KINDS = """package kinds

import (
	"fmt"
	"testing"
)

func TestPlain(t *testing.T) {}

func TestParent(t *testing.T) {
	t.Run("one", func(t *testing.T) {})
	t.Run("two words", func(t *testing.T) {
		t.Run("deep", func(t *testing.T) { t.Log("not this"); t.Errorf("got %d\\nwant %d", 1, 2) })
	})
	t.Run("skipped", func(t *testing.T) { t.Skip("no database") })
}

func TestPrintsWhatLooksLikeAResult(t *testing.T) {
	fmt.Println("--- FAIL: TestGhost (0.00s)")
	fmt.Println("FAIL")
	fmt.Print("no line end")
}

func BenchmarkNothing(b *testing.B) {}

func Example_right() {
	fmt.Println("yes")
	// Output: yes
}

func Example_wrong() {
	fmt.Println("yes")
	// Output: no
}

func FuzzSeeds(f *testing.F) {
	f.Add("good")
	f.Add("bad")
	f.Fuzz(func(t *testing.T, s string) {
		if s == "bad" {
			t.Fatal("bad seed")
		}
	})
}
"""


def test_each_line_of_a_verbose_run_counts_once(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "kinds/kinds_test.go": KINDS})
    found = ran(project_in(tmp_path))
    name = "example.test/m/kinds."
    assert outcomes(found) == {
        name + "TestPlain": "passed",
        name + "TestParent/one": "passed",
        name + "TestParent/two_words/deep": "failed",
        name + "TestParent/skipped": "skipped",
        name + "TestPrintsWhatLooksLikeAResult": "passed",
        name + "FuzzSeeds/seed#0": "passed",
        name + "FuzzSeeds/seed#1": "failed",
        name + "Example_right": "passed",
        name + "Example_wrong": "failed",
    }
    assert (found.verdict, counts(found)) == ("failed", (5, 3, 1, 9))
    assert found.failures() == (
        TestCase(name + "TestParent/two_words/deep", "failed", "kinds/kinds_test.go", 13, "not this\ngot 1\nwant 2"),
        TestCase(name + "FuzzSeeds/seed#1", "failed", "kinds/kinds_test.go", 41, "bad seed"),
        TestCase(name + "Example_wrong", "failed", "kinds/kinds_test.go", 31, "got:\nyes\nwant:\nno"),
    )


def test_failures_can_be_run_again_alone(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "kinds/kinds_test.go": KINDS})
    project = project_in(tmp_path)
    step = step_of(project)
    ids = tuple(case.id for case in ran(project).failures())
    again = step.only(ids)
    assert again is not None
    found = step.parse(run(again, project.place))
    assert [case.id for case in found.failures()] == list(ids)
    assert [case.id.removeprefix("example.test/m/kinds.") for case in found.cases] == [
        "TestParent/two_words/deep",
        "FuzzSeeds/seed#1",
        "Example_wrong",
    ]


BROKEN = {
    "panics/p_test.go": "package panics\n\n"
    + HEAD
    + 'func TestFirst(t *testing.T) {}\n\nfunc TestBoom(t *testing.T) {\n\tdone := make(chan int)\n\tgo func() { panic("in a goroutine") }()\n\t<-done\n}\n\nfunc TestNever(t *testing.T) {}\n',
    "broken/b_test.go": "package broken\n\n" + HEAD + "func TestX(t *testing.T) { undefined1() }\n",
    "setup/s_test.go": 'package setup\n\nimport _ "example.test/m/nowhere"\n',
    "fine/f_test.go": "package fine\n\n" + HEAD + "func TestFine(t *testing.T) {}\n",
    "bare/b.go": "package bare\n",
    "empty/e_test.go": "package empty\n",
    "main/m_test.go": 'package main\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { println("no database"); os.Exit(3) }\n\nfunc TestX(t *testing.T) {}\n',
}


def test_panics_and_packages_that_do_not_build_fail_and_are_named(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, **BROKEN})
    project = project_in(tmp_path)
    found = ran(project)
    name = "example.test/m/"
    assert found.verdict == "failed"
    failures = {case.id: (case.path, case.line, case.message) for case in found.failures()}
    assert failures == {
        name + "panics.TestBoom": ("panics/p_test.go", 11, "panic: in a goroutine"),
        name + "broken [build failed]": ("broken/b_test.go", 7, "undefined: undefined1"),
        name + "setup [build failed]": (
            "setup/s_test.go",
            3,
            failures[name + "setup [build failed]"][2],
        ),
        name + "main": (None, None, "no database"),
    }
    assert "example.test/m/nowhere" in failures[name + "setup [build failed]"][2]
    assert set(found.unbuilt) == {name + "broken", name + "setup"}
    assert counts(found) == (2, 4, 0, 6)
    assert f"no test files in {name}bare" in found.notes
    assert f"no tests to run in {name}empty" in found.notes
    # The package that failed outside of its tests has no test to choose.
    assert step_of(project).only(tuple(failures)) is None


def test_results_from_the_cache_are_passes_and_noted(tmp_path: Path) -> None:
    new_to_the_cache = f'func TestFine(t *testing.T) {{ t.Log("{uuid.uuid4()}") }}\n'
    laid_out(tmp_path, {"go.mod": MOD, "fine/f_test.go": "package fine\n\n" + HEAD + new_to_the_cache})
    project = project_in(tmp_path)
    first, second = ran(project), ran(project)
    assert (first.verdict, first.notes) == ("passed", ())
    assert (second.verdict, counts(second)) == ("passed", (1, 0, 0, 1))
    assert second.notes == ("results of 1 package came from Go's cache",)


def test_no_test_files_is_not_a_pass(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "bare/b.go": BROKEN["bare/b.go"], "empty/e_test.go": BROKEN["empty/e_test.go"]})
    found = ran(project_in(tmp_path))
    assert (found.verdict, found.reason) == ("none-ran", "the module has no tests to run")


def test_skipped_tests_alone_are_not_a_pass(tmp_path: Path) -> None:
    laid_out(
        tmp_path,
        {"go.mod": MOD, "s_test.go": "package m\n\n" + HEAD + 'func TestS(t *testing.T) { t.Skip("later") }\n'},
    )
    found = ran(project_in(tmp_path))
    assert (found.verdict, counts(found), found.reason) == ("none-ran", (0, 0, 1, 1), "all tests were skipped (1)")


def test_a_test_that_never_ends_is_not_a_pass_and_is_named(tmp_path: Path) -> None:
    text = (
        "package m\n\n"
        + HEAD
        + 'func TestOk(t *testing.T) {}\n\nfunc TestHangs(t *testing.T) { t.Run("sub", func(t *testing.T) { select {} }) }\n'
    )
    laid_out(tmp_path, {"go.mod": MOD, "h_test.go": text})
    events = [
        {"Action": "run", "Package": "example.test/m", "Test": "TestOk"},
        {"Action": "pass", "Package": "example.test/m", "Test": "TestOk"},
        {"Action": "run", "Package": "example.test/m", "Test": "TestHangs"},
        {"Action": "run", "Package": "example.test/m", "Test": "TestHangs/sub"},
    ]
    killed = CommandResult(None, lines(*events), timed_out=True)
    found = read_test_run(project_in(tmp_path), killed)
    assert found.verdict == "unusable"
    assert found.reason == "the tests did not end in time; still running: example.test/m.TestHangs/sub"
    assert counts(found) == (None, None, None, None)


def test_the_time_limit_of_go_itself_is_a_failure_at_the_test_that_hangs(tmp_path: Path) -> None:
    text = "package m\n\n" + HEAD + "func TestHangs(t *testing.T) { select {} }\n"
    laid_out(tmp_path, {"go.mod": MOD, "h_test.go": text})
    found = ran(project_in(tmp_path), GOFLAGS="-timeout=100ms")
    assert [(case.id, case.path, case.line) for case in found.failures()] == [
        ("example.test/m.TestHangs", "h_test.go", 7)
    ]
    assert found.failures()[0].message.startswith("panic: test timed out after 100ms")


def test_a_missing_module_is_no_failure_of_the_tests(tmp_path: Path) -> None:
    laid_out(
        tmp_path, {"go.mod": MOD + "\nrequire dep.test/d v1.0.0\n", "a_test.go": 'package m\n\nimport _ "dep.test/d"\n'}
    )
    laid_out(tmp_path, {"go.sum": "dep.test/d v1.0.0 h1:x\ndep.test/d v1.0.0/go.mod h1:x\n"})
    found = ran(project_in(tmp_path), GOMODCACHE=str(tmp_path.parent / "no-modules"))
    assert (found.verdict, found.unbuilt) == ("none-ran", ())
    assert found.reason is not None
    assert "GOPROXY=off" in found.reason
    assert counts(found) == (None, None, None, None)


def test_a_module_for_a_newer_go_runs_nothing_and_says_so(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": "module m\n\ngo 1.999\n", "a_test.go": "package m\n"})
    found = ran(project_in(tmp_path))
    assert found.verdict == "none-ran"
    assert found.reason is not None
    assert found.reason.startswith("go.mod requires go 1.999 or later")


def test_a_broken_go_mod_fails_the_tests(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD + "frobnicate\n", "a_test.go": "package m\n"})
    found = ran(project_in(tmp_path))
    assert (found.verdict, found.unbuilt) == ("failed", ("./...",))
    assert (found.cases[0].path, found.cases[0].line) == ("go.mod", 4)


def lines(*events: dict[str, object]) -> str:
    return "".join(json.dumps(event) + "\n" for event in events)


def passing(count: int) -> str:
    tests = ({"Action": "pass", "Package": "m", "Test": f"Test{number}"} for number in range(count))
    return lines(*tests, {"Action": "pass", "Package": "m"})


def test_an_exit_code_that_disagrees_is_a_contradiction(tmp_path: Path) -> None:
    project = project_in(tmp_path)
    found = read_test_run(project, CommandResult(1, passing(2)))
    assert (found.verdict, found.contradiction) == ("failed", "no test failed, but go test exited with 1")
    failed = lines({"Action": "fail", "Package": "m", "Test": "TestX"}, {"Action": "fail", "Package": "m"})
    found = read_test_run(project, CommandResult(0, failed))
    assert (found.verdict, found.contradiction) == ("failed", "1 failed, but go test exited with 0")


def test_output_with_a_gap_gives_a_verdict_without_counts(tmp_path: Path) -> None:
    found = read_test_run(project_in(tmp_path), CommandResult(0, passing(3), truncated=True))
    assert (found.verdict, counts(found)) == ("passed", (None, None, None, None))
    assert found.notes == ("the output was too long to count the tests",)


def test_silence_is_unusable(tmp_path: Path) -> None:
    found = read_test_run(project_in(tmp_path), CommandResult(0, "not an event\n{broken\n"))
    assert (found.verdict, found.reason) == ("unusable", "go test told nothing (exit 0): it printed nothing")


def test_build_errors_of_an_older_go_come_on_stderr(tmp_path: Path) -> None:
    """Go before 1.24 has no events for them."""
    laid_out(tmp_path, {"go.mod": MOD, "x/x.go": "package x\n"})
    output = {"Action": "output", "Package": "example.test/m/x", "Output": "FAIL\texample.test/m/x [build failed]\n"}
    stdout = lines(output, {"Action": "fail", "Package": "example.test/m/x"})
    found = read_test_run(
        project_in(tmp_path), CommandResult(1, stdout, "# example.test/m/x\nx/x.go:1:9: undefined: y\n")
    )
    assert found.unbuilt == ("example.test/m/x",)
    assert found.cases == (TestCase("example.test/m/x [build failed]", "failed", "x/x.go", 1, "undefined: y"),)


def test_a_data_race_is_placed_in_the_code(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "r_test.go": "package m\n"})
    printed = [
        "==================\n",
        "WARNING: DATA RACE\n",
        "Read at 0x00c0 by goroutine 8:\n",
        "  example.test/m.TestR()\n",
        f"      {tmp_path}/r_test.go:7 +0x1a4\n",
        "    testing.go:1712: race detected during execution of test\n",
    ]
    events = [{"Action": "output", "Package": "example.test/m", "Test": "TestR", "Output": line} for line in printed]
    end = [
        {"Action": "fail", "Package": "example.test/m", "Test": "TestR"},
        {"Action": "fail", "Package": "example.test/m"},
    ]
    found = read_test_run(project_in(tmp_path), CommandResult(1, lines(*events, *end)))
    assert (found.cases[0].path, found.cases[0].line) == ("r_test.go", 7)


def test_ids_become_packages_and_one_pattern() -> None:
    chosen = select(("a.test/m/x.TestA/b_(c)", "a.test/m.v2.TestB", "a.test/m/x.TestA/b_(c)"))
    assert chosen is not None
    assert chosen.packages == ("a.test/m/x", "a.test/m.v2")
    assert chosen.pattern == r"^TestA$/^b_\(c\)$|^TestB$"


def test_a_package_that_did_not_build_is_built_again_without_a_test() -> None:
    chosen = select(("a.test/m/x [build failed]",))
    assert chosen is not None
    assert (chosen.packages, chosen.pattern) == (("a.test/m/x",), "^$")


def test_an_id_never_becomes_a_flag() -> None:
    assert select(("-exec=rm.TestX",)) is None
    assert select(("a.test/m/x",)) is None
    assert select(()) is None


def test_failures_that_a_passing_package_provokes_are_none(tmp_path: Path) -> None:
    """Some suites run tests within a test, to see them fail."""
    inner = """package m

import "testing"

func TestOuter(t *testing.T) {
	all := func(_, _ string) (bool, error) { return true, nil }
	if testing.RunTests(all, []testing.InternalTest{{Name: "TestInner", F: func(t *testing.T) { t.Error("on purpose") }}}) {
		t.Fatal("it passed")
	}
}
"""
    laid_out(tmp_path, {"go.mod": MOD, "o_test.go": inner})
    found = ran(project_in(tmp_path))
    assert (found.verdict, counts(found), found.contradiction) == ("passed", (1, 0, 0, 1), None)
    assert found.notes == ("1 tests failed in packages that pass: their own tests ran them to see that",)


def test_a_failure_without_a_message_has_ended_all_the_same(tmp_path: Path) -> None:
    body = "func TestBare(t *testing.T) {\n\tt.Fatal()\n}\n"
    laid_out(tmp_path, {"go.mod": MOD, "m_test.go": 'package m\n\nimport "testing"\n\n' + body})
    found = ran(project_in(tmp_path))
    bare = TestCase("example.test/m.TestBare", "failed", "m_test.go", 6, "it failed without a message")
    assert found.failures() == (bare,)


def test_a_test_that_runs_twice_counts_twice_and_fails_once(tmp_path: Path) -> None:
    text = (
        "package m\n\n"
        + HEAD
        + "var runs int\n\nfunc TestFirstFails(t *testing.T) { runs++; if runs == 1 { t.Error(runs) } }\n"
    )
    laid_out(tmp_path, {"go.mod": MOD, "a_test.go": text})
    found = ran(project_in(tmp_path), GOFLAGS="-count=2")
    assert (found.verdict, counts(found)) == ("failed", (1, 1, 0, 2))


def test_a_main_function_that_swallows_failures_is_a_contradiction(tmp_path: Path) -> None:
    text = 'package m\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n\nfunc TestX(t *testing.T) { t.Error("wrong") }\n'
    laid_out(tmp_path, {"go.mod": MOD, "a_test.go": text})
    found = ran(project_in(tmp_path))
    assert (found.verdict, counts(found)) == ("failed", (0, 1, 0, 1))
    assert found.contradiction == "1 failed, but go test exited with 0"
