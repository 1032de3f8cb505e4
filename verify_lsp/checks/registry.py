"""The checks that are built, in the order of a report. Each is loaded when it is wanted: together they take a while."""

from collections.abc import Collection
from importlib import import_module
from typing import cast

from verify_lsp.checks.base import CheckModule
from verify_lsp.model.finding import CheckKind

BUILT: tuple[CheckKind, ...] = ("diagnostics", "project-check", "security", "integrity", "tests", "mutation", "lint")


def check_modules(wanted: Collection[CheckKind]) -> tuple[CheckModule, ...]:
    """Return the modules of the checks that are both wanted and built."""
    return tuple(_module_of(kind) for kind in BUILT if kind in wanted)


def _module_of(kind: CheckKind) -> CheckModule:
    """Modules are named as the checks are, and a test holds each to what a check must have."""
    return cast(CheckModule, import_module(f"verify_lsp.checks.{kind.replace('-', '_')}"))
