"""Rust: what the grammar doubts is held against rustfmt, which parses with the compiler's own parser."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import RESULTS, Command
from verify_lsp.model.finding import Problem
from verify_lsp.system.environment import search_path
from verify_lsp.toolchains.output import head
from verify_lsp.verifiers.base import Runner, Subject, Verdict
from verify_lsp.verifiers.code.grammar_text import verify_rust

TIME_LIMIT_S = 10.0

_ERROR = re.compile(
    r"^error(?:\[E\d+\])?: (?P<message>.+)\n\s*--> <stdin>:(?P<line>\d+):(?P<column>\d+)$", re.MULTILINE
)
_EDITIONS = ("2024", "2021", "2015")
"""Tried one after the other where the edition is not known: each knows words that another takes for names."""

# From a folder of ours, so that no settings and no toolchain file of a repository are read. The text comes by stdin,
# so that rustfmt does not follow `mod` lines into other files.
_SCRIPT = 'cd "$1" && exec rustfmt --edition "$2" --color never --emit stdout < "$3" > /dev/null'


async def verify_rust_with_rustfmt(subject: Subject, run: Runner) -> Verdict:
    """Return rustfmt's word; without it the grammar's."""
    import shutil

    quick = verify_rust(subject)
    if quick.skipped or shutil.which("rustfmt", path=search_path()) is None:
        return quick
    edition = edition_of(subject)
    found: re.Match[str] | None = None
    for each in (edition,) if edition is not None else _EDITIONS:
        # The folder is made because the command speaks of it; nothing is put in it.
        command = Command(("sh", "-c", _SCRIPT, "rustfmt", RESULTS, each, str(subject.path)), timeout_s=TIME_LIMIT_S)
        result = await run(command, subject.path.parent)
        if result.exit_code == 0:
            return Verdict()
        found = found or _ERROR.search(result.stderr)
    return quick if found is None else Verdict((_better(quick) or _problem(subject.text, found),))


def edition_of(subject: Subject) -> str | None:
    """Return the edition of the package that a file belongs to, also where it has it from its workspace."""
    inherited = False
    for folder in subject.path.parents:
        manifest = _manifest(folder / "Cargo.toml")
        package = manifest.get("package")
        shared = manifest.get("workspace", {})
        if inherited and isinstance(shared, dict) and isinstance(shared.get("package"), dict):
            return _edition(shared["package"].get("edition"))
        if isinstance(package, dict) and not inherited:
            edition = package.get("edition", "2015")
            inherited = isinstance(edition, dict)
            if not inherited:
                return _edition(edition)
            if isinstance(shared, dict) and isinstance(shared.get("package"), dict):
                return _edition(shared["package"].get("edition"))
    return None


def _manifest(path: Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}


def _edition(value: object) -> str | None:
    return value if isinstance(value, str) and value in {"2018", *_EDITIONS} else None


def _better(quick: Verdict) -> Problem | None:
    """The compiler finds a missing bracket at the end of the file; our own look says where it was opened."""
    return next((problem for problem in quick.problems if problem.severity == "high"), None)


def _problem(text: str, found: re.Match[str]) -> Problem:
    lines = text.split("\n")
    line = min(int(found["line"]), len(lines))
    column = min(int(found["column"]), len(lines[line - 1].rstrip("\r")) + 1)
    return Problem("", line, "high", "rust.syntax", head(found["message"], 300), column)
