"""A look at a text hears comments as the check of a change does."""

from pathlib import Path

from verify_lsp.inspection.inspect import inspect_all, inspect_lines
from verify_lsp.security.examine import examine
from verify_lsp.settings.settings import Settings
from verify_lsp.verifiers.base import Subject

USED = "eval(x)  # verify: ignore[py-eval] x is ours\n"
UNUSED = "a = 1  # verify: ignore[py-eval] x is ours\n"


def looked(text, added=None, **settings):
    return [
        (one.finding.line, one.finding.rule, one.finding.severity)
        for one in inspect_lines(text, "app.py", Settings(**settings), added)
    ]


def test_a_comment_that_suppresses_nothing_is_told_as_the_check_of_a_change_tells_it():
    (one,) = inspect_lines(UNUSED, "app.py", Settings())
    (problem,) = examine("app.py", UNUSED).problems

    finding = one.finding
    assert (finding.line, finding.rule, finding.severity) == (1, "unused-suppression", "low")
    assert (finding.message, finding.suggestion) == (problem.message, problem.suggestion)


def test_a_comment_that_suppresses_something_is_silent():
    assert looked(USED) == []


def test_what_no_comment_speaks_of_is_told_beside_one_that_is_heard():
    assert looked(USED + "eval(y)\n") == [(2, "py-eval", "high")]


def test_an_old_comment_is_not_told_of_when_other_lines_are_new():
    assert looked(UNUSED + "b = 2\n", frozenset({2})) == []


def test_a_new_comment_about_an_old_finding_is_used():
    assert looked("# verify: ignore[py-eval] x is ours\neval(x)\n", frozenset({1})) == []


def test_a_new_comment_about_nothing_is_told_though_no_finding_is_new():
    assert looked("eval(x)\n" + UNUSED, frozenset({2})) == [(2, "unused-suppression", "low")]


def test_while_a_text_is_typed_a_comment_may_come_before_what_it_is_about():
    path = Path("/w/app.py")
    typed = inspect_all(Subject(path, UNUSED), "app.py", Settings())
    saved = inspect_all(Subject(path, UNUSED, saved=True), "app.py", Settings())

    assert [one.finding.rule for one in typed] == []
    assert [one.finding.rule for one in saved] == ["unused-suppression"]


def test_a_comment_about_another_checks_rule_is_left_to_that_check():
    assert looked("a = 1  # verify: ignore[integrity.test-skipped] until May\n") == []


def test_the_settings_can_switch_it_off():
    assert looked(UNUSED, rules={"unused-suppression": "off"}) == []
