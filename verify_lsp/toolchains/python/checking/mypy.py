"""mypy, in any version."""

import functools
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.python.checking.answers import SEVERITIES, Parsed, json_document, unreadable
from verify_lsp.toolchains.python.checking.columns import SourceLines, from_either
from verify_lsp.toolchains.python.project.configuration import ini_section, tool_table
from verify_lsp.toolchains.python.project.interpreter import Interpreter

_MYPY_TEXT = re.compile(
    r"(?P<file>.+?):(?P<line>\d+):(?:(?P<column>\d+):)?(?:\d+:\d+:)? (?P<severity>error|note|warning): "
    r"(?P<message>.*?)(?:  \[(?P<code>[\w-]+)\])?"
)
_JSON_SINCE = (1, 11)
_MYPY_FLAGS = (
    "--show-column-numbers",
    "--no-error-summary",
    "--no-pretty",
    "--show-error-codes",
    "--no-color-output",
    "--no-install-types",
)


def mypy_is_configured(folder: Path) -> bool:
    """Tell whether `folder` configures mypy."""
    if (folder / "mypy.ini").is_file() or (folder / ".mypy.ini").is_file():
        return True
    return tool_table(folder, "mypy") is not None or ini_section(folder / "setup.cfg", "mypy") is not None


def mypy_step(project: Project, interpreter: Interpreter, timeout_s: float) -> ProblemStep | None:
    """Return the step: the environment's own mypy, else one on the path that is told of the environment."""
    version = interpreter.version_of("mypy")
    outside = shutil.which("mypy", path=project.path)
    if version or (version == "" and outside is None):
        program: tuple[str, ...] = (str(interpreter.program), "-m", "mypy")
        numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
        style: tuple[str, ...] = ("--output", "json") if numbers >= _JSON_SINCE else ()
    elif outside is not None:
        program, style = (outside,), ("--python-executable", str(interpreter.program))
    else:
        return None
    cache = str(project.cache / "mypy")
    return ProblemStep(
        tool="mypy",
        command=Command(
            (*program, *_MYPY_FLAGS, "--cache-dir", cache, *style, *_mypy_targets(project)),
            cwd=project.root,
            timeout_s=timeout_s,
        ),
        parse=functools.partial(read_mypy, folder=project.folder),
        version=Command((*program, "--version"), cwd=project.root),
    )


def _mypy_targets(project: Project) -> tuple[str, ...]:
    """What the configuration names; else the source folders, because of two files of a name mypy would take neither."""
    folder = project.folder
    tables = [tool_table(folder, "mypy"), *(ini_section(folder / name, "mypy") for name in _INI_FILES)]
    if any(table and {"files", "packages", "modules"} & table.keys() for table in tables):
        return ()
    if (folder / "src").is_dir():
        return ("src",)
    packages = sorted(path.parent.name for path in folder.glob("*/__init__.py") if path.parent.name.isidentifier())
    sources = [name for name in packages if name not in {"test", "tests", "docs", "examples"}]
    modules = sorted(path.name for path in folder.glob("*.py") if path.name not in {"setup.py", "conftest.py"})
    return (*sources, *modules) or (".",)


_INI_FILES = ("mypy.ini", ".mypy.ini", "setup.cfg")


def read_mypy(result: CommandResult, folder: Path) -> Parsed:
    """Read JSON lines (mypy 1.11 and newer) or text lines, whichever it wrote."""
    lines = SourceLines(folder)
    said = list(_mypy_items(plain(result.stdout)))
    errors = [item for item in said if item["severity"] != "note"]
    stopped = [item for item in errors if item["line"] < 1]
    if "There are no .py[i] files" in result.stderr:
        return Unreadable("mypy found no files to look at", broke=False)
    if result.truncated:
        return Unreadable("mypy said more than can be read")
    if result.exit_code not in {0, 1, 2} or bool(errors) != bool(result.exit_code) or stopped:
        why = head(stopped[0]["message"]) if stopped else None
        return Unreadable(f"mypy looked at nothing: {why}") if why else unreadable("mypy", result)
    return tuple(_mypy_problem(item, folder, lines) for item in errors)


def _mypy_items(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        data = json_document(line, "{") if line.startswith("{") else None
        if isinstance(data, dict) and {"file", "line", "column", "message", "severity"} <= data.keys():
            yield data
        elif match := _MYPY_TEXT.fullmatch(line):
            column = int(match["column"]) - 1 if match["column"] else -1
            yield {**match.groupdict(), "line": int(match["line"]), "column": column}


def _mypy_problem(item: Mapping[str, Any], folder: Path, lines: SourceLines) -> Problem:
    path = relative_path(str(item["file"]), folder)
    place = "" if path is not None else f"{item['file']}: "
    column = None
    if path is not None and item["column"] >= 0:
        column = from_either(lines.line(path, item["line"]), item["column"], item["message"])
    return Problem(
        path=path or "",
        line=item["line"] if path is not None else 0,
        severity=SEVERITIES.get(item["severity"], "high"),
        rule=str(item.get("code") or "mypy"),
        message=head(place + str(item["message"])),
        column=column,
        suggestion=head(str(item["hint"])) if item.get("hint") else None,
    )
