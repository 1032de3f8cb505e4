import json
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import REPORTS, everything, survivors
from tests.harness.samples import a_check, a_finding, a_report
from verify_lsp.codec import camel_case, dumps, from_wire, to_wire
from verify_lsp.model.change import FileChange
from verify_lsp.model.errors import UsageError
from verify_lsp.model.fact import Claim, Evidence, Fact
from verify_lsp.model.finding import Finding
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.report import Check, Report, ReportSummary
from verify_lsp.model.scope import FileText, VerifyScope
from verify_lsp.settings.settings import RuleLevel

WIRE_CLASSES = (VerifyScope, FileChange, Check, Finding, Fact, Claim, Report, ReportSummary)

# A value of each wrong JSON kind for a field whose right kind is named.
WRONG: dict[str, tuple[Any, ...]] = {
    "a string": (1, True, ["x"], {"x": 1}),
    "a whole number": ("1", True, 1.5, [1]),
    "a number": ("1", True, [1]),
    "true or false": (1, "true", []),
    "a list": ("text", 1, {"x": 1}, True),
    "an object": ("text", 1, ["x"], True),
    "a choice": ("nope", 99, True, [], 1.0),
}


@pytest.mark.parametrize("cls", WIRE_CLASSES)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_what_goes_out_comes_back_the_same(cls, data):
    value = data.draw(values_of(cls))
    assert from_wire(json.loads(dumps(value)), cls) == value


@pytest.mark.parametrize("name", REPORTS)
def test_each_sample_report_comes_back_the_same(name):
    report = REPORTS[name]()
    text = dumps(report)
    assert from_wire(json.loads(text), Report) == report
    assert from_wire(json.loads(dumps(report, indent=2)), Report) == report
    assert text == text.encode().decode()


@pytest.mark.parametrize("cls", WIRE_CLASSES)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_a_field_that_is_not_known_is_absent_and_every_other_one_is_there(cls, data):
    value = data.draw(values_of(cls))
    wire = to_wire(value)
    for field in attrs.fields(cls):
        absent = field.default is None and getattr(value, field.name) is None
        assert (camel_case(field.name) in wire) is not absent


@given(values_of(Check))
def test_the_wire_holds_lists_objects_and_scalars_only(check):
    assert json.loads(json.dumps(to_wire(check))) == to_wire(check)


def test_an_unknown_metric_is_null_and_stays_null():
    check = a_check(metrics={"passed": 12, "failed": None})
    assert to_wire(check)["metrics"] == {"passed": 12, "failed": None}
    assert from_wire(json.loads(dumps(check)), Check).metrics == {"passed": 12, "failed": None}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_number_that_json_does_not_know_is_written_as_unknown_and_never_read(number):
    assert to_wire(a_check(metrics={"score": number}))["metrics"] == {"score": None}
    with pytest.raises(UsageError, match=r"metrics\['score'\]: expected a number"):
        from_wire({**to_wire(a_check()), "metrics": {"score": number}}, Check)


def test_a_null_may_stand_for_an_absent_field():
    assert from_wire({"kind": "staged", "base": None}, VerifyScope) == VerifyScope("staged")


def test_files_of_a_scope_may_be_paths_and_whole_texts():
    scope = VerifyScope("files", files=("a.py", FileText("b.py", after="x\n")))
    assert to_wire(scope) == {"kind": "files", "files": ["a.py", {"path": "b.py", "after": "x\n"}]}
    assert from_wire(to_wire(scope), VerifyScope) == scope


def _places(cls: type, wire: dict[str, Any]) -> list[tuple[str, str]]:
    kinds = {str: "a string", int: "a whole number", bool: "true or false", dict: "an object", list: "a list"}
    choices = {"kind", "status", "check", "severity", "change", "riskTier", "schemaVersion"}
    return [
        (camel_case(field.name), "a choice" if camel_case(field.name) in choices else kinds[type(wire[camel_case(field.name)])])
        for field in attrs.fields(cls)
        if camel_case(field.name) in wire
    ]  # fmt: skip


def _filled() -> list[tuple[type, dict[str, Any]]]:
    report = to_wire(everything())
    checks = {check["kind"]: check for check in report["checks"]}
    finding = checks["security"]["findings"][0]
    mutant = to_wire(survivors().checks[1])["mutants"][0]
    renamed = next(file for file in report["files"] if "oldPath" in file)
    return [
        (Report, report),
        (Check, {**checks["tests"], "reason": "r", "mutants": [mutant]}),
        (TriedMutant, {**mutant, "killedBy": "t", "reason": "r"}),
        (Finding, finding),
        (FileChange, renamed),
        (Fact, report["facts"][-1]),
        (VerifyScope, {**report["scope"], "diff": "d", "base": "b", "changeSetId": "c", "files": []}),
    ]


WRONG_FIELDS = [
    (cls, wire, name, wrong) for cls, wire in _filled() for name, kind in _places(cls, wire) for wrong in WRONG[kind]
]


@pytest.mark.parametrize(
    ("cls", "wire", "name", "wrong"),
    WRONG_FIELDS,
    ids=[f"{cls.__name__}.{name}={wrong!r}" for cls, _, name, wrong in WRONG_FIELDS],
)
def test_a_value_of_the_wrong_kind_is_refused_with_the_name_of_its_field(cls, wire, name, wrong):
    assert from_wire(wire, cls)
    with pytest.raises(UsageError) as refused:
        from_wire({**wire, name: wrong}, cls)
    assert str(refused.value).startswith((f"{name}:", f"{name} ", f"{name}["))
    assert "\n" not in str(refused.value)


def test_every_field_of_every_wire_class_was_tried_with_a_wrong_value():
    tried = {(cls, name) for cls, _, name, _ in WRONG_FIELDS}
    assert tried == {(cls, camel_case(field.name)) for cls, _ in _filled() for field in attrs.fields(cls)}


@pytest.mark.parametrize(
    ("data", "cls", "sentence"),
    [
        (
            {"kind": "nope"},
            VerifyScope,
            "kind: 'nope' is not one of session, change-set, staged, working-tree, branch, files",
        ),
        ({"kind": "files", "files": [{"path": 1}]}, VerifyScope, "files[0].path: expected a string, got a number"),
        ({"kind": "files", "files": ["a", 2]}, VerifyScope, "files[1]: expected a string or an object, got a number"),
        ({"kind": "files", "files": "a.py"}, VerifyScope, "files: expected a list, got a string"),
        ({"kind": "files", "changeIds": ["a", None]}, VerifyScope, "changeIds[1]: expected a string, got null"),
        ({"kind": "files", "file": ["a"]}, VerifyScope, "unknown field 'file'"),
        ({"kind": "files", "session_id": "s"}, VerifyScope, "unknown field 'session_id'"),
        ({}, VerifyScope, "missing field 'kind'"),
        ([], VerifyScope, "expected an object, got a list"),
        (None, Report, "expected an object, got null"),
        ({"text": "t", "kind": "k", "status": "true"}, Claim, "status: 'true' is not one of supported, contradicted, unsupported, hedged"),
        ({**to_wire(a_check()), "findings": [to_wire(a_finding()), {**to_wire(a_finding()), "line": "1"}]}, Check, "findings[1].line: expected a whole number, got a string"),
        ({**to_wire(a_check()), "metrics": {"a b": "1"}}, Check, "metrics['a b']: expected a number, got a string"),
        ({**to_wire(a_report()), "base": {"ref": "HEAD", "sha": "1", "url": "u"}}, Report, "base: unknown field 'url'"),
        ({**to_wire(a_report()), "riskTier": True}, Report, "riskTier: true is not one of 0, 1, 2"),
        ({**to_wire(a_report()), "schemaVersion": 2, "extra": 1}, Report, "schemaVersion 2 is not known here: reports of schemaVersion 1 can be read"),
        ({**to_wire(a_report()), "schemaVersion": True}, Report, "schemaVersion true is not known here: reports of schemaVersion 1 can be read"),
    ],
)  # fmt: skip
def test_the_sentence_says_where_and_what(data, cls, sentence):
    with pytest.raises(UsageError) as refused:
        from_wire(data, cls)
    assert str(refused.value) == sentence


def test_the_name_of_a_field_in_a_sentence_is_the_public_one():
    with pytest.raises(UsageError, match=r"^oldPath: "):
        from_wire({"path": "a", "change": "renamed", "oldPath": 1}, FileChange)


def test_many_complaints_make_one_short_sentence():
    wire = to_wire(a_check())
    with pytest.raises(UsageError) as refused:
        from_wire({**wire, "findings": [{}] * 1_000}, Check)
    assert len(str(refused.value)) < 500
    assert str(refused.value).endswith("more")


def test_a_foreign_value_is_quoted_short_and_without_control_characters():
    with pytest.raises(UsageError) as refused:
        from_wire({"kind": "\x1b[31m\u202e" + "x" * 10_000, "y\n" * 1000: 1}, VerifyScope)
    assert len(str(refused.value)) < 500
    assert str(refused.value).isprintable()


@given(st.text(alphabet=st.characters(codec=None, categories=None), max_size=30))
def test_a_document_is_safe_to_print_and_to_encode(text):
    document = dumps(Claim(text, "kind", "hedged"))
    assert document.encode()
    assert not any(c in document for c in "\x1b\x7f\x85\x9b\u2028\u202e\u2066\n")
    assert from_wire(json.loads(document), Claim).text == text.encode("utf-16", "surrogatepass").decode(
        "utf-16", "surrogatepass"
    )


def test_keys_stand_in_the_order_of_the_model():
    assert list(to_wire(Evidence(command="c", exit_code=0, metrics={}))) == ["command", "exitCode", "metrics"]


def test_a_union_of_choices_is_one_choice():
    assert from_wire("off", RuleLevel) == "off"
    assert from_wire("high", RuleLevel) == "high"
    with pytest.raises(UsageError, match="'on' is not one of off, critical, high, medium, low, info"):
        from_wire("on", RuleLevel)
