# ruff: noqa: PTH109, PTH110
# The functions of os.path are the least that a test can have replaced under our feet.
"""What can be asked of a pytest session as a whole.

Everything here must work with Python 3.8 and pytest 6.
"""

from __future__ import annotations

import os
import platform
import sys
from typing import Any

import pytest


def session_facts(config: Any) -> dict[str, Any]:
    """Return the versions, the folders, and the options that bear on what a run means."""
    inifile = getattr(config, "inipath", None) or getattr(config, "inifile", None)
    return {
        "python": platform.python_version(),
        "executable": sys.executable,
        "pytest": pytest.__version__,
        "rootdir": str(config.rootpath if hasattr(config, "rootpath") else config.rootdir),
        "inifile": str(inifile) if inifile else None,
        "invocation_dir": os.getcwd(),
        "maxfail": config.getoption("maxfail", 0),
        "missing": _missing_arguments(config),
        "collect_only": bool(config.getoption("collectonly", False)),
    }


def printed_counts(config: Any) -> dict[str, int]:
    """The counts of pytest's own summary, where pytest itself writes one; plugins may have had a hand in them."""
    terminal = config.pluginmanager.getplugin("terminalreporter")
    stats = getattr(terminal, "stats", None)
    if type(terminal).__module__ != "_pytest.terminal" or not isinstance(stats, dict):
        return {}
    counts = {
        category: sum(1 for report in reports if getattr(report, "count_towards_summary", True))
        for category, reports in stats.items()
        if category
    }
    return {category: number for category, number in counts.items() if number}


def missed_coverage(config: Any) -> list[float] | None:
    """The reached and the required total, where pytest-cov let the session fail for it."""
    plugin = config.pluginmanager.getplugin("_cov")
    reached = getattr(plugin, "cov_total", None)
    required = getattr(getattr(plugin, "options", None), "cov_fail_under", None)
    if reached is None or not required or reached >= required:
        return None
    return [float(reached), float(required)]


def _missing_arguments(config: Any) -> list[str]:
    """With xdist a wrong path is no error: its workers find no tests, and that is all."""
    if config.getoption("pyargs", False):
        return []
    return [argument for argument in config.args if not os.path.exists(str(argument).split("::")[0])]
