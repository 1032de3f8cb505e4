"""Real runs of pytest with our plugin, held against pytest's own summary and JUnit report."""

import ast
import re
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree as ET

import attrs
import pytest

from tests.harness.python_projects import python_project
from tests.harness.tool_runs import run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.python.testing import detection
from verify_lsp.toolchains.python.testing.pytest_text import summary_line

INI = "[pytest]\n"

EVERY_OUTCOME = """
import pytest

@pytest.fixture
def bad_setup():
    raise RuntimeError("no setup")

@pytest.fixture
def bad_teardown():
    yield
    raise RuntimeError("no teardown")

def test_passes(): pass

def test_fails():
    x = 1
    assert x == 2, "é\\nmore"

def test_cannot_set_up(bad_setup): pass

def test_cannot_tear_down(bad_teardown): pass

def test_fails_twice(bad_teardown): assert 0

@pytest.mark.skip(reason="port 5555 failed: refused")
def test_skips(): pass

@pytest.mark.xfail
def test_fails_as_expected(): assert 0

@pytest.mark.xfail
def test_passes_unexpectedly(): pass

@pytest.mark.xfail(strict=True)
def test_passes_against_a_strict_expectation(): pass

@pytest.mark.parametrize("value", ["日本", "a b", "é::x", "", "@", "[x]"])
def test_odd_ids(value): assert value != "日本"
"""

CASES = {
    "test_passes": "passed",
    "test_fails": "failed",
    "test_cannot_set_up": "failed",
    "test_cannot_tear_down": "failed",
    "test_fails_twice": "failed",
    "test_skips": "skipped",
    "test_fails_as_expected": "skipped",
    "test_passes_unexpectedly": "passed",
    "test_passes_against_a_strict_expectation": "failed",
}


SUBTESTS = """
def test_subtests(subtests):
    for number in range(3):
        with subtests.test(number=number):
            assert number != 1
"""


@attrs.frozen
class Ran:
    project: Project
    step: TestStep
    result: CommandResult
    run: TestRun


def run_pytest(folder: Path, files: Mapping[str, str], *extra: str, changed: tuple[str, ...] = ()) -> Ran:
    project = python_project(folder, {"pytest.ini": INI, **files}, *changed)
    step = there(detection.tests(project, 60.0))
    assert isinstance(step, TestStep)
    assert step.tool == "pytest"
    command = attrs.evolve(step.command, argv=(*step.command.argv, *extra))
    result = run(command, project.place)
    return Ran(project, step, result, step.parse(result))


def printed_counts(result: CommandResult) -> tuple[int, int, int]:
    lines = [counts for line in result.stdout.split("\n") if (counts := summary_line(line)) is not None]
    assert lines, result.stdout + result.stderr
    return lines[-1].passed, lines[-1].failed, lines[-1].skipped


@pytest.fixture(scope="module")
def every_outcome(tmp_path_factory) -> Ran:
    files = {"tests/test_outcomes.py": EVERY_OUTCOME}
    return run_pytest(tmp_path_factory.mktemp("every"), files, "--junitxml={results}/junit.xml")


def test_the_counts_are_those_of_pytests_own_summary(every_outcome):
    assert (every_outcome.run.passed, every_outcome.run.failed, every_outcome.run.skipped) == printed_counts(
        every_outcome.result
    )
    assert every_outcome.run.verdict == "failed"
    assert every_outcome.run.contradiction is None


def test_the_failed_tests_are_those_of_the_junit_report(every_outcome):
    suite = ET.fromstring(every_outcome.result.files["junit.xml"])
    broken = {
        case.get("name")
        for case in suite.iter("testcase")
        if case.find("failure") is not None or case.find("error") is not None
    }
    assert {case.id.partition("::")[2] for case in every_outcome.run.failures()} == broken


def test_setup_call_and_teardown_are_one_test(every_outcome):
    outcomes = {case.id.rpartition("::")[2]: case.outcome for case in every_outcome.run.cases}
    assert {name: outcomes[name] for name in CASES} == CASES
    assert len(every_outcome.run.cases) == len(CASES) + 6


def test_a_failure_is_placed_where_the_tests_own_file_failed(every_outcome):
    by_name = {case.id.rpartition("::")[2]: case for case in every_outcome.run.failures()}
    lines = EVERY_OUTCOME.split("\n")
    failing = by_name["test_fails"]
    assert failing.path == "tests/test_outcomes.py"
    assert lines[(failing.line or 0) - 1].strip().startswith("assert x == 2")
    assert failing.message.startswith("AssertionError: é\n")
    setup = by_name["test_cannot_set_up"]
    assert lines[(setup.line or 0) - 1].strip() == 'raise RuntimeError("no setup")'


def test_expected_failures_and_unexpected_passes_are_told(every_outcome):
    assert "1 test failed as expected" in every_outcome.run.notes
    assert "1 test passed unexpectedly" in every_outcome.run.notes


def test_the_versions_and_the_interpreter_are_told(every_outcome):
    assert every_outcome.run.notes[0].startswith("run by Python 3.")
    assert every_outcome.run.notes[0].endswith("(.venv/bin/python)")


def test_just_the_failed_tests_run_again_whatever_their_ids(every_outcome):
    ids = tuple(case.id for case in every_outcome.run.failures())
    command = every_outcome.step.only(ids)
    assert command is not None
    again = every_outcome.step.parse(run(command, every_outcome.project.place))
    assert {case.id for case in again.cases} == set(ids)
    assert {case.id for case in again.failures()} == set(ids)


def test_a_single_test_with_an_odd_id_runs_alone(every_outcome):
    wanted = next(case.id for case in every_outcome.run.cases if case.id.endswith("[\\xe9::x]"))
    command = every_outcome.step.only((wanted,))
    assert command is not None
    again = every_outcome.step.parse(run(command, every_outcome.project.place))
    assert [(case.id, case.outcome) for case in again.cases] == [(wanted, "passed")]
    assert (again.verdict, again.passed, again.total) == ("passed", 1, 1)


def test_the_users_tree_stays_as_it_was(every_outcome):
    written = {name for name in tree(every_outcome.project.place) if not name.startswith(".venv")}
    assert written == {"pytest.ini", "tests/test_outcomes.py"}


@pytest.mark.parametrize(
    "options",
    [
        "-n 2",
        "-n 2 --dist loadgroup",
        "-qq",
        "-q --tb=no -rN",
        "-p no:terminal",
        "-vv --color=yes",
        "-s --ff",
        "-p no:cacheprovider",
        "-p no:faulthandler -p no:logging -p no:cacheprovider -W error",
    ],
)
def test_options_of_the_project_change_no_count(tmp_path, every_outcome, options):
    ran = run_pytest(
        tmp_path, {"pytest.ini": f"[pytest]\naddopts = {options}\n", "tests/test_outcomes.py": EVERY_OUTCOME}
    )
    expected = every_outcome.run
    assert (ran.run.verdict, ran.run.passed, ran.run.failed, ran.run.skipped, ran.run.total) == (
        expected.verdict,
        expected.passed,
        expected.failed,
        expected.skipped,
        expected.total,
    )
    assert {case.id for case in ran.run.failures()} == {case.id for case in expected.failures()}


@pytest.mark.parametrize("options", ["", "-n 2", "-v"])
def test_subtests_count_as_pytest_counts_them(tmp_path, options):
    ran = run_pytest(tmp_path, {"pytest.ini": f"[pytest]\naddopts = {options}\n", "test_a.py": SUBTESTS})
    assert (ran.run.passed, ran.run.failed, ran.run.skipped) == printed_counts(ran.result)
    assert [case.id for case in ran.run.failures()] == ["test_a.py::test_subtests"]


def test_a_failed_subtest_fails_without_a_terminal_too(tmp_path):
    ran = run_pytest(tmp_path, {"pytest.ini": "[pytest]\naddopts = -p no:terminal\n", "test_a.py": SUBTESTS})
    assert ran.run.verdict == "failed"
    assert [case.id for case in ran.run.failures()] == ["test_a.py::test_subtests"]


def test_failed_tests_run_again_alone_in_workers_too(tmp_path):
    files = {
        "pytest.ini": "[pytest]\naddopts = -n 2 --dist loadgroup\n",
        "test_a.py": "import pytest\n@pytest.mark.xdist_group('g')\ndef test_a(): assert 0\ndef test_b(): pass\n",
    }
    ran = run_pytest(tmp_path, files)
    command = ran.step.only(tuple(case.id for case in ran.run.failures()))
    assert command is not None
    again = ran.step.parse(run(command, ran.project.place))
    assert [case.id for case in again.cases] == [ran.run.failures()[0].id]
    assert again.failed == 1


def test_a_file_that_cannot_be_imported_is_no_failed_test(tmp_path):
    files = {
        "tests/test_a.py": "def test_a(): pass\n",
        "tests/test_b.py": "\nimport nowhere\n",
        "tests/test_c.py": "def test_c(:\n",
    }
    ran = run_pytest(tmp_path, files)
    assert ran.result.exit_code == 2
    assert ran.run.verdict == "unusable"
    assert (ran.run.passed, ran.run.failed) == (None, None)
    assert ran.run.reason is not None
    assert "tests/test_b.py:2: ModuleNotFoundError: No module named 'nowhere'" in ran.run.reason
    assert "tests/test_c.py:1: SyntaxError: invalid syntax" in ran.run.reason
    assert ran.run.unbuilt == ("tests/test_b.py", "tests/test_c.py")


def test_with_other_tests_running_a_broken_file_counts_as_pytest_counts_it(tmp_path):
    files = {
        "pytest.ini": "[pytest]\naddopts = --continue-on-collection-errors\n",
        "test_a.py": "def test_a(): pass\n",
        "test_b.py": "import nowhere\n",
    }
    ran = run_pytest(tmp_path, files)
    assert (ran.run.verdict, ran.run.passed, ran.run.failed) == ("failed", 1, 1)
    assert ran.run.unbuilt == ("test_b.py",)


def test_no_tests_are_neither_passed_nor_failed(tmp_path):
    ran = run_pytest(tmp_path, {"test_a.py": "def check(): pass\n"})
    assert ran.result.exit_code == 5
    assert (ran.run.verdict, ran.run.reason) == ("none-ran", "no tests were collected")


def test_tests_that_are_all_deselected_are_counted(tmp_path):
    files = {"pytest.ini": "[pytest]\naddopts = -k nothing\n", "test_a.py": "def test_a(): pass\n"}
    ran = run_pytest(tmp_path, files)
    assert (ran.run.verdict, ran.run.reason) == ("none-ran", "no tests were left to run: 1 test deselected")


def test_some_deselected_tests_are_told(tmp_path):
    files = {"pytest.ini": "[pytest]\naddopts = -k test_a\n", "test_a.py": "def test_a(): pass\ndef test_b(): pass\n"}
    files["test_b.py"] = "def test_b(): pass\n"
    ran = run_pytest(tmp_path, files)
    assert ran.run.verdict == "passed"
    assert "1 test deselected by the project's options" in ran.run.notes


def test_only_collecting_is_no_pass(tmp_path):
    files = {"pytest.ini": "[pytest]\naddopts = --collect-only\n", "test_a.py": "def test_a(): pass\n"}
    ran = run_pytest(tmp_path, files)
    assert ran.result.exit_code == 0
    assert ran.run.verdict == "none-ran"


def test_printing_help_is_no_pass(tmp_path):
    files = {"pytest.ini": "[pytest]\naddopts = --help\n", "test_a.py": "def test_a(): pass\n"}
    ran = run_pytest(tmp_path, files)
    assert ran.result.exit_code == 0
    assert ran.run.verdict != "passed"


@pytest.mark.parametrize("workers", ["", "-n 2"])
def test_wrong_arguments_are_named(tmp_path, workers):
    files = {"pytest.ini": f"[pytest]\naddopts = {workers} missing_folder\n", "test_a.py": "def test_a(): pass\n"}
    ran = run_pytest(tmp_path, files)
    assert ran.run.verdict == "unusable"
    assert ran.run.reason is not None
    assert "missing_folder" in ran.run.reason


def test_an_unknown_option_is_named(tmp_path):
    ran = run_pytest(tmp_path, {"pytest.ini": "[pytest]\naddopts = --nosuch\n", "test_a.py": "def test_a(): pass\n"})
    assert ran.result.exit_code == 4
    assert (ran.run.verdict, ran.run.reason) == ("unusable", "unrecognized arguments: --nosuch")


def test_a_broken_conftest_is_named(tmp_path):
    ran = run_pytest(tmp_path, {"conftest.py": "import nowhere\n", "test_a.py": "def test_a(): pass\n"})
    assert ran.run.verdict == "unusable"
    assert ran.run.reason is not None
    assert "ModuleNotFoundError: No module named 'nowhere'" in ran.run.reason
    assert "conftest" in ran.run.reason


def test_a_crash_of_pytest_is_named(tmp_path):
    conftest = "def pytest_runtest_protocol(item):\n    raise ValueError('a broken plugin')\n"
    ran = run_pytest(tmp_path, {"conftest.py": conftest, "test_a.py": "def test_a(): pass\n"})
    assert ran.result.exit_code == 3
    assert (ran.run.verdict, ran.run.reason) == ("unusable", "pytest crashed: ValueError: a broken plugin")


def test_leaving_pytest_on_purpose_is_named(tmp_path):
    ran = run_pytest(tmp_path, {"test_a.py": "import pytest\ndef test_a(): pytest.exit('enough')\n"})
    assert ran.result.exit_code == 2
    assert (ran.run.verdict, ran.run.reason) == ("unusable", "Exit: enough")


def test_leaving_pytest_with_success_is_no_pass(tmp_path):
    test = "import pytest\ndef test_a(): pass\ndef test_b(): pytest.exit('enough', returncode=0)\ndef test_c(): pass\n"
    ran = run_pytest(tmp_path, {"test_a.py": test})
    assert ran.result.exit_code == 0
    assert ran.run.verdict == "failed"
    assert ran.run.contradiction is not None


def test_a_process_that_ends_with_success_in_a_test_is_no_pass(tmp_path):
    test = "import os\ndef test_a(): pass\ndef test_b(): os._exit(0)\n"
    ran = run_pytest(tmp_path, {"test_a.py": test})
    assert ran.result.exit_code == 0
    assert ran.run.verdict == "failed"
    assert ran.run.contradiction is not None
    assert [case.id for case in ran.run.failures()] == ["test_a.py::test_b"]


def test_a_test_that_takes_the_process_down_is_named(tmp_path):
    test = "import os, signal\ndef test_with_a_longer_name(): assert 0\ndef test_b(): os.kill(os.getpid(), signal.SIGSEGV)\n"
    ran = run_pytest(tmp_path, {"pytest.ini": "[pytest]\naddopts = -p no:faulthandler\n", "test_a.py": test})
    assert ran.run.verdict == "failed"
    assert (ran.run.passed, ran.run.failed) == (None, None)
    assert [case.id for case in ran.run.failures()] == ["test_a.py::test_with_a_longer_name", "test_a.py::test_b"]


def test_a_test_that_takes_a_worker_down_is_a_failed_test(tmp_path):
    test = "import os\ndef test_a(): pass\ndef test_b(): os._exit(1)\n"
    ran = run_pytest(tmp_path, {"pytest.ini": "[pytest]\naddopts = -n 1\n", "test_a.py": test})
    assert ran.run.verdict == "failed"
    assert "test_a.py::test_b" in {case.id for case in ran.run.failures()}


def test_an_exit_code_bent_to_success_is_a_contradiction(tmp_path):
    conftest = "def pytest_sessionfinish(session):\n    session.exitstatus = 0\n"
    ran = run_pytest(tmp_path, {"conftest.py": conftest, "test_a.py": "def test_a(): assert 0\n"})
    assert ran.result.exit_code == 0
    assert (ran.run.verdict, ran.run.failed) == ("failed", 1)
    assert ran.run.contradiction is not None


def test_an_exit_code_bent_to_failure_is_a_contradiction(tmp_path):
    conftest = "def pytest_sessionfinish(session):\n    session.exitstatus = 1\n"
    ran = run_pytest(tmp_path, {"conftest.py": conftest, "test_a.py": "def test_a(): pass\n"})
    assert (ran.run.verdict, ran.run.passed) == ("failed", 1)
    assert ran.run.contradiction is not None


COVERAGE = """
from types import SimpleNamespace

def pytest_configure(config):
    config.pluginmanager.register(SimpleNamespace(cov_total=50.0, options=SimpleNamespace(cov_fail_under=90.0)), "_cov")

def pytest_sessionfinish(session):
    session.exitstatus = 1
"""


def test_too_little_coverage_is_told_apart_from_failed_tests(tmp_path):
    ran = run_pytest(tmp_path, {"conftest.py": COVERAGE, "test_a.py": "def test_a(): pass\n"})
    assert (ran.run.verdict, ran.run.passed, ran.run.failed, ran.run.contradiction) == ("failed", 1, 0, None)
    assert ran.run.reason == "no test failed, but total coverage is 50.00 %, less than the required 90 %"


def test_too_little_coverage_of_some_tests_alone_fails_nothing(tmp_path):
    ran = run_pytest(tmp_path, {"conftest.py": COVERAGE, "test_a.py": "def test_a(): pass\n"})
    command = ran.step.only(("test_a.py::test_a",))
    assert command is not None
    assert ran.step.parse(run(command, ran.project.place)).verdict == "passed"


@pytest.mark.parametrize("workers", ["", "-n 1"])
def test_stopping_at_the_first_failure_is_told(tmp_path, workers):
    files = {
        "pytest.ini": f"[pytest]\naddopts = -x {workers}\n",
        "test_a.py": "def test_a(): assert 0\ndef test_b(): pass\ndef test_c(): pass\ndef test_d(): pass\n",
    }
    ran = run_pytest(tmp_path, files)
    assert ran.run.verdict == "failed"
    assert "test_a.py::test_a" in {case.id for case in ran.run.failures()}
    assert any(note.startswith("pytest stops after 1 failure") for note in ran.run.notes)


RERUNS = """
from _pytest.runner import runtestprotocol

def pytest_runtest_protocol(item, nextitem):
    for attempt in range(3):
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        failed = any(report.failed for report in reports)
        for report in reports:
            if report.failed and attempt < 2:
                report.outcome = "rerun"
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if not failed:
            break
    return True

def pytest_report_teststatus(report):
    if report.outcome == "rerun":
        return "rerun", "R", "RERUN"
"""


def test_a_test_that_a_plugin_runs_again_is_one_test(tmp_path):
    test = "n = 0\ndef test_a():\n    global n\n    n += 1\n    assert n > 2\ndef test_b(): assert 0\n"
    ran = run_pytest(tmp_path, {"conftest.py": RERUNS, "test_a.py": test})
    assert (ran.run.passed, ran.run.failed, ran.run.total) == (1, 1, 2)
    assert [(case.id, case.outcome) for case in ran.run.cases] == [
        ("test_a.py::test_a", "passed"),
        ("test_a.py::test_b", "failed"),
    ]
    assert "4 failures passed over by a rerun plugin" in ran.run.notes


def test_what_tests_and_conftest_print_counts_nothing(tmp_path):
    conftest = "print('=== 99 passed in 0.1s ===')\ndef pytest_unconfigure():\n    print('=== 98 passed in 0.1s ===')\n"
    ran = run_pytest(
        tmp_path, {"conftest.py": conftest, "test_a.py": "def test_a(): print('7 failed in 0.1s')\n"}, "-s"
    )
    assert (ran.run.verdict, ran.run.passed, ran.run.failed) == ("passed", 1, 0)


def test_the_plugin_prints_nothing(tmp_path):
    ran = run_pytest(tmp_path, {"test_a.py": "def test_a(): pass\n"}, "-q")
    assert re.fullmatch(r"\. +\[100%\]\n1 passed in [\d.]+s\n", ran.result.stdout)
    assert ran.result.stderr == ""


def test_a_test_may_replace_what_the_plugin_works_with(tmp_path):
    test = """
import builtins, json, os, time

def test_a(monkeypatch):
    for module, name in ((builtins, "open"), (os, "getcwd"), (json, "dumps"), (time, "time")):
        monkeypatch.setattr(module, name, None)

def test_b(tmp_path, monkeypatch):
    os.chdir(tmp_path)
    os.environ.clear()
"""
    ran = run_pytest(tmp_path, {"test_a.py": test})
    assert (ran.run.verdict, ran.run.passed, ran.run.failed) == ("passed", 2, 0), ran.result.stdout


def test_a_report_that_was_lost_leaves_the_printed_summary(every_outcome):
    run_again = every_outcome.step.parse(attrs.evolve(every_outcome.result, files={}))
    assert (run_again.passed, run_again.failed, run_again.skipped) == printed_counts(every_outcome.result)
    assert {case.id for case in run_again.failures()} <= {case.id for case in every_outcome.run.failures()}


@pytest.mark.parametrize(
    ("exit_code", "stdout", "verdict"),
    [
        (0, "", "passed"),
        (0, "...\n", "passed"),
        (1, "..F\n", "failed"),
        (5, "", "none-ran"),
        (2, "", "unusable"),
        (3, "", "unusable"),
        (4, "", "unusable"),
        (-11, "", "unusable"),
    ],
)
def test_with_nothing_to_read_the_exit_code_speaks_without_counts(every_outcome, exit_code, stdout, verdict):
    run_again = every_outcome.step.parse(CommandResult(exit_code=exit_code, stdout=stdout))
    assert (run_again.verdict, run_again.passed, run_again.failed) == (verdict, None, None)


def test_a_report_cut_in_half_is_not_read(every_outcome):
    files = dict(every_outcome.result.files)
    files["pytest-summary.json"] = files["pytest-summary.json"][:-40]
    run_again = every_outcome.step.parse(attrs.evolve(every_outcome.result, files=files))
    assert run_again.verdict == "failed"
    assert run_again.passed in {None, every_outcome.run.passed}


def test_a_time_limit_is_no_failure(every_outcome):
    files = {"pytest-tests.jsonl": "", "pytest-running.txt": "test_a.py::test_slow"}
    run_again = every_outcome.step.parse(CommandResult(exit_code=None, timed_out=True, files=files))
    assert (run_again.verdict, run_again.reason) == ("unusable", "the time limit passed while test_a.py::test_slow ran")


def test_a_missing_pytest_is_named(every_outcome):
    said = "/x/bin/python: No module named pytest\n"
    run_again = every_outcome.step.parse(CommandResult(exit_code=1, stderr=said))
    assert run_again.verdict == "unusable"
    assert run_again.reason is not None
    assert "No module named pytest" in run_again.reason


def test_what_is_injected_is_python_3_8():
    modules = list(files("verify_lsp.toolchains.python.injected").iterdir())
    texts = [module.read_text(encoding="utf-8") for module in modules if module.name.endswith(".py")]
    assert len(texts) > 3
    for text in texts:
        ast.parse(text, feature_version=(3, 8))
