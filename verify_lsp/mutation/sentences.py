"""Mutants in words."""

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.model.mutant import Mutant, MutantResult, TriedMutant

_SHOWN = 60
_WHERE = {"handler": "when an exception is caught", "branch": "in the `else`"}
UNNOTICED, NOT_RUN = "mutation-survived", "mutation-not-covered"


def problem_of(result: MutantResult) -> Problem | None:
    """Return what a reader should know of a mutant; None for one that the tests noticed, or that says nothing."""
    mutant = result.mutant
    if result.status == "survived":
        return _problem(mutant, "medium", UNNOTICED, f"{_fault(mutant)} goes unnoticed by {_tests(result.tests)}")
    if result.status == "no-coverage":
        return _problem(mutant, "low", NOT_RUN, f"no test runs this line, so that {_fault(mutant)} would go unnoticed")
    return None


def _problem(mutant: Mutant, severity: Severity, rule: str, message: str) -> Problem:
    return Problem(
        path=mutant.path,
        line=mutant.line,
        column=mutant.column,
        end_line=mutant.end_line,
        end_column=mutant.end_column,
        severity=severity,
        rule=rule,
        message=message,
    )


def words_on(mutant: TriedMutant) -> str:
    """Say what a mutant does and who does not notice it: "changing `<` to `<=` here goes unnoticed by the tests"."""
    if mutant.status == "no-coverage":
        return f"no test runs this line, so that {_fault(mutant)} would go unnoticed"
    return f"{_fault(mutant)} goes unnoticed by {_tests(mutant.tests)}"


def fault_at(mutant: TriedMutant) -> str:
    """Say what a mutant does, without a word on where."""
    return _fault(mutant).removesuffix(" here")


def _tests(number: int | None) -> str:
    if not number:
        return "the tests"
    return "the one test that runs it" if number == 1 else f"the {number} tests that run it"


def _fault(mutant: Mutant | TriedMutant) -> str:
    original, replacement = _short(mutant.original), _short(mutant.replacement.strip())
    match mutant.operator:
        case "call" | "raise":
            return f"leaving out `{original}` here"
        case "handler" | "branch":
            left_out = _short(mutant.original.strip("{}"))
            return f"leaving out `{left_out}` {_WHERE[mutant.operator]} here"
        case "condition":
            return f"turning the condition `{original}` around here"
        case "negation" | "sign":
            sign = "not" if original.startswith("not") else original[:1]
            return f"taking the `{sign}` from `{original}` here"
        case "return":
            return f"returning {replacement} instead of `{original}` here"
        case _:
            return f"changing `{original}` to `{replacement}` here"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + "…"
