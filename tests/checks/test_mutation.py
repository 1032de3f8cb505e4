"""Real tests of small projects, and whether they notice faults in what was added."""

import re
import subprocess

import attrs
import pytest

from tests.harness.mutation import added, context_for, counts, mutated, prepared, ran, run_both
from tests.harness.python_projects import copy_of, python_project
from tests.harness.tool_runs import tree
from verify_lsp.checks import mutation
from verify_lsp.checks.base import ProjectOf
from verify_lsp.model.change import Change
from verify_lsp.model.outcome import Skipped
from verify_lsp.toolchains.go.toolchain import TOOLCHAIN as GO

SHOP = """\
def price(amount, member):
    if amount >= 100 and member:
        return amount - 10
    return amount


def unused(amount):
    return amount + 1
"""
SHOP_TESTS = """\
from shop import price


def test_members():
    assert price(200, True) == 190


def test_others():
    assert price(200, False) == 200
"""
FILES = {"shop.py": SHOP, "test_shop.py": SHOP_TESTS}


def only(outcome, rule="mutation-survived"):
    return [(finding.path, finding.line, finding.message) for finding in ran(outcome).findings if finding.rule == rule]


def without_chance(outcome):
    """The name of a private folder and the seconds that pytest prints differ from run to run."""
    return re.sub(r"verify-lsp-\w+|in \d+\.\d+s|=+", "", repr(outcome))


def test_a_fault_that_no_test_notices_is_a_finding_at_its_line(tmp_path):
    outcome = mutated(prepared(tmp_path, FILES, "shop.py"))

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}
    assert only(outcome) == [
        ("shop.py", 2, "changing `>=` to `>` here goes unnoticed by the 2 tests that run it"),
    ]
    assert only(outcome, "mutation-not-covered") == [
        ("shop.py", 8, "no test runs this line, so that changing `+` to `-` here would go unnoticed"),
    ]
    assert outcome.verdict == "warn"
    assert outcome.summary == ("the tests notice 2 of 4 faults put into added lines; 1 is on a line that no test runs")


def test_the_tests_check_and_this_one_share_a_run_and_its_outcome_is_what_it_is_alone(tmp_path):
    context = prepared(tmp_path, FILES, "shop.py")
    runs = []

    async def counting(command, place):
        runs.append(command.argv)
        return await context.run(command, place)

    together, outcome = run_both(attrs.evolve(context, run=counting))
    import anyio

    from verify_lsp.checks import tests

    alone = anyio.run(tests.check, context)
    assert without_chance(together) == without_chance(alone)
    assert counts(outcome)["killed"] == 2
    assert sum("pytest" in argv for argv in runs) == 1


@pytest.mark.parametrize("options", ["", "-s", "--capture=sys", "-p no:terminal", "-q -x -v"])
def test_no_option_of_the_project_changes_either_outcome(tmp_path, options):
    files = {**FILES, "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {options}\n"}
    tests_outcome, outcome = run_both(prepared(tmp_path, files, "shop.py"))

    assert ran(tests_outcome).metrics["passed"] == 2
    assert counts(outcome)["killed"] == 2


def test_the_users_tree_is_not_written_to(tmp_path):
    context = prepared(tmp_path, FILES, "shop.py")
    before = tree(context.workspace)

    run_both(context)

    assert tree(context.workspace) == before


def test_bytecode_that_lies_about_is_neither_read_nor_replaced(tmp_path):
    context = prepared(tmp_path, FILES, "shop.py")
    import py_compile

    py_compile.compile(
        str(context.workspace / "shop.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    before = tree(context.workspace)

    assert counts(mutated(context))["killed"] == 2
    assert tree(context.workspace) == before


@pytest.mark.parametrize(
    "text",
    [
        'def f(log):\n    """a == b"""\n    # comment with ==\n    log.info("a == b")\n',
        "from typing import Optional\n\nx: Optional[int] = None\n",
        'def f():\n    raise ValueError("bad > value")\n',
        '__all__ = ["f"]\n\n\nimport os\n',
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import os\n",
    ],
)
def test_where_nothing_can_be_wrong_there_is_nothing_to_verify_rather_than_a_score_of_zero(tmp_path, text):
    outcome = mutated(prepared(tmp_path, {"shop.py": text, "test_shop.py": SHOP_TESTS}, "shop.py"))

    assert outcome == Skipped(mutation.NOTHING, needless=True)


def test_changed_tests_have_no_mutants(tmp_path):
    assert mutated(prepared(tmp_path, FILES, "test_shop.py")) == Skipped(mutation.NOTHING, needless=True)


def test_tests_that_fail_by_themselves_are_no_measure(tmp_path):
    files = {**FILES, "test_red.py": "def test_red():\n    assert False\n"}
    tests_outcome, outcome = run_both(prepared(tmp_path, files, "shop.py"))

    assert ran(tests_outcome).verdict == "fail"
    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("the tests fail without any mutant")
    assert not outcome.needless


def test_a_test_that_fails_at_times_kills_nothing_and_leaves_no_score(tmp_path):
    notes = tmp_path / "notes"
    notes.mkdir()
    flaky = f"""\
import os
from shop import price

def test_flaky():
    price(200, True)
    number = len(os.listdir({str(notes)!r}))
    open(os.path.join({str(notes)!r}, str(number)), "w").close()
    assert number % 3 == 0
"""
    outcome = mutated(prepared(tmp_path, {"shop.py": SHOP, "test_flaky.py": flaky}, "shop.py"))

    told = ran(outcome)
    assert told.metrics["killed"] == 0
    assert told.metrics["score"] is None
    assert told.verdict == "warn"
    assert any("test_flaky" in gap for gap in told.unverified)


def test_tests_that_run_an_installed_copy_are_said_and_give_no_score(tmp_path):
    files = {"src/pkg/__init__.py": "", "src/pkg/core.py": SHOP, "pytest.ini": "[pytest]\n"}
    files["test_core.py"] = SHOP_TESTS.replace("from shop", "from pkg.core")
    context = prepared(tmp_path, files, "src/pkg/core.py")
    site = next((context.workspace / ".venv/lib").glob("python*/site-packages"))
    (site / "pkg").mkdir()
    (site / "pkg/__init__.py").write_text("")
    (site / "pkg/core.py").write_text(SHOP)
    (site / "workspace-1.dist-info").mkdir()
    (site / "workspace-1.dist-info/METADATA").write_text("Name: workspace\nVersion: 1\n")
    (context.workspace / "pyproject.toml").write_text('[project]\nname = "workspace"\nversion = "1"\n')

    outcome = mutated(context)

    assert isinstance(outcome, Skipped), outcome
    assert "site-packages" in outcome.reason
    assert not outcome.needless


def test_a_file_that_says_something_else_by_now_is_not_judged(tmp_path):
    project = python_project(tmp_path, {"pytest.ini": "[pytest]\npythonpath = .\n", **FILES}, "shop.py")
    context = context_for(project, Change((added("shop.py", SHOP.replace("- 10", "- 20")),)))

    outcome = mutated(context)

    assert isinstance(outcome, Skipped)
    assert "does not hold the text that is verified" in outcome.reason


def test_an_endless_loop_is_a_time_out_and_no_kill(tmp_path):
    files = {
        "loop.py": "def down(i):\n    while i > 0:\n        i -= 1\n    return i\n",
        "test_loop.py": "from loop import down\n\n\ndef test_down():\n    assert down(3) == 0\n",
    }
    outcome = ran(mutated(prepared(tmp_path, files, "loop.py")))

    assert outcome.metrics["timeout"] == 1
    assert outcome.metrics["killed"] == 2
    assert "1 more ran into the time limit" in outcome.summary


LOADED = """\
def _limit(factor):
    return factor + 1


TABLE = [value * 2 for value in range(3)]
TOP = _limit(3)


def top():
    return TOP


def first():
    return TABLE
"""
LOADED_TESTS = "import loaded\n\n\ndef test_top():\n    assert loaded.top() == 4\n    assert len(loaded.TABLE) == 3\n"


def test_code_that_runs_when_a_file_is_loaded_is_tried_in_processes_of_its_own(tmp_path):
    files = {"loaded.py": LOADED, "test_loaded.py": LOADED_TESTS}
    outcome = mutated(prepared(tmp_path, files, "loaded.py"))

    # `_limit` is called while the file is loaded, and so are the lines of `TABLE` and `TOP`.
    assert counts(outcome) == {"mutants": 5, "killed": 3, "survived": 1, "no_coverage": 1, "score": 0.6}
    assert [line for _, line, _ in only(outcome)] == [5]


@pytest.mark.parametrize("decided_at_once", [0, 1])
def test_tests_that_are_changed_while_processes_of_their_own_try_mutants_decide_nothing(tmp_path, decided_at_once):
    more = "\n\ndef late(value):\n    return value + 1\n" if decided_at_once else ""
    calls = "    assert loaded.late(1) == 2\n" if decided_at_once else ""
    source, tests = (
        "TABLE = [value * 2 for value in range(3)]\n" + more,
        "import loaded\n\n\ndef test():\n    assert loaded.TABLE\n",
    )
    files = {"loaded.py": source, "test_loaded.py": tests + calls}
    context = prepared(tmp_path, files, "loaded.py", "test_loaded.py")

    async def changing(command, place):
        result = await context.run(command, place)
        if "mutants.json" in result.files:
            (context.workspace / "test_loaded.py").write_text("def test(): raise ValueError\n", encoding="utf-8")
        return result

    outcome = mutated(attrs.evolve(context, run=changing))

    why = "test_loaded.py was changed while mutants were tried on the tests; run again"
    if decided_at_once:
        assert counts(outcome) == {"mutants": 1, "killed": 1, "score": 1}
        assert why in ran(outcome).unverified
    else:
        assert isinstance(outcome, Skipped)
        assert outcome.reason == why


def test_a_run_that_does_not_come_about_is_no_kill(tmp_path):
    conftest = """\
import os, pytest
def pytest_collection_finish():
    if os.environ.get("VERIFY_LSP_MUTANT"):
        pytest.exit("out of order", returncode=4)
"""
    files = {
        "loaded.py": LOADED.split("def top", maxsplit=1)[0],
        "test_loaded.py": "import loaded\n\ndef test(): pass\n",
        "conftest.py": conftest,
    }
    outcome = ran(mutated(prepared(tmp_path, files, "loaded.py")))

    assert outcome.metrics["killed"] == 0
    assert outcome.metrics["error"] == 3
    assert outcome.metrics["score"] is None
    assert "a mutant, because pytest ended with exit code 4" in outcome.unverified


def test_what_a_shared_fixture_reaches_counts_for_every_test_that_uses_it(tmp_path):
    tests = """\
import pytest
from shop import price

@pytest.fixture(scope="session")
def cheap():
    return price(200, True)

@pytest.fixture
def through(request):
    return request.getfixturevalue("cheap")

def test_first(cheap): pass
def test_second(through): assert through == 190
"""
    outcome = mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    assert counts(outcome)["killed"] == 1
    assert only(outcome) == [("shop.py", 2, "changing `>=` to `>` here goes unnoticed by the 2 tests that run it")]


def test_tests_whose_parameters_are_used_up_are_run_as_if_for_the_first_time(tmp_path):
    tests = """\
import pytest
from shop import price

@pytest.mark.parametrize("amounts", [iter([200])])
def test_price(amounts):
    assert [price(each, True) for each in amounts] == [190]
"""
    outcome = mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    assert counts(outcome)["killed"] == 1
    assert len(only(outcome)) == 1


def test_a_test_that_needs_another_before_it_kills_nothing_by_being_alone(tmp_path):
    tests = """\
from shop import price
SEEN = []

def test_first():
    SEEN.append(1)

def test_second():
    assert SEEN
    price(200, True)
"""
    outcome = mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    assert ran(outcome).metrics["killed"] == 0
    assert ran(outcome).metrics["survived"] == 2


def test_code_that_tests_start_as_a_process_is_mutated_too(tmp_path):
    tests = """\
import subprocess, sys

def test_program():
    assert subprocess.run([sys.executable, "-c", "import shop; print(shop.price(200, True))"], capture_output=True).stdout.strip() == b"190"
"""
    outcome = mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    assert counts(outcome) == {"mutants": 4, "killed": 1, "survived": 1, "no_coverage": 2, "score": 0.25}


def test_tests_that_need_the_project_for_themselves_are_never_run_side_by_side(tmp_path):
    tests = """\
import os
import pytest
from shop import price

@pytest.mark.parametrize("amount", range(150, 162))
def test_price(amount):
    os.close(os.open("taken", os.O_CREAT | os.O_EXCL))
    try:
        assert sum(price(amount, True) for _ in range(20_000)) == (amount - 10) * 20_000
    finally:
        os.unlink("taken")
"""
    context = prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py")
    outcome = mutated(context)

    assert counts(outcome) == {"mutants": 4, "killed": 1, "survived": 1, "no_coverage": 2, "score": 0.25}
    assert not (context.workspace / "taken").exists()


def test_mutants_are_tried_while_later_tests_still_run(tmp_path):
    tests = """\
import os, time
from shop import price

def test_others():
    assert price(200, False) == 200

def test_members():
    assert price(200, True) == 190

def test_last():
    litter = os.path.join(os.environ["VERIFY_LSP_RESULTS"], "zz-mutants")
    ends = time.monotonic() + 30
    while not os.path.isdir(litter) and time.monotonic() < ends:
        os.sched_yield()
    assert os.path.isdir(litter)
"""
    tests_outcome, outcome = run_both(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    assert ran(tests_outcome).verdict == "pass"
    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}


def test_a_test_that_closes_files_it_did_not_open_leaves_its_mutants_to_processes_of_their_own(tmp_path):
    tests = """\
import os, stat
from shop import price

def test_price():
    mine = os.open(__file__, os.O_RDONLY)
    for number in range(3, 99):
        if os.path.exists(f"/proc/self/fd/{number}") and stat.S_ISFIFO(os.fstat(number).st_mode):
            os.dup2(mine, number)
    assert price(200, True) == 190
"""
    files = {"shop.py": SHOP, "test_shop.py": tests, "pytest.ini": "[pytest]\npythonpath = .\naddopts = -s\n"}
    context = prepared(tmp_path, files, "shop.py")

    assert counts(mutated(context)) == {"mutants": 4, "killed": 1, "survived": 1, "no_coverage": 2, "score": 0.25}
    assert {name: (context.workspace / name).read_text() for name in files} == files


def test_an_answer_that_is_remembered_reaches_tests_that_never_run_the_line(tmp_path):
    source = "from functools import lru_cache\n\n\n@lru_cache\ndef table():\n    return {1: 1 + 1}\n"
    tests = "from cached import table\n\n\ndef test_first():\n    table()\n\n\ndef test_second():\n    assert table() == {1: 2}\n"
    outcome = mutated(prepared(tmp_path, {"cached.py": source, "test_cached.py": tests}, "cached.py"))

    assert counts(outcome) == {"mutants": 1, "killed": 1, "score": 1}


def test_a_mutant_that_brings_its_process_down_is_noticed(tmp_path):
    source = "import os\n\n\ndef guard(a):\n    if a < 1:\n        os._exit(3)\n    return a\n"
    tests = "from guard import guard\n\n\ndef test_guard():\n    guard(1)\n"
    outcome = mutated(prepared(tmp_path, {"guard.py": source, "test_guard.py": tests}, "guard.py"))

    assert ran(outcome).metrics["killed"] == 1


def test_tests_that_threads_run_beside_are_tried_in_processes_of_their_own(tmp_path):
    conftest = "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n"
    outcome = mutated(prepared(tmp_path, {**FILES, "conftest.py": conftest}, "shop.py"))

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}


def test_tests_that_run_in_several_processes_are_tried_in_one(tmp_path):
    files = {**FILES, "pytest.ini": "[pytest]\npythonpath = .\naddopts = -n 2\n"}
    tests_outcome, outcome = run_both(prepared(tmp_path, files, "shop.py"))

    assert ran(tests_outcome).metrics["passed"] == 2
    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}


def test_mutants_find_no_home_and_no_temporary_folder_of_the_users(tmp_path):
    notes = tmp_path / "notes"
    tests = f"""\
import os, tempfile
from pathlib import Path
from shop import price

def test_price(tmp_path):
    with open({str(notes)!r}, "a") as file:
        print(price(200, True), Path.home(), tempfile.gettempdir(), tmp_path, sep="|", file=file)
"""
    mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))

    told = [line.split("|") for line in notes.read_text().splitlines()]
    homes, folders = {line[1] for line in told if line[0] != "190"}, {line[2] for line in told if line[0] != "190"}
    assert len(told) > 2
    assert all("zz-mutants" in place for place in homes | folders)
    assert all("zz-mutants" in line[3] for line in told if line[0] != "190")


def test_the_time_limit_is_kept_and_what_was_left_out_is_said(tmp_path):
    source = "".join(f"def f{n}(a):\n    return a + {n + 7}\n\n\n" for n in range(6))
    calls = "".join(f"    m.f{n}(1)\n" for n in range(6))
    tests = f"import m\nimport time\n\n\ndef test():\n    time.sleep(2)\n{calls}"
    outcome = ran(mutated(prepared(tmp_path, {"m.py": source, "test_m.py": tests}, "m.py", timeout_secs=20)))

    assert 0 < outcome.metrics["mutants"] < 6
    assert any("the time limit left no room" in gap for gap in outcome.unverified)
    assert outcome.verdict != "pass"


def test_at_most_so_many_mutants_as_the_settings_say_are_tried(tmp_path):
    outcome = mutated(prepared(tmp_path, FILES, "shop.py", mutation_max_mutants=2))

    assert ran(outcome).metrics["mutants"] == 2


def test_a_copy_of_the_tree_is_tried_in_its_own_files(tmp_path):
    project = python_project(
        tmp_path, {"pytest.ini": "[pytest]\npythonpath = .\n", "shop.py": "old = 1 / 0\n"}, "shop.py"
    )
    copy = copy_of(project, {"pytest.ini": "[pytest]\npythonpath = .\n", **FILES}, "shop.py")
    outcome = mutated(context_for(copy, Change((added("shop.py", SHOP),))))

    assert counts(outcome)["killed"] == 2


def test_a_sitecustomize_of_the_environment_is_run_as_before(tmp_path):
    test = "import sys, before\n\ndef test(): assert getattr(sys, 'of_the_user', 0) == before.OF_THE_USER\n"
    context = prepared(tmp_path, {**FILES, "test_site.py": test}, "shop.py")
    site = next((context.workspace / ".venv/lib").glob("python*/site-packages"))
    (site / "sitecustomize.py").write_text("import sys\nsys.of_the_user = 1\n")
    # Some systems come with one of their own, which goes before any other.
    asked = [context.workspace / ".venv/bin/python", "-c", "import sys; print(getattr(sys, 'of_the_user', 0))"]
    before = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    (site / "before.py").write_text(f"OF_THE_USER = {before}")
    tests_outcome, outcome = run_both(context)

    assert ran(tests_outcome).verdict == "pass"
    assert counts(outcome)["killed"] == 2


def noting(notes):
    return f"""\
from shop import price
from loaded import top

def test_price():
    amount = price(200, True)
    if amount != 190:
        open({str(notes)!r}, "a").write("x")
    assert amount == 190

def test_top():
    at_load = top()
    if at_load != 4:
        open({str(notes)!r}, "a").write("t")
    assert at_load == 4
"""


def remembered(tmp_path):
    notes = tmp_path / "notes"
    files = {"shop.py": SHOP, "loaded.py": LOADED, "test_all.py": noting(notes)}
    context = prepared(tmp_path, files, "shop.py", "loaded.py")
    outcome = mutated(context)
    assert set(notes.read_text()) == {"x", "t"}
    notes.write_text("")
    return context, notes, outcome


def test_a_mutant_whose_function_and_tests_are_the_same_is_not_tried_again(tmp_path):
    context, notes, outcome = remembered(tmp_path)

    again = ran(mutated(context))
    assert again.findings == ran(outcome).findings
    assert again.metrics == ran(outcome).metrics
    assert notes.read_text() == ""


def test_lines_above_a_function_change_nothing_for_its_mutants(tmp_path):
    context, notes, _ = remembered(tmp_path)
    text = "# A comment.\n\n" + SHOP
    (context.workspace / "shop.py").write_text(text)

    changed = (added("loaded.py", LOADED), added("shop.py", text))
    mutated(attrs.evolve(context, change=Change(changed)))
    assert notes.read_text() == ""


def test_a_test_that_changed_tries_what_it_reaches_again(tmp_path):
    context, notes, _ = remembered(tmp_path)
    (context.workspace / "test_all.py").write_text(noting(notes) + "\n# A comment.\n")

    mutated(context)
    assert notes.read_text() != ""


def test_a_damaged_memory_knows_nothing(tmp_path):
    context, notes, outcome = remembered(tmp_path)
    (context.projects[0].project.cache / "mutants.json").write_text('{"version": 1, "fates": [')

    assert ran(mutated(context)).metrics == ran(outcome).metrics
    assert notes.read_text() != ""


UNITTESTS = """\
import unittest
from shop import price


class Prices(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cheap = price(200, True)

    def test_members(self):
        self.assertEqual(self.cheap, 190)

    def test_others(self):
        self.assertEqual(price(200, False), 200)


class Nothing(unittest.TestCase):
    def test_nothing(self):
        pass
"""


def test_unittest_tries_mutants_with_the_fixtures_of_its_classes(tmp_path):
    context = prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": UNITTESTS, "pytest.ini": ""}, "shop.py")
    (context.workspace / "pytest.ini").unlink()
    before = tree(context.workspace)
    tests_outcome, outcome = run_both(context)

    assert "unittest" in ran(tests_outcome).summary
    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}
    assert only(outcome) == [("shop.py", 2, "changing `>=` to `>` here goes unnoticed by the 2 tests that run it")]
    assert tree(context.workspace) == before


def test_unittest_tries_code_that_runs_when_a_file_is_loaded(tmp_path):
    tests = "import unittest\nimport loaded\n\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(loaded.top(), 4)\n"
    context = prepared(tmp_path, {"loaded.py": LOADED, "test_loaded.py": tests}, "loaded.py")
    (context.workspace / "pytest.ini").unlink()

    assert counts(mutated(context)) == {"mutants": 5, "killed": 3, "survived": 1, "no_coverage": 1, "score": 0.6}


def custom(tmp_path, line, **more):
    python = tmp_path / "workspace/.venv/bin/python"
    return prepared(tmp_path, {**FILES, **more}, "shop.py", test_command=line.replace("python", str(python)))


def test_a_test_command_of_the_users_own_is_run_once_a_mutant_that_it_reaches(tmp_path):
    outcome = mutated(custom(tmp_path, "cd . && python -m pytest -q -p no:cacheprovider"))
    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}
    assert only(outcome) == [("shop.py", 2, "changing `>=` to `>` here goes unnoticed by the tests")]


@pytest.mark.parametrize("code", [127, 4, 5])
def test_a_test_command_that_only_breaks_beside_mutants_kills_nothing(tmp_path, code):
    line = f'if [ -n "$VERIFY_LSP_MUTANT" ]; then exit {code}; fi; python -m pytest -q -p no:cacheprovider'
    outcome = ran(mutated(custom(tmp_path, line)))

    assert outcome.metrics["killed"] == 0
    assert outcome.metrics["error"] == 3
    assert outcome.metrics["score"] is None


def test_a_test_command_that_never_loads_the_file_gives_no_score(tmp_path):
    outcome = mutated(custom(tmp_path, "echo '2 passed in 0.01s'"))

    assert isinstance(outcome, Skipped)
    assert "no process that the test command starts was seen to load it" in outcome.reason


def test_tests_that_do_not_end_are_not_run_once_more_for_the_mutants(tmp_path):
    tests = "import time\nimport shop\n\n\ndef test_shop():\n    time.sleep(600)\n"
    context = prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py", timeout_secs=3)
    runs = []

    async def counting(command, place):
        runs.append(command.argv)
        return await context.run(command, place)

    tests_outcome, outcome = run_both(attrs.evolve(context, run=counting))
    assert isinstance(tests_outcome, Skipped)
    assert isinstance(outcome, Skipped)
    assert sum("pytest" in argv for argv in runs) == 1


def test_switched_off_it_does_nothing(tmp_path):
    for settings in ({"mutation_testing": False}, {"run_tests": False}):
        context = prepared(tmp_path / str(settings)[:12], FILES, "shop.py", **settings)
        assert isinstance(mutated(context), Skipped)


def test_a_project_without_tests_has_nothing_to_try_mutants_on(tmp_path):
    project = python_project(tmp_path, {"shop.py": SHOP}, "shop.py")
    outcome = mutated(context_for(project, Change((added("shop.py", SHOP),))))

    assert isinstance(outcome, Skipped)
    assert "no tests are configured" in outcome.reason


def test_the_project_need_not_be_the_workspace(tmp_path):
    files = {
        f"services/api/{name}": text for name, text in {**FILES, "pytest.ini": "[pytest]\npythonpath = .\n"}.items()
    }
    project = python_project(tmp_path, files, "shop.py", root="services/api")
    outcome = mutated(context_for(project, Change((added("services/api/shop.py", SHOP),))))

    assert counts(outcome)["killed"] == 2
    assert only(outcome)[0][0] == "services/api/shop.py"


def test_a_project_that_other_projects_left_no_mutant_for_is_not_said_to_have_no_line_to_try(tmp_path):
    context = prepared(tmp_path, FILES, "shop.py", mutation_max_mutants=1)
    last = ProjectOf(GO, attrs.evolve(context.projects[0].project, root="z", changed=("a.go",)))
    change = Change((*context.change.files, added("z/a.go", "package a\n\nfunc A(n int) bool { return n < 2 }\n")))

    outcome = mutated(attrs.evolve(context, change=change, projects=(*context.projects, last)))

    assert ran(outcome).unverified == (
        f"{last.title}: other projects took all the mutants of this run (mutationMaxMutants)",
    )


def test_it_runs_what_a_repository_carries_and_so_needs_trust():
    assert mutation.EXECUTES


def test_each_mutant_is_told_with_the_tests_that_run_it_and_the_one_that_noticed(tmp_path):
    told = {one.line: one for one in ran(mutated(prepared(tmp_path, FILES, "shop.py"))).mutants}
    names = {"test_shop.py::test_members", "test_shop.py::test_others"}

    boundary = told[2]
    assert (boundary.path, boundary.column, boundary.original, boundary.replacement) == ("shop.py", 15, ">=", ">")
    assert (boundary.status, boundary.tests, set(boundary.covered_by)) == ("survived", 2, names)
    assert (told[3].status, told[3].killed_by) == ("killed", "test_shop.py::test_members")
    assert (told[8].status, told[8].tests, told[8].covered_by) == ("no-coverage", 0, ())


def test_a_mutant_that_was_decided_in_an_earlier_run_is_told_likewise(tmp_path):
    context = prepared(tmp_path, FILES, "shop.py")

    first = ran(mutated(context))
    assert any(one.covered_by for one in first.mutants)
    assert ran(mutated(context)).mutants == first.mutants


def test_no_more_than_ten_of_the_tests_are_named(tmp_path):
    tests = "import pytest\nfrom shop import price\n\n\n@pytest.mark.parametrize('n', range(12))\n"
    tests += "def test_others(n):\n    assert price(200, False) == 200\n"
    told = ran(mutated(prepared(tmp_path, {"shop.py": SHOP, "test_shop.py": tests}, "shop.py"))).mutants

    assert {(one.tests, len(one.covered_by)) for one in told if one.status == "survived"} == {(12, 10)}
