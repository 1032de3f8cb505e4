"""Which source files the compiler really read.

A module that nothing declares is no error: cargo compiles the crate without it, and tests pass beside it.
Rust's compiler writes down for each target which files it was made of.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.output import relative_path
from verify_lsp.toolchains.rust.messages import read_messages


def unlinked(project: Project, result: CommandResult) -> tuple[str, ...]:
    """Return the changed Rust files that are part of nothing that was compiled, and have no error of their own."""
    changed = [path for path in project.changed if path.endswith(".rs")]
    messages = read_messages(result.stdout, project.folder)
    if not changed or (not messages.artifacts and messages.finished is None):
        return tuple(changed)
    named = {problem.path for problem in messages.problems() if problem.severity == "high"}
    lists = {entry for artifact in messages.artifacts for file in artifact.files for entry in _lists_of(Path(file))}
    read = {path for entry in lists for path in _listed(entry, project.folder)}
    return tuple(path for path in changed if path not in read and path not in named)


def _lists_of(artifact: Path) -> Iterator[Path]:
    """Return where the compiler listed what went into a file: `libx-1.rmeta` has `x-1.d` beside it."""
    if artifact.stem.startswith("build-script"):
        yield from artifact.parent.glob("build_script*.d")
    elif artifact.suffix in {".rmeta", ".rlib"}:
        yield artifact.with_name(artifact.stem.removeprefix("lib") + ".d")
    else:
        yield artifact.with_suffix(".d")
        yield artifact.with_name(artifact.stem.removeprefix("lib") + ".d")


def _listed(entry: Path, folder: Path) -> Iterator[str]:
    r"""Read the rules that name a source alone: `src/a\ b.rs:`."""
    try:
        text = entry.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    for line in text.split("\n"):
        if line.endswith(":"):
            path = re.sub(r"\\(.)", r"\1", line[:-1]) if not re.match(r"[A-Za-z]:\\", line) else line[:-1]
            if inside := relative_path(path, folder):
                yield inside
