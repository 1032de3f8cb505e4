"""What protected and was taken away. The examples are small diffs."""

import pytest

from verify_lsp.model.change import Line
from verify_lsp.security.rule import Guard
from verify_lsp.security.rules import rules
from verify_lsp.security.scan import scan_text

GUARDS = [rule for rule in rules() if any(isinstance(matcher, Guard) for matcher in rule.match)]


def scanned(diff, path="app.py"):
    if diff.startswith("#! "):
        head, _, diff = diff.partition("\n")
        path = head[3:]
    after, added, removed, old = [], set(), [], 0
    for line in diff.split("\n"):
        if line.startswith("-"):
            old += 1
            removed.append(Line(old, line[1:]))
        elif line.startswith("+"):
            after.append(line[1:])
            added.add(len(after))
        else:
            old += 1
            after.append(line[1:])
    return scan_text(path, "\n".join(after), frozenset(added), removed)


def path_of(example):
    return (
        "app.js"
        if "app.use" in example or "router." in example or "app.post" in example or "el." in example
        else "app.py"
    )


@pytest.mark.parametrize("rule", GUARDS, ids=lambda rule: rule.id)
def test_each_bad_example_takes_a_guard_away(rule):
    assert rule.bad
    assert [each for each in rule.bad if rule.id not in ids(each)] == []


@pytest.mark.parametrize("rule", GUARDS, ids=lambda rule: rule.id)
def test_no_good_example_does(rule):
    assert rule.good
    assert [(each, ids(each)) for each in rule.good if ids(each)] == []


def ids(example):
    return {problem.rule for problem in scanned(example, path_of(example))}


def test_the_finding_stands_where_the_guard_stood_and_names_it():
    (problem,) = scanned(" import x\n \n-@login_required\n def settings(request):\n     ...")

    assert (problem.rule, problem.line, problem.severity) == ("removed-auth-guard", 3, "high")
    assert "`@login_required`" in problem.message


def test_lines_added_above_do_not_move_it():
    (problem,) = scanned("+import a\n+import b\n import x\n-@login_required\n def settings(request):\n     ...")

    assert problem.line == 4


def test_a_guard_in_a_comment_was_none():
    assert scanned("-# @login_required is not needed\n def settings(request):\n     ...") == ()


def test_a_guard_that_comes_back_on_another_line_is_not_gone():
    assert scanned("-@login_required\n @cached\n+@login_required\n def settings(request):\n     ...") == ()


def test_of_two_guards_one_that_is_gone_is_said_once():
    diff = "-@login_required\n def a(request): ...\n-@login_required\n+@login_required\n def b(request): ...\n"

    assert len(scanned(diff)) == 1


def test_a_loader_taken_out_of_a_call_makes_the_call_a_danger():
    (problem,) = scanned(" import yaml\n data = yaml.load(\n     f,\n-    Loader=yaml.SafeLoader,\n )")

    assert (problem.rule, problem.line) == ("py-yaml-load", 2)


def test_a_removed_line_elsewhere_does_not_bring_an_older_danger_up():
    assert scanned(" import yaml\n data = yaml.load(f)\n-a = 1\n b = 2") == ()


def test_a_deleted_text_has_nothing_left_to_protect():
    assert scan_text("app.py", "", frozenset(), [Line(1, "@login_required"), Line(2, "def a(): ...")]) == ()
