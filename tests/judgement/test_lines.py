import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.lines import match_preexisting, without_line_numbers
from verify_lsp.model.change import FileChange, Line
from verify_lsp.model.finding import Problem

BEFORE = """import os
import sys

def first(a):
    return undefined_name + a

def second(b):
    return b.upper(1)
"""


def problem(path: str, line: int, message: str = "broken", rule: str = "E1", end_line: int | None = None) -> Problem:
    return Problem(path, line, "high", rule, message, end_line=end_line)


def test_old_errors_shifted_by_seven_lines_are_not_blamed_on_the_edit():
    # G5: the agent edits another function; the unused import and the sibling file's type error were there before.
    after = BEFORE.replace("    return b.upper(1)", "    # more\n" * 7 + "    return b.upper()")
    after = "# one\n# two\n" + after
    change = change_of(changed_file("a.py", BEFORE, after))
    before = (problem("a.py", 1, "unused import os"), problem("a.py", 5, "undefined name"), problem("b.py", 9, "type"))
    now = (
        problem("a.py", 3, "unused import os"),
        problem("a.py", 7, "undefined name"),
        problem("b.py", 9, "type"),
        problem("a.py", 12, "unexpected indentation"),
    )
    assert match_preexisting(now, before, change) == (True, True, True, False)


def test_a_new_error_in_an_untouched_caller_is_new():
    # T14: a changed signature breaks a caller elsewhere; that file is untouched, and the error is still new.
    change = change_of(changed_file("a.py", "def f(): ...\n", "def f(a): ...\n"))
    now = (problem("caller.py", 4, "missing argument a"), problem("caller.py", 30, "missing argument a"))
    before = (problem("caller.py", 30, "missing argument a"),)
    assert match_preexisting(now, before, change) == (False, True)


def test_of_two_where_one_was_one_is_new():
    change = change_of(changed_file("a.py", "f(x)\n", "f(x)\nf(x)\n"))
    now = (problem("a.py", 1), problem("a.py", 2))
    assert match_preexisting(now, (problem("a.py", 1),), change) == (True, False)


def test_two_on_one_line_where_one_was_leave_one_new():
    change = change_of(changed_file("b.py", "x\n", "y\n"))
    now = (problem("a.py", 1), problem("a.py", 1))
    assert sum(match_preexisting(now, (problem("a.py", 1),), change)) == 1


def test_nothing_before_means_all_is_new():
    change = change_of(changed_file("a.py", None, "f(x)\n"))
    assert match_preexisting((problem("a.py", 1),), (), change) == (False,)


def test_problems_follow_a_renamed_file():
    change = change_of(changed_file("new.py", BEFORE, "# note\n" + BEFORE, old_path="old.py"))
    assert match_preexisting((problem("new.py", 6),), (problem("old.py", 5),), change) == (True,)


def test_a_pure_rename_keeps_its_problems_where_they_were():
    change = change_of(FileChange("new.py", "renamed", old_path="old.py", before=BEFORE, after=BEFORE))
    assert match_preexisting((problem("new.py", 5),), (problem("old.py", 5),), change) == (True,)


def test_a_problem_in_a_copied_file_is_new_as_the_first_one_is_still_there():
    copy = FileChange("copy.py", "copied", old_path="a.py", before=BEFORE, after=BEFORE)
    now = (problem("a.py", 5), problem("copy.py", 5))
    assert match_preexisting(now, (problem("a.py", 5),), change_of(copy)) == (True, False)


def test_files_that_swap_names_swap_their_problems():
    one = FileChange("a.py", "renamed", old_path="b.py", before=BEFORE, after=BEFORE)
    two = FileChange("b.py", "renamed", old_path="a.py", before="x\n", after="x\n")
    now = (problem("a.py", 5), problem("b.py", 5))
    assert match_preexisting(now, (problem("b.py", 5),), change_of(one, two)) == (True, False)


def test_a_line_moved_within_its_file_takes_its_problem_along():
    lines = BEFORE.splitlines(keepends=True)
    moved = "".join([*lines[:3], *lines[6:], *lines[3:6]])
    change = change_of(changed_file("a.py", BEFORE, moved))
    line = moved.splitlines().index("    return undefined_name + a") + 1
    assert match_preexisting((problem("a.py", line),), (problem("a.py", 5),), change) == (True,)


def test_a_function_moved_to_another_file_takes_its_problem_along():
    change = change_of(
        changed_file("a.py", BEFORE, "import os\n"), changed_file("b.py", None, "\n\n" + BEFORE[BEFORE.index("def") :])
    )
    line = change.files[1].after.split("\n").index("    return undefined_name + a") + 1
    assert match_preexisting((problem("b.py", line),), (problem("a.py", 5),), change) == (True,)


def test_a_bare_bracket_in_another_file_is_no_moved_line():
    change = change_of(changed_file("a.js", "f(\n)\n", ""), changed_file("b.js", None, "g(\n)\n"))
    assert match_preexisting((problem("b.js", 2),), (problem("a.js", 2),), change) == (False,)


def test_a_reindented_line_keeps_its_problem():
    change = change_of(changed_file("a.py", "x = undefined\n", "if y:\n    x = undefined\n"))
    assert match_preexisting((problem("a.py", 2),), (problem("a.py", 1),), change) == (True,)


def test_a_line_edited_in_place_keeps_a_problem_it_still_has():
    change = change_of(changed_file("a.py", "1\ndef f(a, b):\n2\n", "1\ndef f(a, b, c=None):\n2\n"))
    assert match_preexisting((problem("a.py", 2),), (problem("a.py", 2),), change) == (True,)


def test_a_line_replaced_by_quite_another_has_its_own_problem():
    change = change_of(changed_file("a.py", "1\nreturn total\n2\n", "1\nfor key in mapping.keys(): yield key\n2\n"))
    assert match_preexisting((problem("a.py", 2),), (problem("a.py", 2),), change) == (False,)


def test_a_problem_told_a_line_off_on_kept_lines_is_the_same():
    change = change_of(changed_file("a.py", BEFORE, "# note\n" + BEFORE))
    assert match_preexisting((problem("a.py", 5),), (problem("a.py", 5),), change) == (True,)


def test_an_added_line_beside_an_old_problem_answers_for_itself():
    change = change_of(changed_file("a.py", "one = two\nkept\n", "one = two\nnever_seen(three)\nkept\n"))
    assert match_preexisting((problem("a.py", 2),), (problem("a.py", 1),), change) == (False,)


def test_another_rule_or_another_message_is_another_problem():
    change = change_of(changed_file("b.py", "x\n", "y\n"))
    now = (problem("a.py", 1, rule="E2"), problem("a.py", 1, message="other"))
    assert match_preexisting(now, (problem("a.py", 1), problem("a.py", 1)), change) == (False, False)


def test_line_numbers_in_messages_do_not_matter():
    change = change_of(changed_file("a.py", BEFORE, "# note\n" + BEFORE))
    now = (problem("a.py", 8, "redefined, see line 5 (a.py:5:3)"),)
    assert match_preexisting(now, (problem("a.py", 7, "redefined, see line 4 (a.py:4:3)"),), change) == (True,)


def test_other_numbers_in_messages_matter_on_a_changed_line_only():
    change = change_of(changed_file("a.py", "def f(): pass\n", "def f(): pass\nlong = 1\n"))
    old = (problem("a.py", 1, "too complex (11 > 10)"),)
    assert match_preexisting((problem("a.py", 1, "too complex (12 > 10)"),), old, change) == (True,)
    assert match_preexisting((problem("a.py", 2, "too complex (12 > 10)"),), old, change) == (False,)


def test_a_block_out_of_order_before_is_not_new_where_a_line_was_put_in_front():
    change = change_of(changed_file("a.py", "import z\nimport b\n\nx\n", "import q\nimport z\nimport b\n\nx\n"))
    now = (problem("a.py", 1, "imports unsorted", end_line=3),)
    assert match_preexisting(now, (problem("a.py", 1, "imports unsorted", end_line=2),), change) == (True,)


def test_a_problem_of_the_whole_file_stays_at_its_first_or_last_line():
    change = change_of(changed_file("a.py", "x = 1\ny = 2", "import q\nx = 1\ny = 2\nz = 3"))
    now = (problem("a.py", 1, "no docstring"), problem("a.py", 4, "no newline at end of file"))
    before = (problem("a.py", 1, "no docstring"), problem("a.py", 2, "no newline at end of file"))
    assert match_preexisting(now, before, change) == (True, True)


def test_a_problem_without_a_line_is_known_by_its_words():
    change = change_of(changed_file("a.py", BEFORE, "# note\n" + BEFORE))
    now = (problem("a.py", 0, "cannot be read"), problem("", 0, "no configuration"))
    before = (problem("", 0, "no configuration"), problem("a.py", 0, "cannot be read"))
    assert match_preexisting(now, before, change) == (True, True)


def test_a_file_too_large_for_its_text_is_matched_by_its_changed_lines():
    file = FileChange("big.py", "modified", added_lines=(Line(1, "# note"),))
    assert match_preexisting((problem("big.py", 5001),), (problem("big.py", 5000),), change_of(file)) == (True,)


@pytest.mark.parametrize(
    ("message", "neutral"),
    [
        ("defined on line 12", "defined on #"),
        ("lines 3-7 and lines 3 to 9", "# and #"),
        ("see a.py:12:5 and b.ts(12,5)", "see a.py# and b.ts#"),
        ("12 tests in 3 files", "12 tests in 3 files"),
        ("Expected 2 arguments, but got 3.", "Expected 2 arguments, but got 3."),
    ],
)
def test_only_numbers_of_places_are_taken_out(message, neutral):
    assert without_line_numbers(message) == neutral


LINES = st.lists(st.sampled_from(["alpha(one)", "beta(two)", "gamma(three)", ""]), min_size=1, max_size=10)


@given(LINES, LINES, st.data())
def test_what_was_on_a_kept_line_is_never_blamed_on_the_change(old, new, data):
    file = changed_file("a.py", "\n".join(old) + "\n", "\n".join(new) + "\n")
    removed = {line.line for line in file.removed_lines}
    kept_before = [number for number in range(1, len(old) + 1) if number not in removed]
    added = {line.line for line in file.added_lines}
    kept_after = [number for number in range(1, len(new) + 1) if number not in added]
    picked = [index for index in range(len(kept_before)) if data.draw(st.booleans())]
    before = [problem("a.py", kept_before[index], message=old[kept_before[index] - 1]) for index in picked]
    now = [problem("a.py", kept_after[index], message=new[kept_after[index] - 1]) for index in picked]
    assert all(match_preexisting(now, before, change_of(file)))


@given(LINES, LINES, st.lists(st.integers(1, 10), max_size=8), st.lists(st.integers(1, 10), max_size=8))
def test_never_more_are_old_than_there_were(old, new, now_lines, before_lines):
    change = change_of(changed_file("a.py", "\n".join(old), "\n".join(new)))
    now = [problem("a.py", line) for line in now_lines]
    before = [problem("a.py", line) for line in before_lines]
    flags = match_preexisting(now, before, change)
    assert len(flags) == len(now)
    assert sum(flags) <= len(before)


@given(LINES, st.lists(st.integers(1, 10), max_size=8))
def test_a_change_that_touches_no_line_leaves_every_problem_old(lines, numbers):
    text = "\n".join(lines)
    change = change_of(FileChange("a.py", "mode", before=text, after=text))
    problems = [problem("a.py", line) for line in numbers]
    assert all(match_preexisting(problems, problems, change))


def test_a_thousand_equal_problems_are_matched_at_once():
    before_text = "".join(f"line {number}\n" for number in range(5000))
    change = change_of(
        FileChange("a.py", "modified", before=before_text, after="new\n" + before_text, added_lines=(Line(1, "new"),))
    )
    before = [problem("a.py", number) for number in range(1, 5001)]
    now = [problem("a.py", number) for number in range(1, 5002)]
    flags = match_preexisting(now, before, change)
    assert flags.count(False) == 1


def git(place: Path, *arguments: str) -> str:
    done = subprocess.run(("git", *arguments), cwd=place, check=True, capture_output=True, text=True)
    return done.stdout


def test_gits_own_diff_maps_like_the_texts(tmp_path):
    before = [f"line {number % 7}" for number in range(60)]
    after = [*before[:5], "new", *before[5:20], *before[24:40], "changed", *before[41:], "end"]
    (tmp_path / "a.txt").write_text("\n".join(before) + "\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "a.txt")
    (tmp_path / "a.txt").write_text("\n".join(after) + "\n")
    added, removed = [], []
    for line in git(tmp_path, "diff", "-U0", "--no-color", "--no-ext-diff").split("\n"):
        if line.startswith("@@"):
            old, new = line.split()[1:3]
            old_line, new_line = int(old[1:].split(",")[0]), int(new[1:].split(",")[0])
        elif line.startswith("+") and not line.startswith("+++"):
            added.append(Line(new_line, line[1:]))
            new_line += 1
        elif line.startswith("-") and not line.startswith("---"):
            removed.append(Line(old_line, line[1:]))
            old_line += 1
    change = change_of(FileChange("a.txt", "modified", added_lines=tuple(added), removed_lines=tuple(removed)))
    gone = {line.line for line in removed}
    come = {line.line for line in added}
    old = [problem("a.txt", n, text) for n, text in enumerate(before, start=1) if n not in gone]
    new = [problem("a.txt", n, text) for n, text in enumerate(after, start=1) if n not in come]
    assert len(old) == len(new)
    assert all(match_preexisting(new, old, change))
