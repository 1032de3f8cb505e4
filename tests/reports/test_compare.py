import json

import attrs
import pytest
from hypothesis import HealthCheck, given, settings

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import crowded, everything, failing, hostile, passing
from tests.harness.samples import a_check, a_fact, a_file_change, a_finding, a_report
from verify_lsp.codec import dumps, from_wire
from verify_lsp.model.change import BaseRef, HeadRef
from verify_lsp.model.report import Report
from verify_lsp.model.scope import VerifyScope
from verify_lsp.reports.compare import (
    CheckChange,
    Comparison,
    MetricChange,
    compare,
    render_comparison_markdown,
    render_comparison_text,
)

A, B, C = (a_finding(id=name, message=name) for name in ("a", "b", "c"))


def lint(*findings, status="warn", **fields):
    return a_report(status="warn", checks=(a_check("lint", status, findings=findings, **fields),))


def test_findings_are_matched_by_their_ids():
    moved = attrs.evolve(B, line=99)
    comparison = compare(lint(A, B), lint(moved, C))
    assert comparison.fixed == (A,)
    assert comparison.remaining == (moved,)
    assert comparison.new == (C,)
    assert comparison.unverified == comparison.first_looked == ()


@pytest.mark.parametrize("status", ["skipped", "error", "pending", "running"])
def test_what_nobody_looked_at_again_is_not_called_fixed(status):
    comparison = compare(lint(A), lint(status=status))
    assert comparison.fixed == ()
    assert comparison.unverified == (A,)


def test_a_check_that_was_not_made_again_fixes_nothing():
    comparison = compare(lint(A), a_report(checks=(a_check("tests"),)))
    assert comparison.unverified == (A,)


def test_a_check_that_looked_only_in_part_fixes_nothing():
    comparison = compare(lint(A), lint(reason="not verified: web"))
    assert comparison.unverified == (A,)


def test_a_file_that_is_no_longer_part_of_the_change_was_not_looked_at_again():
    new = attrs.evolve(lint(), files=(a_file_change("other.py"),))
    assert compare(lint(A), new).unverified == (A,)


def test_a_file_that_was_renamed_or_deleted_was_looked_at_again():
    renamed = attrs.evolve(lint(), files=(a_file_change("b.py", old_path=A.path, change="renamed"),))
    assert compare(lint(A), renamed).fixed == (A,)
    deleted = attrs.evolve(lint(), files=(a_file_change(A.path, after=None),))
    assert compare(lint(A), deleted).fixed == (A,)


def test_a_place_outside_of_both_changes_was_looked_at_by_a_whole_run():
    elsewhere = attrs.evolve(A, path="elsewhere.py")
    assert compare(lint(elsewhere), lint()).fixed == (elsewhere,)


def test_the_tests_look_at_all_files_whatever_the_change():
    failed = attrs.evolve(A, check="tests")
    old = a_report(checks=(a_check("tests", "fail", findings=(failed,)),))
    new = a_report(checks=(a_check("tests"),), files=(a_file_change("other.py"),))
    assert compare(old, new).fixed == (failed,)


def test_what_was_not_looked_for_before_is_not_called_new():
    comparison = compare(lint(status="skipped"), lint(A))
    assert comparison.new == ()
    assert comparison.first_looked == (A,)


def test_checks_whose_status_changed_are_told_in_the_order_of_checks():
    comparison = compare(everything(), passing())
    assert comparison.checks == (
        CheckChange("diagnostics", "error", None),
        CheckChange("security", "fail", None),
        CheckChange("tests", "fail", "pass"),
        CheckChange("mutation", "skipped", None),
        CheckChange("lint", "skipped", None),
    )


def test_facts_are_the_same_when_they_say_the_same():
    old = a_report(facts=(a_fact(id="tests-1", text="one"), a_fact(id="tests-2", text="two")))
    new = a_report(facts=(a_fact(id="tests-9", text="two"), a_fact(id="tests-1", text="three")))
    comparison = compare(old, new)
    assert [fact.text for fact in comparison.facts_gone] == ["one"]
    assert [fact.text for fact in comparison.facts_new] == ["three"]


def test_metrics_change_only_where_both_are_known():
    old = a_report(checks=(a_check(metrics={"passed": 5, "failed": None, "total": 7, "gone": 1}),))
    new = a_report(checks=(a_check(metrics={"passed": 7, "failed": 0, "total": 7, "come": 1}),))
    assert compare(old, new).metrics == (MetricChange("tests", "passed", 5, 7),)


def test_a_report_held_against_itself_shows_no_difference():
    report = everything()
    comparison = compare(report, report)
    assert comparison.remaining == report.findings()
    empty = Comparison(comparison.before, comparison.after, remaining=comparison.remaining)
    assert comparison == empty


def test_what_makes_two_reports_hard_to_compare_is_said():
    old = a_report()
    branch = a_report(scope=VerifyScope("branch", base="main"))
    assert compare(old, branch).notes == ("the two reports are of different scopes",)
    other = a_report(base=BaseRef("HEAD", "f" * 40), workspace="/elsewhere", head=HeadRef(dirty=False))
    assert compare(old, other).notes == (
        "the two reports are of different folders",
        "the two changes are held against different commits",
    )
    assert compare(old, a_report(status="cancelled")).notes == ("the new report is not whole: its status is cancelled",)


def test_change_sets_with_other_texts_are_still_one_scope():
    scopes = [VerifyScope("change-set", change_set_id="c", diff=diff) for diff in ("a", "b")]
    assert compare(*(a_report(scope=scope) for scope in scopes)).notes == ()


def test_a_comparison_travels_as_json():
    comparison = compare(everything(), failing())
    assert from_wire(json.loads(dumps(comparison)), Comparison) == comparison
    assert list(json.loads(dumps(comparison)))[:4] == ["before", "after", "fixed", "new"]


def test_the_text_counts_and_lists():
    shown = render_comparison_text(compare(lint(A, B), lint(B, C)))
    assert "findings: 1 fixed, 1 new, 1 still there\n" in shown
    assert "\nFixed\n  shop/checkout.py:12: a [F401] (medium)\n" in shown
    assert "\nNew\n  shop/checkout.py:12: c [F401] (medium)\n" in shown
    assert "Fixed" not in render_comparison_text(compare(lint(B), lint(B)))


def test_what_was_not_looked_at_again_has_its_own_place():
    shown = render_comparison_text(compare(failing(), passing()))
    assert "security: pass → not made" in shown
    shown = render_comparison_text(compare(lint(A), lint(status="skipped")))
    assert "findings: 1 not looked at again\n" in shown
    assert "\nNot looked at again, so perhaps still there\n  shop/checkout.py:12: a" in shown


def test_many_findings_are_bounded_and_say_how_to_see_all():
    for shown in (
        render_comparison_text(compare(crowded(), lint())),
        render_comparison_markdown(compare(crowded(), lint())),
    ):
        assert "more; see all:" in shown
        assert "verify-lsp report diff 20260314-091500-a1b2c3 20260314-091500-a1b2c3 --format json" in shown
        assert len(shown.splitlines()) < 200


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report), values_of(Report))
def test_any_two_reports_can_be_compared(old, new):
    comparison = compare(old, new)
    assert from_wire(json.loads(dumps(comparison)), Comparison) == comparison
    assert render_comparison_text(comparison).encode()
    assert render_comparison_markdown(comparison).encode()


def test_no_control_character_of_the_data_reaches_the_terminal():
    for shown in (
        render_comparison_text(compare(hostile(), passing())),
        render_comparison_markdown(compare(passing(), hostile())),
    ):
        assert not set(shown) & set("\x1b\x07\x08\x00\x9b\u202e\u2066")
