# ruff: noqa: PTH114, PTH117, PTH118, PTH120, PTH123, PTH204, PTH206
# The functions of os.path are the least that a test can have replaced under our feet.
"""What our test reporters share: the request they were given, and where the project's modules came from.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

import json
import os
import sys
from types import TracebackType
from typing import Any

FOLDER = os.environ.get("VERIFY_LSP_RESULTS", "")
OWN = os.path.dirname(os.path.realpath(__file__))
"""Where these modules stand. They may be the project's own, whose tests are run by them all the same."""
MAX_FOREIGN = 50
_REAL: dict[str, str] = {}


def read_request() -> Any:
    """Return what we were asked for: `selection`, `changed`, `workspace`, `place` and more (see `request.py`)."""
    with open(os.path.join(FOLDER, "verify_lsp_request.json"), encoding="utf-8") as file:
        return json.load(file)


def real(path: str) -> str:
    """Return the real path of a file that a module came from; a session has hundreds, and each is asked for several times."""
    if not os.path.isabs(path):
        return os.path.realpath(path)
    if path not in _REAL:
        _REAL[path] = _real(path)
    return _REAL[path]


def _real(path: str) -> str:
    folder, name = os.path.split(path)
    if os.path.islink(path):
        return os.path.realpath(path)
    if folder not in _REAL:
        _REAL[folder] = os.path.realpath(folder)
    return os.path.join(_REAL[folder], name)


def origin_of(module: Any) -> str:
    """Return the real path of the file that a module came from, or "" where it names none."""
    origin = getattr(module, "__dict__", {}).get("__file__")
    return real(origin) if isinstance(origin, str) else ""


def identity_of(descriptor: int) -> tuple[int, int] | None:
    """Return what tells an open file from others (device, inode), or None where nothing is open by this number."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return None
    return status.st_dev, status.st_ino


class Trouble:
    """Keeps our own errors from the run that we watch, and remembers the first of them."""

    def __init__(self) -> None:
        self.first: str | None = None

    def __enter__(self) -> None:
        """Nothing is set up."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Swallow ordinary exceptions; let an interrupt through."""
        if not isinstance(error, Exception):
            return False
        self.first = self.first or f"{type(error).__name__}: {error}"[:300]
        return True


class Running:
    """Keeps the name of the test that runs on disk, in case the process does not survive it: the first line of a file.

    Each name is one write; what a longer one before it has left stands on other lines.
    """

    def __init__(self, name: str) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        self._file = os.open(os.path.join(FOLDER, name) if name else os.devnull, flags, 0o600)
        self._identity = identity_of(self._file)

    def tell(self, test: str) -> None:
        """Take the name of a test, or "" when none runs."""
        if self._is_there():
            os.lseek(self._file, 0, os.SEEK_SET)
            os.write(self._file, (test + "\n").encode("utf-8", "replace"))

    def close(self) -> None:
        """The session is over."""
        if self._is_there():
            os.close(self._file)

    def _is_there(self) -> bool:
        """Tests may close what they did not open, and the number is given to another file then."""
        return identity_of(self._file) == self._identity


def foreign_modules(request: Any, root: str) -> list[list[str]]:
    """Return `[module, file]` of project modules that did not come from the tree under test.

    These are changed modules that were imported from elsewhere (an installed copy, an old build), and, in
    a copy of the workspace, all modules that came from the workspace itself.
    """
    found = []
    names = request["changed"] if request["workspace"] is None else list(sys.modules)
    for name in sorted(names):
        origin = getattr(sys.modules.get(name), "__dict__", {}).get("__file__")
        if isinstance(origin, str) and _is_foreign(name, real(origin), request, root):
            found.append([name, origin])
    return found[:MAX_FOREIGN]


def _is_foreign(name: str, origin: str, request: Any, root: str) -> bool:
    wanted = request["changed"].get(name)
    if wanted is not None:
        wanted = os.path.realpath(os.path.join(root, wanted))
        return bool(wanted != origin) and not _is_fresh_build(origin, wanted)
    workspace = request["workspace"]
    if workspace is None or os.path.dirname(origin) == OWN or _is_below(origin, os.path.realpath(request["place"])):
        return False
    return _is_below(origin, os.path.realpath(workspace)) and not _is_installed(origin)


def _is_fresh_build(origin: str, source: str) -> bool:
    """An extension module beside its source, built after the source was written, is the source."""
    if os.path.dirname(origin) != os.path.dirname(source) or origin.endswith(".py"):
        return False
    return os.path.getmtime(origin) >= os.path.getmtime(source)


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _is_installed(path: str) -> bool:
    parts = set(path.split(os.sep))
    return not parts.isdisjoint({"site-packages", "dist-packages"}) or _is_below(path, os.path.realpath(sys.prefix))
