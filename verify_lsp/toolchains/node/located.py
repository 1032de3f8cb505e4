"""Where a tool's path and column are, in our terms."""

import os
from collections.abc import Callable
from pathlib import Path

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.node.manifest import read_text
from verify_lsp.toolchains.output import code_point_column, relative_path


def locate(project: Project, path: str) -> str | None:
    """Return a path of a tool that ran in the project's folder as a path relative to that folder.

    It may begin with `../` as long as it stays in the place of the run; None when it leads elsewhere.
    """
    joined = os.path.normpath(os.path.join(project.folder, path))  # noqa: PTH118  # Path would not collapse "..".
    for place in dict.fromkeys((project.place, project.workspace)):
        inside = relative_path(joined, place)
        if inside is not None:
            return Path(os.path.relpath(inside, project.root)).as_posix()
    return None


def line_reader(project: Project) -> Callable[[str, int], str]:
    """Return a function from a path of `locate` and a 1-based line to the line's text; empty when there is none."""
    texts: dict[str, list[str]] = {}

    def line_of(path: str, line: int) -> str:
        if path not in texts:
            texts[path] = (read_text(project.folder / path) or "").split("\n")
        lines = texts[path]
        return lines[line - 1] if 0 < line <= len(lines) else ""

    return line_of


def column_of(line: str, utf16_column: int) -> int:
    """Return the 1-based code point column of a 1-based UTF-16 column; as it is where the line is not known."""
    return code_point_column(line, utf16_column - 1) if line else utf16_column
