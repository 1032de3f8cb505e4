"""Tests that did not run the code that is verified prove nothing about it."""

from pathlib import Path

import attrs

from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.output import relative_path


def foreign_run(run: TestRun, foreign: list[list[str]], folder: Path) -> TestRun:
    """Return `run`, or an unusable one when the tests imported some of the project's modules from elsewhere.

    Args:
        foreign: Module and file, as our reporters list them.
        folder: The project's absolute folder.
    """
    if not foreign or run.verdict in {"unusable", "none-ran"}:
        return run
    module, file = foreign[0]
    others = len({name for name, _ in foreign}) - 1
    more = f" (and {others} more)" if others else ""
    if relative_path(file, folder) is None and "site-packages" not in file:
        advice = "another tree is installed in this environment"
    else:
        advice = "install the project in editable mode, or build it again"
    reason = f"the tests imported {module}{more} from {file}, not from the files that are verified; {advice}"
    return attrs.evolve(run, verdict="unusable", reason=reason)
