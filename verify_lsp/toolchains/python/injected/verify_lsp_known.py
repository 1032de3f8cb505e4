# ruff: noqa: PTH118, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Names what a mutant's fate depends on, so that it need not be tried again while none of that changes.

That is the function it stands in, the files of the tests that reach it, and whatever else of the project is loaded
beside the change itself. Everything here must work with Python 3.8.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterable
from typing import Any

from verify_lsp_origins import origin_of  # type: ignore[import-not-found]  # it stands beside this file at run time

SETTINGS = ("pyproject.toml", "pytest.ini", "setup.cfg", "tox.ini", ".coveragerc", "pytest.toml")


class Known:
    """The fates that are known from earlier runs.

    Args:
        changed: Absolute paths of the files that have mutants.
        file_of: A test's number to the file it stands in, or "".
        tests: All tests by number.
    """

    def __init__(self, order: Any, changed: Iterable[str], file_of: Callable[[int], str], tests: Iterable[int]) -> None:
        self._order = order
        self._file_of = file_of
        self._digests: dict[str, str] = {}
        place = os.path.realpath(order["place"])
        apart = {os.path.realpath(path) for path in changed}
        of_tests = {os.path.realpath(path) for path in {file_of(test) for test in tests}}
        loaded = {origin_of(module) for module in list(sys.modules.values())} - apart - of_tests
        settings = (os.path.join(place, name) for name in SETTINGS)
        own = sorted(path for path in loaded if path.startswith(place + os.sep) and "site-packages" not in path)
        self._around = [platform.python_version(), *(self._digest(path) for path in (*own, *settings))]

    def key(self, number: int, tests: Iterable[int], names: Callable[[int], str]) -> str:
        """Return what names a mutant's fate: equal where nothing that it depends on differs."""
        mutant = self._order["mutants"][number - 1]
        files = sorted({self._file_of(test) for test in tests})
        parts = [
            [mutant["scope"], mutant["replacement"]],
            sorted(names(test) for test in tests),
            [self._digest(path) for path in files],
            self._around,
        ]
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def fate(self, key: str) -> Any:
        """Return what is known by this key, or None."""
        return self._order["known"].get(key)

    def _digest(self, path: str) -> str:
        if path not in self._digests:
            try:
                with open(path, "rb") as opened:
                    self._digests[path] = hashlib.sha256(opened.read()).hexdigest()
            except OSError:
                self._digests[path] = ""
        return self._digests[path]
