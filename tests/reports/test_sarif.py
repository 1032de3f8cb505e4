import json
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sarif_kit.validate import validation_errors

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import (
    REPORTS,
    broken,
    cancelled,
    crowded,
    empty,
    everything,
    failing,
    hostile,
    passing,
)
from tests.harness.samples import a_check, a_finding, a_report
from verify_lsp.model.report import Report
from verify_lsp.reports.sarif import render_sarif, sarif_log


def run_of(report):
    return sarif_log(report)["runs"][0]


def result_of(finding, **fields):
    return run_of(a_report(checks=(a_check(finding.check, "fail", findings=(finding,)),), **fields))["results"][0]


def region_of(**fields):
    return result_of(a_finding(**fields))["locations"][0]["physicalLocation"]["region"]


@pytest.mark.parametrize("name", REPORTS)
def test_each_sample_report_fits_the_official_schema(name):
    assert validation_errors(json.loads(render_sarif(REPORTS[name]()))) == []


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report))
def test_any_report_fits_the_official_schema(report):
    text = render_sarif(report)
    assert validation_errors(json.loads(text)) == []
    assert text.encode()


def test_the_schema_would_notice_a_fault():
    log = sarif_log(everything())
    log["runs"][0]["results"][0]["level"] = "high"
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
    assert len(validation_errors(log)) == 2


@pytest.mark.parametrize(
    ("severity", "level"),
    [("critical", "error"), ("high", "error"), ("medium", "warning"), ("low", "note"), ("info", "note")],
)
def test_severities_become_levels(severity, level):
    assert result_of(a_finding(severity=severity))["level"] == level


def test_what_was_there_before_is_unchanged_and_the_rest_is_new():
    states = {result["message"]["text"]: result["baselineState"] for result in run_of(failing())["results"]}
    assert states == {
        "tests.test_checkout.DiscountTest.test_ten_percent_from_exactly_one_hundred_on: AssertionError: 0 != 1000": "new",
        "tests.test_checkout.AmountDueTest.test_a_voucher_is_taken_off: AssertionError: 2000 != 1500": "unchanged",
    }


def test_columns_are_code_points_and_the_end_is_exclusive():
    assert run_of(passing())["columnKind"] == "unicodeCodePoints"
    assert region_of(line=3, column=5, end_line=3, end_column=9) == {"startLine": 3, "startColumn": 5, "endColumn": 9}
    assert region_of(line=3, column=5, end_line=4, end_column=1) == {
        "startLine": 3,
        "startColumn": 5,
        "endLine": 4,
        "endColumn": 1,
    }
    assert region_of(line=3) == {"startLine": 3}
    assert region_of(line=3, column=5, end_line=2, end_column=2) == {"startLine": 3, "startColumn": 5}


def test_a_finding_without_a_file_stands_at_the_folder():
    assert result_of(a_finding(path="", line=0))["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": ".", "uriBaseId": "SRCROOT"}}}
    ]


@given(st.text(alphabet="ab/ #%?:é数\udc80", min_size=1, max_size=20).filter(lambda path: path.strip("/. ")))
def test_a_path_is_a_relative_address_that_comes_back_the_same(path):
    uri = result_of(a_finding(path=path.lstrip("/")))["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    parts = urlsplit(uri)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert unquote(uri, errors="surrogateescape") == path.lstrip("/")


def test_each_result_names_its_rule_and_its_finding():
    run = run_of(everything())
    rules = run["tool"]["driver"]["rules"]
    for result, finding in zip(run["results"], everything().findings(), strict=True):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == finding.rule
        assert result["partialFingerprints"] == {"verifyLspFindingId/v1": finding.id}


def test_a_rule_carries_its_page_its_weaknesses_and_its_gravest_level():
    checks = (a_check("security", "fail", findings=(
        a_finding(check="security", severity="low", cwe=("CWE-89",), url="https://rules.example/x"),
        a_finding(id="2", check="security", severity="critical", cwe=("CWE-89",), url="https://rules.example/x"),
    )),)  # fmt: skip
    assert run_of(a_report(checks=checks))["tool"]["driver"]["rules"] == [
        {
            "id": "F401",
            "shortDescription": {"text": "F401 (security)"},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": ["security", "external/cwe/cwe-89"], "security-severity": "9.5"},
            "helpUri": "https://rules.example/x",
        }
    ]


def test_only_a_web_address_is_a_page_of_a_rule():
    assert all("helpUri" not in rule for rule in run_of(hostile())["tool"]["driver"]["rules"])


def test_a_check_that_did_not_look_or_did_not_work_is_a_notification():
    (invocation,) = run_of(broken())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [(note["level"], note["message"]["text"]) for note in invocation["toolExecutionNotifications"]] == [
        ("error", "project-check did not work: tsc gave an answer that cannot be read"),
        ("warning", "tests is not verified: vitest did not end within 300 s"),
    ]


def test_a_check_that_had_nothing_to_look_at_is_a_note():
    (invocation,) = run_of(passing())["invocations"]
    assert invocation["executionSuccessful"] is True
    assert [(note["level"], note["message"]["text"]) for note in invocation["toolExecutionNotifications"]] == [
        ("note", "dependencies had nothing to verify: no package was added")
    ]


def test_a_cancelled_run_was_not_successful_and_names_what_did_not_end():
    (invocation,) = run_of(cancelled())["invocations"]
    assert invocation["executionSuccessful"] is False
    assert [note["descriptor"]["id"] for note in invocation["toolExecutionNotifications"]] == ["tests", "lint"]
    assert run_of(empty())["invocations"][0]["executionSuccessful"] is True


def test_nothing_is_left_out():
    run = run_of(crowded())
    assert len(run["results"]) == 1000
    assert len(run["properties"]["facts"]) == len(run["properties"]["claims"]) == 200


def test_no_absolute_path_of_the_machine_is_told():
    for build in REPORTS.values():
        assert build().workspace not in render_sarif(build())
        assert "/usr/bin" not in render_sarif(build())


def test_brackets_of_a_message_are_no_link():
    assert result_of(a_finding(message="see [x](1) {0}"))["message"]["text"] == "see \\[x\\](1) {0}"
    assert result_of(a_finding(message="list[int]"))["message"]["text"] == "list[int]"


def test_changed_files_say_what_happened_to_them():
    roles = {artifact["location"]["uri"]: artifact["roles"] for artifact in run_of(everything())["artifacts"]}
    assert roles["shop/prices.py"] == ["renamed"]
    assert roles["shop/old.py"] == ["deleted"]
    assert roles["run.sh"] == roles["logo.png"] == roles["shop/checkout.py"] == ["modified"]
