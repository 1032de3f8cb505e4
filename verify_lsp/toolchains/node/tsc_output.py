"""Reading what `tsc --pretty false` prints, and which files it says it looked at."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.model.command import CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import Project, Unreadable
from verify_lsp.toolchains.node.located import column_of, line_reader, locate
from verify_lsp.toolchains.output import head, plain

_AT_FILE = re.compile(
    r"(?P<path>\S.*?)\((?P<line>\d+),(?P<column>\d+)\): (?P<category>error|warning) (?P<code>TS\d+): (?P<text>.*)"
)
_ANYWHERE = re.compile(r"(?P<category>error|warning) (?P<code>TS\d+): (?P<text>.*)")
_SEVERITIES: dict[str, Severity] = {"error": "high", "warning": "medium"}

_NO_INPUTS = {"TS18002", "TS18003"}
_NO_CONFIG = {"TS5083", "TS6053"}
_NOT_BUILT = {"TS6305", "TS6306", "TS6310"}


def read_tsc(
    result: CommandResult, project: Project, tool: str, *, all_phases: bool = False
) -> tuple[Problem, ...] | Unreadable:
    """Read the problems that the compiler printed, paths relative to the project's folder.

    The compiler stops before it looks at types when its options are wrong; then there is nothing to be read
    from the silence about the rest.

    Args:
        all_phases: True when the compiler was made to go on.
    """
    problems = tuple(_problems(plain(result.stdout), project))
    if not problems and result.exit_code != 0:
        said = head(result.stderr, 400) or head(result.stdout, 400) or "it printed nothing"
        return Unreadable(f"{tool} failed (exit {result.exit_code}): {said}")
    if problems and (why := _why_no_answer(problems, tool, all_phases=all_phases)):
        return why
    if problems and result.truncated:
        text = f"{tool} printed more than was kept, so problems are missing from this list"
        return (*problems, Problem("", 0, "high", "truncated", text))
    return problems


def _why_no_answer(problems: tuple[Problem, ...], tool: str, *, all_phases: bool) -> Unreadable | None:
    codes = {problem.rule for problem in problems}
    if codes <= _NO_INPUTS:
        return Unreadable(f"{tool} found no files to check: {problems[0].message}", broke=False)
    if codes & _NOT_BUILT and not all_phases:
        return Unreadable(f"{tool} needs referenced projects to be built: {problems[0].message}", broke=False)
    # Without a file that it extends, a configuration has other options, and whatever they find is not the project's.
    lost = next((problem for problem in problems if problem.rule in _NO_CONFIG and _is_config(problem.path)), None)
    if lost is not None:
        return Unreadable(f"{tool} cannot read its configuration: {_said(lost)}")
    if all(map(_is_about_options, codes)) and not all_phases:
        return Unreadable(f"{tool} stopped at its configuration: {_said(problems[0])}")
    return None


def stopped_at_syntax(problems: tuple[Problem, ...]) -> bool:
    """Return whether only syntax errors were told: the compiler then did not go on to types."""
    return bool(problems) and all(re.fullmatch(r"TS1\d{3}", problem.rule) for problem in problems)


def files_of_build_info(text: str | None, folder: Path) -> frozenset[str] | None:
    """Return the absolute paths of the files that a `.tsbuildinfo` in `folder` lists; None when it lists none."""
    try:
        data = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    for holder in (data, data.get("program") if isinstance(data, dict) else None):
        names = holder.get("fileNames") if isinstance(holder, dict) else None
        if isinstance(names, list):
            return frozenset(
                os.path.normpath(os.path.join(folder, name))  # noqa: PTH118  # Path would not collapse "..".
                for name in names
                if isinstance(name, str)
            )
    return None


def _problems(text: str, project: Project) -> Iterator[Problem]:
    line_of = line_reader(project)
    found: Problem | None = None
    for line in text.split("\n"):
        if found is not None and line.startswith("  "):
            found = _continued(found, line)
            continue
        if found is not None:
            yield found
        found = None
        if at_file := _AT_FILE.fullmatch(line):
            path = locate(project, at_file["path"])
            row, column = int(at_file["line"]), int(at_file["column"])
            message = at_file["text"] if path is not None else f"{at_file['path']}: {at_file['text']}"
            severity = _SEVERITIES[at_file["category"]]
            if path is None:
                found = Problem("", 0, severity, at_file["code"], message)
            else:
                found = Problem(path, row, severity, at_file["code"], message, column_of(line_of(path, row), column))
        elif anywhere := _ANYWHERE.fullmatch(line):
            found = Problem("", 0, _SEVERITIES[anywhere["category"]], anywhere["code"], anywhere["text"])
    if found is not None:
        yield found


def _continued(problem: Problem, line: str) -> Problem:
    import attrs

    if len(problem.message) > 1500:
        return problem
    return attrs.evolve(problem, message=f"{problem.message}\n{line.rstrip()}")


def _is_config(path: str) -> bool:
    return not path or path.endswith(".json")


def _is_about_options(code: str) -> bool:
    return re.fullmatch(r"TS(5\d{3}|60(?:53|59)|630\d|1800[23])", code) is not None


def _said(problem: Problem) -> str:
    where = f"{problem.path}: " if problem.path else ""
    return f"{where}{problem.rule}: {head(problem.message, 300)}"
