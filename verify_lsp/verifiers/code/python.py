"""Python: the verdict of `compile()`, for the project's own version where it can be had."""

import re
import sys
from collections.abc import Callable

import attrs

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.code.python_compile import Beyond, Fault, fault_of
from verify_lsp.verifiers.code.python_encoding import decoded
from verify_lsp.verifiers.code.python_kinds import other_kind
from verify_lsp.verifiers.code.python_newer import Newer, in_older_words, line_and_column, newer_than
from verify_lsp.verifiers.code.python_texts import PythonTexts
from verify_lsp.verifiers.code.python_version import ProjectPython, ProjectPythons, project_python

OURS = (sys.version_info.major, sys.version_info.minor)
SYNTAX_RULE = "python.syntax"
NEWER_RULE = "python.newer-syntax"

# What Python 3.12 allows in f-strings, in the words of those before it.
_LIFTED = re.compile(r"f-string: expressions nested too deeply|f-string expression part cannot include")

FaultOf = Callable[[str, str], Fault | Beyond | None]
"""Compiles the text of the file that the first argument names."""


def _fault_of_file(_key: str, text: str) -> Fault | Beyond | None:
    return fault_of(text)


def verify_python(subject: Subject) -> Verdict:
    """Compile in this process, and say what that means for the Python of the project.

    Where the caller keeps a memory, only the statements that changed are compiled.
    """
    if subject.memory is None:
        return verdict_here(subject, project_python(subject.path, subject.workspace))
    texts = subject.memory.setdefault("python", PythonTexts())
    pythons = subject.memory.setdefault("python.projects", ProjectPythons())
    return verdict_here(subject, pythons.of(subject.path, subject.workspace), texts.fault_of)


def verdict_here(subject: Subject, python: ProjectPython | None, fault_of_file: FaultOf = _fault_of_file) -> Verdict:
    """Return the verdict of this process's own Python. Errors are errors only where every version has them."""
    version = python.version if python is not None else None
    if version is not None and version < (3, 0):
        return Verdict(skipped=f"the project's interpreter is Python {dotted(version)}")
    text = subject.text if subject.data is None else decoded(subject.data)
    if isinstance(text, Fault):
        return Verdict((syntax_problem(text, "high"),))
    fault = fault_of_file(str(subject.path), text)
    if isinstance(fault, Beyond):
        return Verdict(skipped=fault.reason)
    if fault is None:
        newer = _too_new(text, version) if version is not None and version < OURS else ()
        return Verdict(newer, note=_note(python))
    return _judged(subject, text, fault, python)


def newer_problem(text: str, use: Newer, version: tuple[int, int]) -> Problem:
    """Return what a use of newer syntax means where the project's interpreter does not know it."""
    line, column = line_and_column(text, use)
    message = f"newer syntax than the interpreter {dotted(version)}: {use.name} needs Python {dotted(use.since)}"
    return Problem("", line, "medium", NEWER_RULE, message, column)


def _judged(subject: Subject, text: str, fault: Fault, python: ProjectPython | None) -> Verdict:
    """Tell what is wrong in every version from what is only newer than ours, or no Python of today at all."""
    kind = other_kind(subject.path, text)
    if kind is not None:
        return Verdict(skipped=f"it is {kind}")
    version = python.version if python is not None else None
    uses = newer_than(text, OURS)
    rest = fault_of(in_older_words(text, uses)) if uses else fault
    if isinstance(rest, Beyond):
        return Verdict(skipped=rest.reason)
    if rest is None or (OURS < (3, 12) and _LIFTED.match(rest.message)):
        return _only_newer(text, fault, uses, python)
    # A Python that is newer than ours may know what we have never heard of.
    certain = version is None or version <= OURS or _broken_for_tree_sitter(text)
    return Verdict((syntax_problem(rest, "high" if certain else "medium"),), note=_note(python))


def _only_newer(text: str, fault: Fault, uses: tuple[Newer, ...], python: ProjectPython | None) -> Verdict:
    """Return what it means that nothing is wrong but the age of our Python."""
    if python is not None and python.version is not None and python.version <= OURS:
        if uses:
            return Verdict((newer_problem(text, uses[0], python.version),), note=_note(python))
        message = f"newer syntax than the interpreter {dotted(python.version)}: {fault.message}"
        problem = attrs.evolve(syntax_problem(fault, "medium"), rule=NEWER_RULE, message=message)
        return Verdict((problem,), note=_note(python))
    what = f"{uses[0].name}, Python {dotted(uses[0].since)}" if uses else fault.message
    return Verdict(skipped=f"newer syntax than the interpreter {dotted(OURS)} that it was held against ({what})")


def _too_new(text: str, version: tuple[int, int]) -> tuple[Problem, ...]:
    return tuple(newer_problem(text, use, version) for use in newer_than(text, version)[:1])


def _broken_for_tree_sitter(text: str) -> bool:
    from verify_lsp.syntax.trees import parse

    return parse("python", text.encode("utf-8", "surrogatepass")).root_node.has_error


def syntax_problem(fault: Fault, severity: Severity) -> Problem:
    """Return what the compiler said, as a problem."""
    return Problem(
        "",
        fault.line,
        severity,
        SYNTAX_RULE,
        fault.message,
        fault.column,
        fault.end_line,
        fault.end_column,
    )


def _note(python: ProjectPython | None) -> str | None:
    """Say which version was used where it is not plainly the project's."""
    if python is None or python.version is None:
        return f"held against Python {dotted(OURS)}, because the project's interpreter is not known"
    if python.version == OURS:
        return None
    return f"held against Python {dotted(OURS)}; the project's interpreter {python.shown} is {dotted(python.version)}"


def dotted(version: tuple[int, int]) -> str:
    """Return a version as people write it."""
    return f"{version[0]}.{version[1]}"
