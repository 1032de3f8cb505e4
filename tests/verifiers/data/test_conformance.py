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

# A directive that the standard's productions have and its words have not; the suite refuses the like of it (MUS6/00).
YAML_REFUSED = {"ZYU8/02"}
# Quotes over lines that are indented too little: every reader of YAML 1.1 takes them, so they are a warning.
YAML_WARNED_OF = {"QB6E", "DK95/01"}


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
    assert {name for name, seen in differs.items() if seen == "valid"} == YAML_WARNED_OF
    assert set(differs.values()) <= {"valid", "invalid"}


def test_yaml_that_old_readers_take_or_do_not_take_is_told_of():
    told = {
        case["name"]: [(problem.rule, problem.severity) for problem in verdict_of("a.yaml", case).problems]
        for case in cases("yaml.json")
    }

    assert [told[name] for name in YAML_WARNED_OF] == [[("yaml.quote-indentation", "medium")]] * len(YAML_WARNED_OF)
    assert sum(("yaml.version", "low") in each for each in told.values()) == 39


def test_every_exception_stands_on_the_page():
    page = (ROOT / "docs" / "verifiers.md").read_text(encoding="utf-8")

    assert [name for name in sorted(YAML_REFUSED | YAML_WARNED_OF) if name not in page] == []


def test_each_suite_is_under_a_licence_that_is_kept():
    kept = (SUITES / "LICENCES.md").read_text(encoding="utf-8")

    assert all(name in kept for name in ("JSONTestSuite", "toml-test", "yaml-test-suite", "json5-tests"))
    assert kept.count("Permission is hereby granted") == 4
    assert sum(path.stat().st_size for path in SUITES.iterdir()) < 1_500_000
