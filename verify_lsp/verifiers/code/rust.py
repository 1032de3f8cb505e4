"""Rust: what the grammar doubts is held against rustfmt, which parses with the compiler's own parser."""

import re

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
_EDITION = re.compile(r"^\s*edition\s*=\s*[\"'](\d{4})[\"']", re.MULTILINE)
# From a folder of ours, so that no settings and no toolchain file of a repository are read. The text comes by stdin,
# so that rustfmt does not follow `mod` lines into other files.
_SCRIPT = 'cd "$1" && exec rustfmt --edition "$2" --color never --emit stdout < "$3" > /dev/null'


async def verify_rust_with_rustfmt(subject: Subject, run: Runner) -> Verdict:
    """Return rustfmt's word; without it the grammar's."""
    import shutil

    quick = verify_rust(subject)
    if quick.skipped or shutil.which("rustfmt", path=search_path()) is None:
        return quick
    # The folder is made because the command speaks of it; the file in it is never read.
    command = Command(
        ("sh", "-c", _SCRIPT, "rustfmt", RESULTS, edition_of(subject), str(subject.path)), timeout_s=TIME_LIMIT_S
    )
    result = await run(command, subject.path.parent)
    if result.exit_code is None:
        return quick
    if result.exit_code == 0:
        return Verdict()
    found = _ERROR.search(result.stderr)
    if found is None:
        return quick
    return Verdict((_better(quick) or _problem(subject.text, found),))


def edition_of(subject: Subject) -> str:
    """Return the edition that the nearest manifest names; where it is inherited or there is none, that of 2021."""
    for folder in subject.path.parents:
        try:
            text = (folder / "Cargo.toml").read_text(encoding="utf-8", errors="replace")
        except OSError:
            if folder == subject.workspace:
                break
            continue
        found = _EDITION.search(text)
        return found[1] if found and found[1] in {"2015", "2018", "2021", "2024"} else "2021"
    return "2021"


def _better(quick: Verdict) -> Problem | None:
    """The compiler finds a missing bracket at the end of the file; our own look says where it was opened."""
    return next((problem for problem in quick.problems if problem.severity == "high"), None)


def _problem(text: str, found: re.Match[str]) -> Problem:
    lines = text.split("\n")
    line = min(int(found["line"]), len(lines))
    column = min(int(found["column"]), len(lines[line - 1].rstrip("\r")) + 1)
    return Problem("", line, "high", "rust.syntax", head(found["message"], 300), column)
