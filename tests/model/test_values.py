from typing import get_args

import attrs
import pytest

from tests.harness.samples import a_check, a_finding, a_report
from verify_lsp.model import change, command, event, fact, finding, outcome, report, scope, testrun
from verify_lsp.model.command import Command
from verify_lsp.model.errors import EngineError, NoSuchReportError, UsageError, VerifyError
from verify_lsp.model.finding import CHECK_KINDS, SEVERITIES, CheckKind, Severity
from verify_lsp.model.testrun import TestCase, TestRun

MODULES = (change, command, event, fact, finding, outcome, report, scope, testrun)
CLASSES = sorted(
    {value for module in MODULES for value in vars(module).values() if isinstance(value, type) and attrs.has(value)},
    key=lambda cls: cls.__name__,
)


@pytest.mark.parametrize("cls", CLASSES)
def test_values_cannot_be_changed(cls):
    value = object.__new__(cls)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(value, attrs.fields(cls)[0].name, None)


def test_the_order_of_checks_and_severities_names_each_once():
    assert get_args(CheckKind) == CHECK_KINDS
    assert get_args(Severity) == SEVERITIES


def test_a_report_gives_its_findings_in_the_order_of_its_checks():
    one, two, three = (a_finding(id=name) for name in "abc")
    checks = (
        a_check("tests", findings=(one, two)),
        a_check("lint", findings=()),
        a_check("mutation", findings=(three,)),
    )
    assert a_report(checks=checks).findings() == (one, two, three)


def test_a_command_is_shown_as_a_person_would_type_it():
    assert Command(("pytest", "-k", "a b")).shown() == "pytest -k 'a b'"
    assert Command(("go", "test"), cwd="my dir").shown() == "cd 'my dir' && go test"
    assert Command(("make test && echo 'x y'",), shell=True).shown() == "make test && echo 'x y'"


def test_failures_are_the_failed_cases_in_their_order():
    cases = (TestCase("b", "failed"), TestCase("a", "passed"), TestCase("c", "skipped"), TestCase("a", "failed"))
    assert [case.id for case in TestRun("failed", cases=cases).failures()] == ["b", "a"]


def test_counts_that_no_tool_gave_are_not_zero():
    run = TestRun("passed")
    assert (run.passed, run.failed, run.skipped, run.total) == (None, None, None, None)


def test_what_a_user_can_act_on_is_one_family_of_errors():
    for error in (UsageError, EngineError, NoSuchReportError):
        assert issubclass(error, VerifyError)
    assert issubclass(NoSuchReportError, UsageError)
