"""The mutants of a report as a mutation testing report, schema version 2, which other tools draw: each in its source.

Columns count UTF-16 code units there, as those who draw it cut JavaScript's strings.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from verify_lsp import __version__
from verify_lsp.model.mutant import MutantStatus, TriedMutant
from verify_lsp.model.report import Check, Report
from verify_lsp.reports.untrusted import visible

Json = dict[str, Any]

THRESHOLDS = {"high": 60, "low": 30}
"""Per cent: below the first the check warns, below the second it fails."""

_STATUSES: dict[MutantStatus, str] = {
    "killed": "Killed",
    "survived": "Survived",
    "no-coverage": "NoCoverage",
    "timeout": "Timeout",
    "invalid": "CompileError",
    "error": "RuntimeError",
}
_LANGUAGES = {
    ".py": "python",
    ".pyi": "python",
    ".go": "go",
    ".rs": "rust",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
}
_SEPARATOR = re.compile(r"(::| > )")
_NO_FILE = "tests whose file is not known"


def render_mutation_report(report: Report) -> str:
    """Return the mutants of `report` as one JSON document, with the verified source of each file that has one.

    A report without mutants has no files there; `config` says what became of the check, and why.
    """
    check = next((check for check in report.checks if check.kind == "mutation"), None)
    sources = {file.path: file.after for file in report.files if file.after is not None}
    by_path: dict[str, list[TriedMutant]] = {}
    for mutant in (check.mutants if check else None) or ():
        by_path.setdefault(mutant.path, []).append(mutant)
    document = {
        "schemaVersion": "2.0",
        "thresholds": THRESHOLDS,
        "framework": {"name": "verify-lsp", "version": __version__},
        "config": _config(report, check),
        "files": {path: _file(path, sources[path], of, check) for path, of in by_path.items() if path in sources},
    }
    if tests := _test_files(mutant for of in by_path.values() for mutant in of):
        document["testFiles"] = tests
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _config(report: Report, check: Check | None) -> Json:
    told = {"report": report.id, "check": "not made" if check is None else check.status}
    if check is None:
        return told
    reason = {"reason": visible(check.reason)} if check.reason else {}
    return {**told, "summary": visible(check.summary), **reason}


def _file(path: str, source: str, mutants: Iterable[TriedMutant], check: Check | None) -> Json:
    source = source.removeprefix("\ufeff")
    lines = source.split("\n")
    extension = PurePosixPath(path).suffix.lower()
    seen: Counter[str] = Counter()
    return {
        "language": _LANGUAGES.get(extension, "none"),
        "source": source,
        "mutants": [_mutant(mutant, lines, check, seen) for mutant in mutants],
    }


def _mutant(mutant: TriedMutant, lines: list[str], check: Check | None, seen: "Counter[str]") -> Json:
    told: Json = {
        "id": _id(mutant, lines, seen),
        "mutatorName": mutant.operator,
        "location": {
            "start": _position(lines, mutant.line, mutant.column),
            "end": _position(lines, mutant.end_line, mutant.end_column),
        },
        "replacement": mutant.replacement,
        "status": _STATUSES[mutant.status],
    }
    if mutant.covered_by:
        told["coveredBy"] = list(mutant.covered_by)
    if mutant.killed_by is not None:
        told["killedBy"] = [mutant.killed_by]
    if (reason := _reason(mutant, check)) is not None:
        told["statusReason"] = visible(reason)
    return told


def _id(mutant: TriedMutant, lines: list[str], seen: "Counter[str]") -> str:
    """Name a mutant so that it keeps its name when lines above it move."""
    text = lines[mutant.line - 1].strip() if mutant.line <= len(lines) else ""
    parts = (mutant.path, mutant.function, text, mutant.operator, mutant.original, mutant.replacement)
    key = "\0".join(parts)
    seen[key] += 1
    return hashlib.sha256(f"{key}\0{seen[key]}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _position(lines: list[str], line: int, column: int) -> dict[str, int]:
    before = lines[line - 1][: column - 1] if line <= len(lines) else ""
    return {"line": line, "column": len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1}


def _reason(mutant: TriedMutant, check: Check | None) -> str | None:
    if mutant.status == "timeout":
        return "the tests ran into the time limit, which is no kill here"
    told = (one.message for one in check.findings if check.mutant_of(one) == mutant) if check else iter(())
    return mutant.reason or next(told, None)


def _test_files(mutants: Iterable[TriedMutant]) -> Mapping[str, Json]:
    """Return the tests that are named, by file where their names tell it."""
    names: dict[str, None] = {}
    for mutant in mutants:
        names.update(dict.fromkeys(mutant.covered_by))
        if mutant.killed_by is not None:
            names[mutant.killed_by] = None
    files: dict[str, list[Json]] = {}
    for name in names:
        path, separator, rest = _SEPARATOR.split(name, maxsplit=1) if _SEPARATOR.search(name) else (name, "", name)
        known = PurePosixPath(path).suffix.lower() in _LANGUAGES and " " not in path
        files.setdefault(path if known else _NO_FILE, []).append(
            {"id": name, "name": rest if known and separator else name}
        )
    return {path: {"tests": tests} for path, tests in files.items()}
