# ruff: noqa: PTH118, PTH120, PTH123
# The functions of os.path start faster than pathlib, and this is all that runs.
"""Compiles files without running or writing anything, and writes down what is no Python.

Run as a script, with `-I`, so that no module of the project is imported. It must work with Python 3.8.
"""

from __future__ import annotations

import json
import os
import platform
import sys
import warnings
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100
MAX_PROBLEMS = 2000


def main() -> None:
    """Compile each file of the list, in the working folder."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10_000)
    with open(os.path.join(FOLDER, "verify_lsp_files.json"), encoding="utf-8") as file:
        paths = json.load(file)
    problems: list[dict[str, Any]] = []
    unread: list[str] = []
    for path in paths:
        problem = _problem(path, unread)
        if problem is not None and len(problems) < MAX_PROBLEMS:
            problems.append(problem)
    answer = {
        "python": platform.python_version(),
        "compiled": len(paths) - len(unread),
        "unread": unread[:100],
        "problems": problems,
    }
    with open(os.path.join(FOLDER, "compile.json"), "w", encoding="utf-8") as file:
        json.dump(answer, file)


def _problem(path: str, unread: list[str]) -> dict[str, Any] | None:
    try:
        with open(path, "rb") as file:
            source = file.read()
    except OSError:
        unread.append(path)
        return None
    try:
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        near = _counted_in_characters(source, error)
        return {
            "path": path,
            "line": error.lineno,
            "column": near.offset,
            "message": str(error.msg),
            "kind": type(error).__name__,
            "end_line": getattr(near, "end_lineno", None),
            "end_column": getattr(near, "end_offset", None),
        }
    except ValueError as error:
        return {"path": path, "line": None, "column": None, "message": str(error)}
    except (RecursionError, MemoryError, OverflowError):
        # Too deep for this compiler says nothing about the file.
        unread.append(path)
    return None


def _counted_in_characters(source: bytes, error: SyntaxError) -> SyntaxError:
    """From bytes, Python 3.9 to 3.12 count bytes; from text, every version counts characters."""
    import io
    import tokenize

    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        compile(source.decode(encoding), "", "exec", dont_inherit=True)
    except SyntaxError as again:
        if again.lineno == error.lineno:
            return again
    except (ValueError, LookupError, RecursionError, MemoryError):
        pass
    return error


if __name__ == "__main__":
    main()
