"""The checks that are built, in the order of a report."""

from verify_lsp.checks import diagnostics, integrity, lint, mutation, project_check, security, tests
from verify_lsp.checks.base import CheckModule

CHECKS: tuple[CheckModule, ...] = (diagnostics, project_check, security, integrity, tests, mutation, lint)
