"""Builders of model values. Each gives something valid and plain; a test names only what it is about."""

import difflib
from typing import Any

from verify_lsp.model.change import BaseRef, FileChange, HeadRef, Line
from verify_lsp.model.fact import Claim, Evidence, Fact
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.report import Check, CheckStatus, Report
from verify_lsp.model.scope import VerifyScope

BASE_SHA = "4d0f3a7be7c2a0d1c7b8f5e6a9b0c1d2e3f40516"


def a_report(**fields: Any) -> Report:
    """Return a report of one changed file whose tests pass."""
    plain: dict[str, Any] = {
        "id": "20260314-091500-a1b2c3",
        "workspace": "/home/ada/shop",
        "scope": VerifyScope("working-tree"),
        "created_at": "2026-03-14T09:15:00.000Z",
        "finished_at": "2026-03-14T09:15:04.210Z",
        "duration_ms": 4210,
        "status": "pass",
        "files": (a_file_change(),),
        "checks": (a_check(),),
        "facts": (a_fact(),),
        "base": BaseRef("HEAD", BASE_SHA),
        "head": HeadRef(dirty=True, sha=BASE_SHA),
    }
    return Report(**{**plain, **fields})


def a_check(kind: CheckKind = "tests", status: CheckStatus = "pass", **fields: Any) -> Check:
    """Return a check that says little more than its status."""
    plain: dict[str, Any] = {"summary": f"{kind} ended as {status}", "duration_ms": 410}
    return Check(kind, status, **{**plain, **fields})


def a_finding(**fields: Any) -> Finding:
    """Return a finding of the change's own, at a line of `shop/checkout.py`."""
    plain: dict[str, Any] = {
        "id": "5fd924625f6ab16a",
        "check": "lint",
        "severity": "medium",
        "path": "shop/checkout.py",
        "line": 12,
        "rule": "F401",
        "message": "`os` imported but unused",
    }
    return Finding(**{**plain, **fields})


def a_fact(**fields: Any) -> Fact:
    """Return a fact proved by the tests."""
    plain: dict[str, Any] = {
        "id": "tests-1",
        "text": "12 tests pass (pytest 9.2.0, exit 0)",
        "check": "tests",
        "evidence": Evidence(command="pytest", exit_code=0, tool="pytest", version="9.2.0"),
    }
    return Fact(**{**plain, **fields})


def a_claim(**fields: Any) -> Claim:
    """Return a claim that the plain fact supports."""
    plain: dict[str, Any] = {"text": "All tests pass.", "kind": "tests-pass", "status": "supported"}
    return Claim(**{"facts": ("tests-1",), **plain, **fields})


def a_file_change(
    path: str = "shop/checkout.py", before: str | None = "a\n", after: str | None = "a\nb\n", **fields: Any
) -> FileChange:
    """Return a file's change from one text to another, None for a side that does not exist, with its diff."""
    old, new = ((text or "").split("\n")[:-1] for text in (before, after))
    added: list[Line] = []
    removed: list[Line] = []
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            removed += [Line(number + 1, old[number]) for number in range(i1, i2)]
            added += [Line(number + 1, new[number]) for number in range(j1, j2)]
    diff = "\n".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", lineterm=""))
    plain: dict[str, Any] = {
        "path": path,
        "change": "added" if before is None else "deleted" if after is None else "modified",
        "before": before,
        "after": after,
        "diff": diff + "\n" if diff else "",
        "added_lines": tuple(added),
        "removed_lines": tuple(removed),
    }
    return FileChange(**{**plain, **fields})
