"""`go vet` over the whole module: type errors, also of tests, and what vet's analyzers find."""

import json
import re
from collections.abc import Iterator
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.go.build_output import BuildOutput, read_build_output
from verify_lsp.toolchains.go.constraints import build_context, not_built
from verify_lsp.toolchains.go.module import go_environment, module_path, no_go, package_folder, reading_flags
from verify_lsp.toolchains.go.source_lines import SourceLines
from verify_lsp.toolchains.output import head


def vet(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return the project check of a module: whatever makes `go vet` fail is an error."""
    if absent := no_go(project):
        return absent
    environment = go_environment(project)
    argv = ("go", "vet", "-json", *reading_flags(), "./...")
    return ProblemStep(
        "go vet",
        Command(argv, project.root, environment, timeout_s),
        lambda result: read_vet(project, result),
        version=Command(("go", "version"), project.root, environment),
        unseen=lambda result: unseen(project, result),
    )


def read_vet(project: Project, result: CommandResult) -> tuple[Problem, ...] | Unreadable:
    """Return the problems of a `go vet -json` run, sorted by place."""
    sources = SourceLines(project.folder)
    answers, rest = _split(result)
    built = read_build_output(rest, sources, project.path)
    problems = {*built.problems, *_findings(answers, sources)}
    if problems:
        return tuple(sorted(problems, key=lambda problem: (problem.path, problem.line, problem.column or 0)))
    if built.unfit:
        return Unreadable(built.unfit, broke=False)
    if "no packages to vet" in rest:
        return Unreadable("no Go package of the module is built on this system", broke=False)
    if result.exit_code != 0:
        return Unreadable(f"go vet failed (exit {result.exit_code}): {head(rest, 300) or 'it printed nothing'}")
    return ()


def unseen(project: Project, result: CommandResult) -> tuple[str, ...]:
    """Return the changed files that Go leaves out here, or did not come to because others failed."""
    sources = SourceLines(project.folder)
    built = read_build_output(_split(result)[1], sources, project.path)
    named = {problem.path for problem in built.problems}
    context = build_context(project)
    files = [path for path in project.changed if path.endswith(".go") and path not in named]
    return tuple(
        path for path in files if not_built(project.folder, path, context) or _behind_an_error(project, path, built)
    )


def _behind_an_error(project: Project, path: str, built: BuildOutput) -> bool:
    if "testdata" in path.split("/"):
        return False
    if not built.complete:
        return True
    module = module_path(project.folder)
    folder = path.rpartition("/")[0] or "."
    # An external test package ("m/a_test") lives in the folder of the package that it tests.
    packages = (name for first in built.first_only for name in (first, first.removesuffix("_test")))
    return any(package_folder(package, module) == folder for package in packages)


def _split(result: CommandResult) -> tuple[list[dict[str, Any]], str]:
    """Take the JSON documents out of the text around them: Go before 1.24 prints both on stderr."""
    answers: list[dict[str, Any]] = []

    def take(found: re.Match[str]) -> str:
        try:
            answer = json.loads(found.group())
        except ValueError:
            return found.group()
        answers.append(answer)
        return ""

    text = f"{result.stdout}\n{result.stderr}"
    return answers, re.sub(r"^\{(?:\}|\n.*?^\})$", take, text, flags=re.MULTILINE | re.DOTALL)


def _findings(answers: list[dict[str, Any]], sources: SourceLines) -> Iterator[Problem]:
    for answer in answers:
        for analyzers in answer.values():
            for analyzer, found in _mapping(analyzers).items():
                if isinstance(found, list):
                    yield from (_finding(analyzer, item, sources) for item in found if isinstance(item, dict))
                elif error := _mapping(found).get("error"):
                    yield Problem("", 0, "high", analyzer, head(f"the analyzer itself failed: {error}"))


def _finding(analyzer: str, item: dict[str, Any], sources: SourceLines) -> Problem:
    message = head(str(item.get("message", "")))
    path, line, column = _position(str(item.get("posn", "")))
    inside = sources.place(path) if path else None
    if inside is None:
        return Problem("", 0, "high", analyzer, message)
    end_path, end_line, end_column = _position(str(item.get("end", "")))
    ends = end_path == path and (end_line, end_column) > (line, column)
    return Problem(
        inside,
        line,
        "high",
        analyzer,
        message,
        sources.column(inside, line, column),
        end_line if ends else None,
        sources.column(inside, end_line, end_column) if ends else None,
        suggestion=_suggestion(item),
    )


def _suggestion(item: dict[str, Any]) -> str | None:
    fixes = item.get("suggested_fixes")
    if isinstance(fixes, list) and fixes and (message := _mapping(fixes[0]).get("message")):
        return head(str(message))
    return None


def _position(text: str) -> tuple[str, int, int]:
    found = re.fullmatch(r"(.+?):(\d+)(?::(\d+))?", text)
    return (found.group(1), int(found.group(2)), int(found.group(3) or 1)) if found else ("", 0, 1)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
