"""Real runs of unittest with our runner, held against unittest's own summary."""

from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest

from tests.harness.python_projects import bare_project, small_environment
from tests.harness.tool_runs import laid_out, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Project, TestStep
from verify_lsp.toolchains.python.testing import detection
from verify_lsp.toolchains.python.testing.output import parse_tests

EVERY_OUTCOME = """
import unittest

class Test(unittest.TestCase):
    def test_passes(self): pass

    def test_fails(self):
        x = 1
        self.assertEqual(x, 2, "é")

    def test_errs(self): raise OSError("no")

    @unittest.skip("why not")
    def test_skips(self): pass

    @unittest.expectedFailure
    def test_fails_as_expected(self): self.fail()

    @unittest.expectedFailure
    def test_passes_unexpectedly(self): pass

    def test_subtests(self):
        for number in range(4):
            with self.subTest(number=number):
                self.assertEqual(number % 2, 0)

    def test_runs_tests_itself(self):
        class Inner(unittest.TestCase):
            def test_inner(self): self.fail()
        result = unittest.TestResult()
        Inner("test_inner").run(result)
        self.assertEqual(len(result.failures), 1)

class BadSetup(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise OSError("no class")

    def test_never_runs(self): pass

class BadTearDown(unittest.TestCase):
    def tearDown(self): raise OSError("no end")

    def test_passes_first(self): pass
"""

FAILED = {
    "test_every.Test.test_fails",
    "test_every.Test.test_errs",
    "test_every.Test.test_passes_unexpectedly",
    "test_every.Test.test_subtests",
    "test_every.BadTearDown.test_passes_first",
    "setUpClass (test_every.BadSetup)",
}


@attrs.frozen
class Ran:
    project: Project
    step: TestStep
    result: CommandResult
    run: TestRun


def run_unittest(folder: Path, files: Mapping[str, str], tool: str = "unittest", packages: tuple[str, ...] = ()) -> Ran:
    project = bare_project(folder, files)
    small_environment(project.workspace, packages)
    step = there(detection.tests(project, 60.0))
    assert isinstance(step, TestStep)
    assert step.tool == tool
    result = run(step.command, project.place)
    return Ran(project, step, result, step.parse(result))


@pytest.fixture(scope="module")
def every_outcome(tmp_path_factory) -> Ran:
    return run_unittest(tmp_path_factory.mktemp("every"), {"tests/test_every.py": EVERY_OUTCOME})


def test_every_failed_test_is_named_once(every_outcome):
    assert {case.id for case in every_outcome.run.failures()} == FAILED
    assert len(every_outcome.run.failures()) == len(FAILED)


def test_the_counts_are_those_of_the_printed_summary(every_outcome):
    printed = parse_tests(every_outcome.result)
    assert printed is not None
    run_ = every_outcome.run
    assert (run_.verdict, run_.passed, run_.failed, run_.skipped, run_.total) == ("failed", 2, 6, 1, 10)
    assert (printed.passed, printed.failed, printed.skipped, printed.total) == (2, 6, 1, 10)


def test_a_failure_is_placed_where_the_tests_own_file_failed(every_outcome):
    failing = next(case for case in every_outcome.run.failures() if case.id.endswith("test_fails"))
    assert failing.path == "tests/test_every.py"
    assert EVERY_OUTCOME.split("\n")[(failing.line or 0) - 1].strip().startswith("self.assertEqual(x, 2")
    assert failing.message == "AssertionError: 1 != 2 : é"


def test_subtests_and_unexpected_successes_are_told(every_outcome):
    assert {"2 failing subtests", "1 unexpected successes"} <= set(every_outcome.run.notes)


def test_just_the_failed_tests_run_again(every_outcome):
    ids = ("test_every.Test.test_fails", "test_every.Test.test_passes")
    command = every_outcome.step.only(ids)
    assert command is not None
    again = every_outcome.step.parse(run(command, every_outcome.project.place))
    assert {case.id: case.outcome for case in again.cases} == {ids[0]: "failed", ids[1]: "passed"}


def test_the_users_tree_stays_as_it_was(every_outcome):
    written = {name for name in tree(every_outcome.project.place) if not name.startswith(".venv")}
    assert written == {"tests/test_every.py"}


def test_tests_in_several_folders_are_all_found(tmp_path):
    test = "import unittest\nclass T(unittest.TestCase):\n    def test_{0}(self): pass\n"
    files = {
        "test_top.py": test.format("top"),
        "pkg/__init__.py": "",
        "pkg/tests/__init__.py": "",
        "pkg/tests/test_inner.py": test.format("inner"),
        "checks/test_loose.py": test.format("loose"),
    }
    ran = run_unittest(tmp_path, files)
    assert (ran.run.verdict, ran.run.passed) == ("passed", 3)
    assert {case.id for case in ran.run.cases} == {
        "test_top.T.test_top",
        "pkg.tests.test_inner.T.test_inner",
        "test_loose.T.test_loose",
    }


def test_files_that_end_in_test_are_found(tmp_path):
    ran = run_unittest(
        tmp_path, {"a_test.py": "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"}
    )
    assert (ran.run.verdict, ran.run.passed) == ("passed", 1)


def test_a_file_that_cannot_be_imported_fails(tmp_path):
    ran = run_unittest(tmp_path, {"test_a.py": "import unittest\nimport nowhere\nclass T(unittest.TestCase): pass\n"})
    assert (ran.run.verdict, ran.run.failed) == ("failed", 1)
    assert "No module named 'nowhere'" in ran.run.failures()[0].message


def test_no_tests_are_no_pass(tmp_path):
    ran = run_unittest(tmp_path, {"test_a.py": "import unittest\n"})
    assert ran.run.verdict == "none-ran"


def test_skipped_tests_alone_are_no_pass(tmp_path):
    test = "import unittest\n@unittest.skip('no')\nclass T(unittest.TestCase):\n    def test_a(self): pass\n"
    ran = run_unittest(tmp_path, {"test_a.py": test})
    assert (ran.run.verdict, ran.run.skipped) == ("none-ran", 1)


def test_a_process_that_ends_with_success_in_a_test_is_no_pass(tmp_path):
    test = "import os, unittest\nclass T(unittest.TestCase):\n    def test_a(self): os._exit(0)\n"
    ran = run_unittest(tmp_path, {"test_a.py": test})
    assert ran.result.exit_code == 0
    assert ran.run.verdict == "failed"
    assert ran.run.contradiction is not None
    assert [case.id for case in ran.run.failures()] == ["test_a.T.test_a"]


def test_leaving_with_success_while_tests_are_loaded_is_no_pass(tmp_path):
    ran = run_unittest(tmp_path, {"test_a.py": "import os, unittest\nos._exit(0)\nclass T(unittest.TestCase): pass\n"})
    assert ran.result.exit_code == 0
    assert ran.run.verdict == "unusable"


def test_what_tests_print_counts_nothing(tmp_path):
    test = """
import sys, unittest

class T(unittest.TestCase):
    def test_a(self):
        print("\\nRan 99 tests in 0.1s\\n\\nFAILED (failures=98)\\n", file=sys.stderr)
"""
    ran = run_unittest(tmp_path, {"test_a.py": test})
    assert (ran.run.verdict, ran.run.passed, ran.run.failed) == ("passed", 1, 0)


MANAGE = """
import sys, unittest

assert sys.argv[1:3] == ["test", "--noinput"], sys.argv
labels = sys.argv[3:] or ["app.test_a"]
import settings
print("Found 2 test(s).")
try:
    unittest.main(module=None, argv=["manage.py", *labels])
finally:
    print("Destroying test database for alias 'default'...", file=sys.stderr)
"""


@pytest.fixture
def django(tmp_path) -> Ran:
    # The script stands in for Django's: it, too, hands its tests to unittest.
    test = "import unittest\nclass T(unittest.TestCase):\n    def test_a(self): pass\n    def test_b(self): self.fail('b')\n"
    project = bare_project(
        tmp_path,
        {"manage.py": MANAGE, "settings.py": "", "app/__init__.py": "", "app/tests.py": "", "app/test_a.py": test},
    )
    site = small_environment(project.workspace, ())
    laid_out(site, {"Django-5.2.dist-info/METADATA": ""})
    step = there(detection.tests(project, 60.0))
    assert isinstance(step, TestStep)
    result = run(step.command, project.place)
    return Ran(project, step, result, step.parse(result))


def test_djangos_command_is_watched_from_inside(django):
    assert django.step.tool == "manage.py test"
    assert (django.run.verdict, django.run.passed, django.run.failed) == ("failed", 1, 1)
    assert [(case.id, case.path) for case in django.run.failures()] == [("app.test_a.T.test_b", "app/test_a.py")]


def test_djangos_command_runs_single_tests(django):
    command = django.step.only(("app.test_a.T.test_a",))
    assert command is not None
    again = django.step.parse(run(command, django.project.place))
    assert [case.id for case in again.cases] == ["app.test_a.T.test_a"]


def test_an_id_that_is_no_label_is_not_put_on_djangos_command_line(django):
    assert django.step.only(("setUpClass (app.test_a.T)",)) is None
    assert django.step.only(("--settings=evil",)) is None
