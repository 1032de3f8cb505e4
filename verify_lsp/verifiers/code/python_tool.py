"""Python, judged by the project's own interpreter, where that is another version than ours."""

import json
from collections.abc import Mapping
from typing import Any

import attrs

from verify_lsp.model.command import RESULTS, Command
from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Runner, Subject, Verdict
from verify_lsp.verifiers.code.python import NEWER_RULE, OURS, dotted, newer_problem, syntax_problem, verdict_here
from verify_lsp.verifiers.code.python_compile import Fault, fault_in
from verify_lsp.verifiers.code.python_encoding import decoded
from verify_lsp.verifiers.code.python_kinds import other_kind
from verify_lsp.verifiers.code.python_newer import newer_than
from verify_lsp.verifiers.code.python_version import ProjectPython, project_python

SCRIPT = "verify_lsp_compile"
TIME_LIMIT_S = 10.0


async def verify_with_project_python(subject: Subject, run: Runner) -> Verdict:
    """Ask the project's interpreter about a saved file; nothing of the project is imported, and nothing written.

    An interpreter that stands in the workspace may be anything, so that it is run in a trusted one only. Where it is
    not run, the verdict is that of our own Python, with a note that says so.
    """
    python = project_python(subject.path, subject.workspace)
    here = verdict_here(subject, python)
    if python is None or python.version == OURS or not subject.saved or subject.workspace is None:
        return here
    if python.own and not subject.trusted:
        note = f"{here.note}, and was not run, because the workspace is not trusted" if here.note else None
        return attrs.evolve(here, note=note)
    text = subject.text if subject.data is None else decoded(subject.data)
    if isinstance(text, Fault) or (python.version or (3, 0)) < (3, 0):
        return here
    result = await run(_command(subject, python), subject.workspace)
    answer = _answer(result.files.get("compile.json", "")) if result.exit_code == 0 else None
    if answer is None:
        return attrs.evolve(here, note=f"{here.note or f'held against Python {dotted(OURS)}'}, which did not answer")
    return _verdict(subject, text, here, answer)


def _command(subject: Subject, python: ProjectPython) -> Command:
    from verify_lsp.toolchains.python.testing.request import injected

    return Command(
        (str(python.program), "-I", "-S", "-B", f"{RESULTS}/{SCRIPT}.py"),
        timeout_s=TIME_LIMIT_S,
        support={f"{SCRIPT}.py": injected(SCRIPT), "verify_lsp_files.json": json.dumps([str(subject.path)])},
    )


def _answer(text: str) -> Mapping[str, Any] | None:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and isinstance(answer.get("problems"), list) else None


def _verdict(subject: Subject, text: str, here: Verdict, answer: Mapping[str, Any]) -> Verdict:
    major, _, rest = str(answer["python"]).partition(".")
    version = (int(major), int(rest.partition(".")[0]))
    if answer["unread"]:
        return Verdict(skipped=f"Python {dotted(version)} of the project could not compile it")
    if not answer["problems"]:
        return Verdict()
    fault = fault_in(text, _error(answer["problems"][0]), version)
    if version > OURS:
        kind = other_kind(subject.path, text)
        return Verdict((syntax_problem(fault, "high"),)) if kind is None else Verdict(skipped=f"it is {kind}")
    if (here.problems or here.skipped) and not _only_newer(here):
        return attrs.evolve(here, note=None)
    return Verdict((_newer(text, fault, version),))


def _newer(text: str, fault: Fault, version: tuple[int, int]) -> Problem:
    """Put into words what compiles here, and not for the older interpreter of the project."""
    uses = newer_than(text, version)
    if uses:
        return newer_problem(text, uses[0], version)
    message = f"newer syntax than the interpreter {dotted(version)}: {fault.message}"
    return attrs.evolve(syntax_problem(fault, "medium"), rule=NEWER_RULE, message=message)


def _only_newer(verdict: Verdict) -> bool:
    return all(problem.rule == NEWER_RULE for problem in verdict.problems) and verdict.skipped is None


def _error(item: Mapping[str, Any]) -> SyntaxError:
    kinds = {"IndentationError": IndentationError, "TabError": TabError}
    place = ("", item.get("line"), item.get("column"), None, item.get("end_line"), item.get("end_column"))
    return kinds.get(str(item.get("kind")), SyntaxError)(str(item.get("message")), place)
