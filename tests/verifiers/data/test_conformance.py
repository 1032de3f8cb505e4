"""The verdicts held against public suites; what differs is named, with the reason in docs/verifiers.md."""

import base64
import json
from pathlib import Path

import pytest

from tests.harness.verified_texts import errors
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.content import decoded
from verify_lsp.verifiers.verify import verify_text

ROOT = Path(__file__).parents[3]
SUITES = ROOT / "tests" / "verifiers" / "conformance"

# The parsers refuse these, although they are YAML 1.2, and so do the many readers that stand on the same library.
YAML_REFUSED = {
    "2JQS",
    "2SXE",
    "4MUZ/00",
    "4MUZ/01",
    "4MUZ/02",
    "58MP",
    "5MUD",
    "5T43",
    "6CA3",
    "6M2F",
    "7Z25",
    "8XYN",
    "9SA2",
    "CFD4",
    "DBG4",
    "DK3J",
    "DK95/00",
    "FP8R",
    "FRK4",
    "HM87/00",
    "HWV9",
    "K3WX",
    "M2N8/00",
    "M7A3",
    "NHX8",
    "NJ66",
    "NKF9",
    "Q5MG",
    "QT73",
    "S3PD",
    "SM9W/01",
    "UKK6/00",
    "UT92",
    "VJP3/01",
    "W4TN",
    "W5VH",
    "Y79Y/10",
    "ZYU8/00",
    "ZYU8/01",
    "ZYU8/02",
}
# The parsers read these, although they are not YAML.
YAML_READ = {
    "9C9N",
    "9HCY",
    "9JBA",
    "CVW2",
    "DK95/01",
    "EB22",
    "G5U8",
    "MUS6/00",
    "MUS6/01",
    "QB6E",
    "RHX7",
    "S98Z",
    "SU5Z",
    "X4QW",
    "Y79Y/00",
    "Y79Y/03",
    "YJV2",
}


def cases(suite):
    return json.loads((SUITES / suite).read_text(encoding="utf-8"))["cases"]


def content(case):
    return case["text"].encode() if "text" in case else base64.b64decode(case["base64"])


def verdict_of(name, case):
    data = content(case)
    return verify_text(Subject(Path(name), decoded(data).text, data=data))


def outcome(verdict):
    if verdict.skipped is not None:
        return "skipped"
    return "invalid" if errors(verdict) else "valid"


def differing(suite, name, key):
    return {
        case["name"]: outcome(verdict_of(name, case))
        for case in cases(suite)
        if case[key] not in {"either", None} and outcome(verdict_of(name, case)) != case[key]
    }


def test_json_agrees_with_its_suite_in_every_case():
    assert len(cases("json.json")) == 316
    assert differing("json.json", "a.json", "expected") == {}


def test_json_of_a_hundred_thousand_brackets_is_skipped():
    for text in ("[" * 100_000, '[{"":' * 50_000):
        assert outcome(verify_text(Subject(Path("a.json"), text))) == "skipped"


@pytest.mark.parametrize(("name", "key"), [("a.json", "json"), ("a.json5", "json5")])
def test_json5_agrees_with_its_suite_in_every_case(name, key):
    assert len(cases("json5.json")) == 113
    assert differing("json5.json", name, key) == {}


def test_toml_agrees_with_the_suite_of_its_later_version_in_every_case():
    assert len(cases("toml.json")) == 777
    assert differing("toml.json", "a.toml", "1.1") == {}


def test_toml_that_needs_the_later_version_is_right_with_a_warning():
    wrong = {}
    for case in cases("toml.json"):
        verdict = verdict_of("a.toml", case)
        seen = "valid" if outcome(verdict) == "valid" and not verdict.problems else "invalid"
        if case["1.0"] is not None and seen != case["1.0"]:
            wrong[case["name"]] = seen

    assert wrong == {}


def test_yaml_agrees_with_its_suite_but_for_what_is_named():
    differs = differing("yaml.json", "a.yaml", "expected")

    assert len(cases("yaml.json")) == 406
    assert {name for name, seen in differs.items() if seen == "invalid"} == YAML_REFUSED
    assert {name for name, seen in differs.items() if seen == "valid"} == YAML_READ
    assert set(differs.values()) <= {"valid", "invalid"}


def test_every_exception_stands_on_the_page():
    page = (ROOT / "docs" / "verifiers.md").read_text(encoding="utf-8")

    assert [name for name in sorted(YAML_REFUSED | YAML_READ) if name not in page] == []


def test_each_suite_is_under_a_licence_that_is_kept():
    kept = (SUITES / "LICENCES.md").read_text(encoding="utf-8")

    assert all(name in kept for name in ("JSONTestSuite", "toml-test", "yaml-test-suite", "json5-tests"))
    assert kept.count("Permission is hereby granted") == 4
    assert sum(path.stat().st_size for path in SUITES.iterdir()) < 1_500_000
