"""`go test -json` over the whole module: what to run, and what its events add up to."""

from pathlib import Path

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestCase, TestRun, TestVerdict
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.go.build_output import read_build_output
from verify_lsp.toolchains.go.events import Events, GoPackage, read_events
from verify_lsp.toolchains.go.failure_place import FailurePlaces
from verify_lsp.toolchains.go.module import go_environment, module_path, no_go, reading_flags, takes_overlay
from verify_lsp.toolchains.go.selection import BUILD_FAILED, select
from verify_lsp.toolchains.go.settings import go_setting
from verify_lsp.toolchains.go.source_lines import SourceLines
from verify_lsp.toolchains.output import head

_TEMPORARY = "zz-go"


def go_tests(project: Project, timeout_s: float) -> TestStep | Absent:
    """Return the tests of a module: every package, from Go's cache where nothing changed."""
    if absent := no_go(project):
        return absent
    environment = go_environment(project)

    # What Go cannot clear away, because it was ended, goes with the run's private folder.
    own = {} if go_setting("GOTMPDIR") else {"GOTMPDIR": f"{RESULTS}/{_TEMPORARY}"}

    def command(*rest: str) -> Command:
        words = ("go", "test", "-json", *reading_flags(), *rest)
        support = {f"{_TEMPORARY}/.verify-lsp": ""}
        return Command(words, project.root, {**environment, **own}, timeout_s, support)

    def only(ids: tuple[str, ...]) -> Command | None:
        chosen = select(ids)
        return None if chosen is None else command("-count=1", "-run", chosen.pattern, *chosen.packages)

    def built_in(room: Path) -> BuiltIn:
        from verify_lsp.toolchains.go.mutants import built_in_mutants

        return built_in_mutants(project, room, timeout_s, lambda result: read_test_run(project, result))

    return TestStep(
        "go test",
        command("./..."),
        lambda result: read_test_run(project, result),
        only=only,
        version=Command(("go", "version"), project.root, environment),
        built_in=built_in if takes_overlay(project) else None,
    )


def read_test_run(project: Project, result: CommandResult) -> TestRun:
    """Return what a `go test -json` run showed.

    Counts follow `go test -v`: each `--- PASS`, `--- FAIL` and `--- SKIP` line is one, subtests and parents
    alike, except that a parent whose subtest failed is not counted as a failure of its own. A package that
    does not build, or that fails outside of its tests, is one failure.
    """
    return _Run(project, result).judged()


class _Run:
    def __init__(self, project: Project, result: CommandResult) -> None:
        self._project = project
        self._result = result
        self._events: Events = read_events(result.stdout)
        self._sources = SourceLines(project.folder)
        self._places = FailurePlaces(self._sources, module_path(project.folder))
        self._unfit: list[str] = []
        self._unbuilt: list[str] = []
        self._cases = [case for package in self._events.packages.values() for case in self._package(package)]

    def judged(self) -> TestRun:
        if not self._events.packages:
            return self._nothing_loaded()
        result, failed = self._result, self._count("failed")
        if failed:
            exits = f"{failed} failed, but go test exited with 0" if result.exit_code == 0 else None
            return self._run("failed", contradiction=exits)
        return self._without_failure(result)

    def _without_failure(self, result: CommandResult) -> TestRun:
        if result.timed_out:
            return self._run("unusable", reason="the tests did not end in time" + self._still_running())
        if self._unfit:
            ran = f"{self._count('passed')} tests pass, but " if self._count("passed") else ""
            return self._run("none-ran", reason=ran + self._unfit[0])
        if result.exit_code != 0:
            said = f"no test failed, but go test exited with {result.exit_code}"
            return self._run("failed", contradiction=said)
        return self._run("passed") if self._count("passed") else self._none_ran()

    def _package(self, package: GoPackage) -> list[TestCase]:
        if package.failed_build is not None or package.says("[build failed]") or package.says("[setup failed]"):
            return self._unbuilt_package(package)
        cases = []
        for test in package.counted_tests():
            test_id = f"{package.path}.{test.name}"
            if test.outcome in {"passed", "skipped"}:
                cases.append(TestCase(test_id, test.outcome))
            elif test.outcome == "failed" or self._must_have_ended():
                cases.append(self._places.case(package, test, test_id))
        failed = any(case.outcome == "failed" for case in cases)
        if not failed and (package.outcome == "failed" or (package.outcome is None and self._must_have_ended())):
            cases.append(self._places.package_case(package, package.path))
        return cases

    def _must_have_ended(self) -> bool:
        """What has not ended failed, unless we ended the run or the end was left out of the output."""
        return not self._result.timed_out and not self._result.truncated

    def _unbuilt_package(self, package: GoPackage) -> list[TestCase]:
        printed = "".join(self._events.builds.get(package.failed_build or "", [])) or self._result.stderr
        built = read_build_output(printed, self._sources, self._project.path)
        if built.unfit and not built.problems:
            self._unfit.append(f"{package.path} cannot be built here: {built.unfit}")
            return []
        self._unbuilt.append(package.path)
        test_id = f"{package.path} {BUILD_FAILED}"
        if not built.problems:
            return [TestCase(test_id, "failed", message=head(printed))]
        first = built.problems[0]
        return [TestCase(test_id, "failed", first.path or None, first.line or None, first.message)]

    def _nothing_loaded(self) -> TestRun:
        result = self._result
        built = read_build_output(result.stderr, self._sources, self._project.path)
        if built.problems:
            first = built.problems[0]
            case = TestCase(f"./... {BUILD_FAILED}", "failed", first.path or None, first.line or None, first.message)
            return TestRun("failed", failed=1, cases=(case,), unbuilt=("./...",))
        if "no packages to test" in result.stderr:
            return TestRun("none-ran", reason="no Go package of the module is built on this system")
        if result.timed_out:
            return TestRun("unusable", reason="the tests did not end in time")
        if built.unfit:
            return TestRun("none-ran", reason=built.unfit)
        said = head(result.stderr, 300) or "it printed nothing"
        return TestRun("unusable", reason=f"go test told nothing (exit {result.exit_code}): {said}")

    def _none_ran(self) -> TestRun:
        skipped = self._count("skipped")
        if self._result.truncated:
            return self._run("passed")
        if skipped:
            return self._run("none-ran", reason=f"all tests were skipped ({skipped})")
        return self._run("none-ran", reason="the module has no tests to run")

    def _count(self, outcome: str) -> int:
        return sum(case.outcome == outcome for case in self._cases)

    def _run(self, verdict: TestVerdict, *, reason: str | None = None, contradiction: str | None = None) -> TestRun:
        passed, failed, skipped = (self._count(outcome) for outcome in ("passed", "failed", "skipped"))
        known = not self._result.truncated and not self._result.timed_out and not self._unfit
        return TestRun(
            verdict,
            passed=passed if known else None,
            failed=failed if known else None,
            skipped=skipped if known else None,
            total=passed + failed + skipped if known else None,
            cases=tuple(self._cases),
            reason=reason,
            contradiction=contradiction,
            notes=tuple(self._notes()),
            unbuilt=tuple(self._unbuilt),
        )

    def _notes(self) -> list[str]:
        packages = self._events.packages.values()
        cached = sum(package.says("(cached)") for package in packages)
        notes = []
        if cached:
            notes.append(f"results of {cached} package{'s' * (cached != 1)} came from Go's cache")
        if within := sum(package.failed_within() for package in packages):
            notes.append(f"{within} tests failed in packages that pass: their own tests ran them to see that")
        for words in ("[no test files]", "[no tests to run]"):
            if bare := [package.path for package in packages if package.says(words)]:
                shown = ", ".join(bare[:3]) + (f" and {len(bare) - 3} more" if len(bare) > 3 else "")
                notes.append(f"{words.strip('[]')} in {shown}")
        if self._count("failed"):
            notes.extend(self._unfit[:3])
        if self._result.timed_out:
            notes.append("the run did not end in time" + self._still_running())
        if self._result.truncated:
            notes.append("the output was too long to count the tests")
        return notes

    def _still_running(self) -> str:
        running = [
            f"{package.path}.{test.name}"
            for package in self._events.packages.values()
            for test in package.tests
            if test.outcome is None and not any(other.name.startswith(test.name + "/") for other in package.tests)
        ]
        return f"; still running: {', '.join(running[:3])}" if running else ""
