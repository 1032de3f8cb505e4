from collections import Counter
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import HealthCheck, given, settings
from junitparser import Error, Failure, JUnitXml, Skipped

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import REPORTS, broken, cancelled, crowded, empty, failing, hostile, passing, warning
from tests.harness.samples import a_check, a_finding, a_report
from verify_lsp.model.report import Report
from verify_lsp.reports.junit import render_junit


def cases_of(report):
    """Return (suite, case name, what became of it) as an independent reader sees them."""
    return [
        (suite.name, case.name, [type(result).__name__ for result in case.result])
        for suite in JUnitXml.fromstring(render_junit(report))
        for case in suite
    ]


def suite_of(report, name):
    return next(suite for suite in fromstring(render_junit(report).encode()) if suite.get("name") == name)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report))
def test_any_report_is_well_formed_and_counts_right(report):
    text = render_junit(report)
    assert text.encode()
    counts_are_right(text)


@pytest.mark.parametrize("name", REPORTS)
def test_each_sample_report_is_well_formed_and_counts_right(name):
    counts_are_right(render_junit(REPORTS[name]()))


def counts_are_right(text):
    root = fromstring(text.encode())
    assert root.tag == "testsuites"
    total = Counter()
    for suite in root:
        assert suite.tag == "testsuite"
        cases = suite.findall("testcase")
        counted = Counter(child.tag for case in cases for child in case if child.tag != "system-out")
        said = {name: int(suite.get(name)) for name in ("tests", "failures", "errors", "skipped")}
        assert said == {
            "tests": len(cases),
            "failures": counted["failure"],
            "errors": counted["error"],
            "skipped": counted["skipped"],
        }
        names = [(case.get("classname"), case.get("name")) for case in cases]
        assert len(set(names)) == len(names)
        total.update(said)
    assert {name: int(root.get(name)) for name in total} == total
    assert total["tests"] > 0


def test_a_check_that_passed_is_a_case_that_passed():
    assert ("tests", "tests", []) in cases_of(passing())


def test_a_failed_check_has_a_case_for_each_grave_finding_of_the_change():
    tests = [case for case in cases_of(failing()) if case[0] == "tests"]
    name = "tests/test_checkout.py: tests.test_checkout.DiscountTest.test_ten_percent_from_exactly_one_hundred_on: AssertionError: 0 != 1000 [test-failed]"
    assert tests == [("tests", name, ["Failure"])]


def test_the_place_of_a_finding_is_told_to_the_panel():
    suite = next(suite for suite in JUnitXml.fromstring(render_junit(failing())) if suite.name == "tests")
    (case,) = suite
    assert (case._elem.get("file"), case._elem.get("line")) == ("tests/test_checkout.py", "15")
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert failure.text.startswith("tests/test_checkout.py:15: tests.test_checkout.DiscountTest.test_ten_percent")
    assert "self.assertEqual(discount(100_00), 10_00)" in failure.text


def test_older_findings_fail_nothing_and_are_told_in_the_output():
    suite = suite_of(failing(), "tests")
    assert suite.get("failures") == "1"
    assert suite.findtext("system-out") == (
        "tests/test_checkout.py:33: tests.test_checkout.AmountDueTest.test_a_voucher_is_taken_off: AssertionError: 2000 != 1500 [test-failed] (low) "
        "(there before the change)"
    )


def test_a_failed_check_without_a_grave_finding_fails_itself():
    check = a_check(
        "mutation", "fail", summary="score 0.2", output="3 survived\n", findings=(a_finding(severity="low"),)
    )
    report = a_report(status="fail", checks=(check,))
    assert cases_of(report) == [("mutation", "mutation", ["Failure"])]
    assert "shop/checkout.py:12: `os` imported but unused [F401] (low)" in render_junit(report)


def test_a_check_that_warned_passes_with_its_findings_in_the_output():
    assert ("lint", "lint", []) in cases_of(warning())
    assert "`os` imported but unused [F401] (medium)" in render_junit(warning())


def test_a_check_that_looked_only_in_part_has_a_skipped_case():
    assert ("tests", "tests: what was not looked at", ["Skipped"]) in cases_of(warning())


def test_a_skipped_check_is_skipped_and_a_broken_one_is_an_error():
    assert cases_of(broken()) == [("project-check", "project-check", ["Error"]), ("tests", "tests", ["Skipped"])]
    (suite, other) = JUnitXml.fromstring(render_junit(broken()))
    (error,) = next(iter(suite)).result
    assert isinstance(error, Error)
    assert error.message == "tsc gave an answer that cannot be read"
    assert "JavaScript heap out of memory" in error.text
    (skipped,) = next(iter(other)).result
    assert isinstance(skipped, Skipped)
    assert skipped.message == "not verified: vitest did not end within 300 s"


def test_a_cancelled_run_is_an_error_and_what_did_not_end_is_skipped():
    assert cases_of(cancelled()) == [
        ("project-check", "project-check", []),
        ("tests", "tests", ["Skipped"]),
        ("lint", "lint", ["Skipped"]),
        ("run", "run", ["Error"]),
    ]


def test_a_run_without_a_change_is_skipped_not_passed():
    assert cases_of(empty()) == [("run", "run", ["Skipped"])]


def test_a_run_without_any_check_is_never_a_pass():
    assert cases_of(a_report(status="error", checks=())) == [("run", "run", ["Error"])]
    assert cases_of(a_report(status="pass", checks=())) == [("run", "run", ["Skipped"])]


def test_the_name_of_a_case_stays_when_its_line_moves():
    def names(line):
        check = a_check("lint", "fail", findings=(a_finding(severity="high", line=line),))
        return [case[1] for case in cases_of(a_report(checks=(check,)))]

    assert names(3) == names(90)


def test_nothing_is_left_out_of_a_thousand():
    suite = suite_of(crowded(), "lint")
    failures = int(suite.get("failures"))
    assert failures == 400 - sum(number % 5 in {0, 1} for number in range(9, 1000, 10))
    assert failures + len(suite.findtext("system-out").splitlines()) == 1000


def test_control_characters_are_spelled_out():
    text = render_junit(hostile())
    assert "bell\\x07" in text
    assert "rtl\\u202e" in text
    assert "\\ud800lone" in text
