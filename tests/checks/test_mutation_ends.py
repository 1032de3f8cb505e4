"""Mutants, and what a session of the tests does at its end."""

import pytest

from tests.harness.mutation import mutated, prepared, ran
from tests.harness.tool_runs import tree

LOCKED = """\
import os
import pytest

@pytest.fixture(scope="session", autouse=True)
def lock():
    open("lock.tmp", "x").close()
    yield
    os.remove("lock.tmp")
"""
TESTS = """\
import core

def test_table():
    assert core.table[1] == 2

def test_times():
    assert core.times(2) == 6

def test_last():
    pass
"""
CORE = "table = [n * 2 for n in range(3)]\n\n\ndef times(x):\n    return x * 3\n"
TAKEN_AWAY = """\
import os, shutil

def pytest_configure():
    os.mkdir("data")
    open("data/x", "w").close()

def {hook}():
    shutil.rmtree("data")
"""
READING = """\
import core

def test_data():
    open("data/x").close()
    assert core.times(2) == 6
    core.more(1), core.again(1)

def test_last():
    pass
"""
UNSEEN = CORE + "\n\ndef more(x):\n    return x + 1\n\n\ndef again(x):\n    return x + 1\n"


def statuses(outcome):
    return {one.line: one.status for one in ran(outcome).mutants}


def test_fixtures_of_the_session_are_torn_down_where_a_mutant_was_noticed(tmp_path):
    files = {"core.py": CORE, "conftest.py": LOCKED, "test_core.py": TESTS}
    context = prepared(tmp_path, files, "core.py")
    before = tree(context.workspace)

    assert statuses(mutated(context)) == {1: "killed", 5: "killed"}
    assert tree(context.workspace) == before


@pytest.mark.parametrize("hook", ["pytest_sessionfinish", "pytest_terminal_summary", "pytest_unconfigure"])
def test_what_a_hook_of_the_project_takes_away_at_the_end_is_there_for_every_mutant(tmp_path, hook):
    files = {"core.py": UNSEEN, "conftest.py": TAKEN_AWAY.format(hook=hook), "test_core.py": READING}
    context = prepared(tmp_path, files, "core.py")
    before = tree(context.workspace)

    assert statuses(mutated(context)) == {1: "survived", 5: "killed", 9: "survived", 13: "survived"}
    assert tree(context.workspace) == before


def test_a_mutant_that_ends_the_session_with_success_is_an_error_and_no_kill(tmp_path):
    leaving = "import os\nimport core\n\ndef test_times():\n    if core.times(2) != 6:\n        os._exit(0)\n"
    context = prepared(tmp_path, {"core.py": CORE, "test_core.py": leaving}, "core.py")

    assert statuses(mutated(context)) == {1: "survived", 5: "error"}
