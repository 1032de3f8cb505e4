"""Mutants in code that runs when a file is loaded: tried where the run is forked at that moment."""

import os

import attrs
import pytest

from tests.harness.mutation import mutated, prepared, ran
from tests.harness.tool_runs import laid_out, tree
from verify_lsp.model.outcome import Skipped

LIMITS = """\
LOW = len("abc") + 4
HIGH = LOW * 2
SPARE = LOW - 1


def between(value):
    return LOW < value < HIGH
"""
TESTS = """\
def test_first():
    assert True


def test_limits():
    from limits import between

    assert between(8)
    assert not between(7)
"""
EAGER = "from limits import between\n\n\ndef test_limits():\n    assert between(8)\n    assert not between(7)\n"


def counting(context):
    """Return the context, and where each run of a whole suite for one mutant is noted."""
    own = []

    async def run(command, place):
        if number := command.env.get("VERIFY_LSP_MUTANT"):
            own.append(number)
        return await context.run(command, place)

    return attrs.evolve(context, run=run), own


def fates(outcome):
    """Each mutant at load by its line: how it ended, and which test noticed."""
    return {one.line: (one.status, one.killed_by) for one in ran(outcome).mutants if not one.function}


def decided_in_the_run(tmp_path, files, changed, **more):
    """The outcome, after it was seen that no suite was run again for a mutant and that nothing was written."""
    context, own = counting(prepared(tmp_path, files, changed, **more))
    before = tree(context.workspace)
    outcome = mutated(context)
    assert own == []
    assert tree(context.workspace) == before
    return outcome


NOTICED = {
    1: ("killed", "test_limits.py::test_limits"),
    2: ("killed", "test_limits.py::test_limits"),
    3: ("survived", None),
}


def test_what_a_test_loads_while_it_runs_goes_on_from_that_test(tmp_path):
    outcome = decided_in_the_run(tmp_path, {"limits.py": LIMITS, "test_limits.py": TESTS}, "limits.py")
    assert fates(outcome) == NOTICED


def test_what_a_conftest_loads_is_met_before_the_first_file_of_tests(tmp_path):
    files = {"limits.py": LIMITS, "conftest.py": "import limits\n", "test_limits.py": EAGER}
    assert fates(decided_in_the_run(tmp_path, files, "limits.py")) == NOTICED


def test_a_file_of_tests_that_cannot_be_loaded_any_more_has_noticed(tmp_path):
    eager = EAGER + "\n\nassert between(8)\n"
    files = {"limits.py": LIMITS, "test_first.py": "def test(): pass\n", "test_limits.py": eager}
    killed = ("killed", "test_limits.py")
    assert fates(decided_in_the_run(tmp_path, files, "limits.py")) == {1: killed, 2: killed, 3: ("survived", None)}


@pytest.mark.parametrize(
    ("mark", "noticed_by"), [("", "test_limits.py::test_limits"), ("order(1)", "test_all.py::test_limits")]
)
def test_the_file_of_tests_that_is_named_for_it_goes_first_unless_tests_hang_on_their_order(tmp_path, mark, noticed_by):
    marked = f"import pytest\npytestmark = pytest.mark.{mark}\n" if mark else ""
    files = {"limits.py": LIMITS, "test_all.py": marked + EAGER, "test_limits.py": EAGER}
    killed = ("killed", noticed_by)

    assert fates(decided_in_the_run(tmp_path, files, "limits.py")) == {1: killed, 2: killed, 3: ("survived", None)}


def test_of_files_that_load_each_other_each_has_the_tests_named_for_it_tried_first(tmp_path):
    files = {"limits.py": "import more\n" + LIMITS, "more.py": "MORE = len('abc') + 4\n", "test_limits.py": EAGER}
    files["test_more.py"] = "import limits\n\n\ndef test():\n    assert limits.more.MORE == 7\n"
    context, own = counting(prepared(tmp_path, files, "limits.py", "more.py"))
    by = {one.path: one.killed_by for one in ran(mutated(context)).mutants if one.line == 1 + (one.path == "limits.py")}

    assert by == {"limits.py": "test_limits.py::test_limits", "more.py": "test_more.py::test"}
    assert own == []


@pytest.mark.parametrize("act", ["subprocess.run(['true'], check=True)", "open('seen', 'w').close()"])
def test_tests_that_others_could_notice_run_when_nothing_else_does(tmp_path, act):
    tests = EAGER.replace(
        "def test_limits", f"def test_apart():\n    import subprocess\n    {act}\n\n\ndef test_limits"
    )
    files = {"limits.py": LIMITS, "test_limits.py": tests, ".gitignore": "seen\n"}
    context, own = counting(prepared(tmp_path, files, "limits.py"))

    assert fates(mutated(context)) == NOTICED
    assert own == []


def test_one_that_does_not_end_is_a_time_out(tmp_path):
    limits = "LEFT = len('abc')\nwhile LEFT > 0:\n    LEFT -= 1\n"
    files = {"limits.py": limits, "test_limits.py": "import limits\n\n\ndef test():\n    assert limits.LEFT == 0\n"}

    assert fates(decided_in_the_run(tmp_path, files, "limits.py"))[3] == ("timeout", None)


def test_a_test_that_fails_in_another_home_as_well_shows_nothing(tmp_path):
    homely = EAGER.replace(
        "    assert between(8)\n", "    assert __import__('os').environ['HOME'] == {!r}\n    assert between(8)\n"
    )
    home = os.environ["HOME"]
    files = {
        "limits.py": LIMITS.replace("HIGH = LOW * 2\nSPARE = LOW - 1\n", "HIGH = 14\n"),
        "test_limits.py": homely.format(home),
    }
    outcome = ran(mutated(prepared(tmp_path, files, "limits.py")))

    assert {status for status, _ in fates(outcome).values()} == {"error"}
    assert any("home folder of their own" in gap for gap in outcome.unverified)


def test_tests_that_pass_with_an_error_in_the_place_of_the_file_give_no_score(tmp_path):
    tests = "def test():\n    try:\n        import limits\n    except Exception:\n        pass\n"
    outcome = mutated(
        prepared(tmp_path, {"limits.py": "SPARE = len('abc') - 1\n", "test_limits.py": tests}, "limits.py")
    )

    assert isinstance(outcome, Skipped)
    assert "the tests pass as well with an error in the place of the whole file" in outcome.reason


UNITTESTS = """\
import unittest
from limits import between


class First(unittest.TestCase):
    def test(self):
        pass


class Limits(unittest.TestCase):
    def test(self):
        self.assertTrue(between(8))
        self.assertFalse(between(7))
"""


def test_unittest_goes_on_from_that_moment_as_well(tmp_path):
    context, own = counting(prepared(tmp_path, {"limits.py": LIMITS, "test_limits.py": UNITTESTS}, "limits.py"))
    (context.workspace / "pytest.ini").unlink()
    before = tree(context.workspace)

    killed = ("killed", "test_limits.Limits.test")
    assert fates(mutated(context)) == {1: killed, 2: killed, 3: ("survived", None)}
    assert own == []
    assert tree(context.workspace) == before


MANAGE = "import unittest\nimport settings\n\nunittest.main(module=None, argv=['manage.py', 'app.test_limits'])\n"
APP = {
    "manage.py": MANAGE,
    "settings.py": "",
    "app/__init__.py": "",
    "app/limits.py": LIMITS,
    "app/test_limits.py": UNITTESTS.replace("from limits", "from app.limits"),
}


def test_where_djangos_own_program_runs_the_tests_all_mutants_are_met_at_that_moment(tmp_path):
    context = prepared(tmp_path, APP, "app/limits.py")
    (context.workspace / "pytest.ini").unlink()
    site = next((context.workspace / ".venv/lib").glob("python*/site-packages"))
    laid_out(site, {"Django-5.2.dist-info/METADATA": ""})
    context, own = counting(context)
    outcome = mutated(context)

    killed = ("killed", "app.test_limits.Limits.test")
    assert fates(outcome) == {1: killed, 2: killed, 3: ("survived", None)}
    assert [one.status for one in ran(outcome).mutants if one.function == "between"] == ["killed"]
    assert own == []


def test_where_threads_run_beside_the_tests_all_mutants_are_met_at_that_moment(tmp_path):
    thread = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    context, own = counting(prepared(tmp_path, {"limits.py": LIMITS, "test_limits.py": EAGER + thread}, "limits.py"))
    outcome = ran(mutated(context))

    assert fates(outcome) == NOTICED
    assert [(one.status, one.tests) for one in outcome.mutants if one.function == "between"] == [("killed", 1)]
    assert own == []


def test_a_log_of_the_tests_holds_what_the_tests_themselves_said(tmp_path):
    ini = "[pytest]\npythonpath = .\nlog_file = run.log\nlog_file_level = INFO\nlog_file_format = %(message)s\n"
    logged = EAGER.replace(
        "    assert between(8)\n", "    __import__('logging').info(f'eight: {between(8)}')\n    assert between(8)\n"
    )
    context = prepared(tmp_path, {"pytest.ini": ini, "limits.py": LIMITS, "test_limits.py": logged}, "limits.py")
    outcome = mutated(context)

    assert fates(outcome) == NOTICED
    assert [one.status for one in ran(outcome).mutants if one.function == "between"] == ["killed"]
    assert (context.workspace / "run.log").read_text() == "eight: True\n"
