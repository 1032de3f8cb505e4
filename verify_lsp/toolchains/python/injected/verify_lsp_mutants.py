# ruff: noqa: PTH118, PTH120, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Loads the files of a change with their mutants in them, and notes which mutants the running program reaches.

Files are met where Python reads their code, whoever asks for it and however they were found; nothing on disk is
touched, and no cached bytecode of them is read. Everything here must work with Python 3.8.
"""

from __future__ import annotations

import builtins
import hashlib
import json
import os
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source
from types import CodeType
from typing import Any

from verify_lsp_origins import OWN, origin_of, real  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_schemata import SWITCH, Schemata, Unfit, replaced  # type: ignore[import-not-found]  # likewise

FOLDER = os.environ.get("VERIFY_LSP_RESULTS", "")
ORDER = "verify_lsp_order.json"
CHOSEN = "VERIFY_LSP_MUTANT"
"""The variable that names the one mutant which is switched on, in this process and in those it starts."""
CANARY = "VERIFY_LSP_CANARY"
"""The variable that says that this mutant is a canary, in its own `place` or in that of its `file`."""
CHILDREN = "mutants-in-children.txt"


class Canary(BaseException):
    """Raised where a mutant would be asked for, to see whether the tests notice that anything happens there."""


class Switches(dict):  # type: ignore[type-arg]  # at run time, Python 3.8 knows no dict[int, bool]
    """Mutants' numbers to whether they are on. One that is asked for the first time is noted as reached."""

    def __init__(self) -> None:
        super().__init__()
        self.reached: set[int] = set()
        self.chosen: int | None = None
        self.canary = False
        self.note: Any = None
        self.files: Any = None

    def __missing__(self, number: int) -> bool:
        """Answer, and be quick the next time."""
        if number == self.chosen and self.canary:
            raise Canary
        is_on = self[number] = number == self.chosen
        self.reached.add(number)
        if self.note is not None:
            self.note(number)
        return is_on

    def taken(self) -> set[int]:
        """Return what was reached since the last call."""
        reached, self.reached = self.reached, set()
        self.clear()
        return reached

    def choose(self, number: int | None, *, canary: bool = False) -> None:
        """Switch one mutant on, and all others off."""
        self.chosen, self.canary = number, canary
        self.clear()


class Files:
    """The files of the order, and what became of them in this process.

    Attributes:
        order: What is to be tried.
        path_of: Each mutant's number to the real path of its file.
        arriving: Called with the real path of a file whose code is about to be asked for the first time.
    """

    def __init__(self, order: Any, place: str) -> None:
        self.order = order
        self.switches = Switches()
        self.unfit: dict[int, Unfit] = {}
        self.changed: set[str] = set()
        self.met: set[str] = set()
        self.sticky: set[int] = set()
        self.alone = False
        self.arriving: Any = None
        # Mutants are numbered from 1, so that a number is never false.
        self._mutants: dict[str, dict[int, Any]] = {}
        self.path_of: dict[int, str] = {}
        self._digests: dict[str, str] = {}
        for path, digest in order["files"].items():
            real = os.path.realpath(os.path.join(place, path))
            self._digests[real] = digest
            self._mutants[real] = {
                number: mutant for number, mutant in enumerate(order["mutants"], start=1) if mutant["path"] == path
            }
            self.path_of.update(dict.fromkeys(self._mutants[real], real))

    def listen(self) -> None:
        """Meet these files whenever Python asks for their code. What tries mutants must have none in it."""
        original = SourceFileLoader.get_code

        def get_code(loader: Any, fullname: str) -> Any:
            code = original(loader, fullname)
            path = real(loader.path)
            if path not in self._digests or os.path.dirname(path) == OWN:
                return code
            return self._code(path, loader.path, code)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]  # that is the point

    def _code(self, path: str, file: str, code: Any) -> Any:
        with open(path, "rb") as opened:
            text = decode_source(opened.read())
        if digest_of(text) != self._digests[path]:
            self.changed.add(path)
            return code
        if self.arriving is not None and path not in self.met:
            self.arriving(path)
        self.met.add(path)
        if self.switches.note is not None:
            # By a number of its own kind: that of the file's first mutant, below nothing.
            self.switches.note(-min(self._mutants[path]))
        if self.alone:
            chosen = self._mutants[path].get(self.switches.chosen or 0)
            if chosen is not None and self.switches.canary:
                return compile(f"raise RuntimeError({CANARY!r})", file, "exec")
            return code if chosen is None else alone(text, file, chosen)
        try:
            return self._together(text, file, self._mutants[path])
        except (SyntaxError, ValueError, RecursionError):
            return code

    def _together(self, text: str, file: str, mutants: dict[int, Any]) -> Any:
        schemata: Any = Schemata(text, mutants)
        self.unfit.update(schemata.unfit)
        self.sticky |= schemata.sticky
        try:
            return schemata.code(file)
        except (SyntaxError, ValueError, RecursionError):
            fit = {number: mutant for number, mutant in mutants.items() if number not in schemata.unfit}
            good = {number: mutant for number, mutant in fit.items() if self._compiles(text, file, number, mutant)}
            if len(good) == len(fit):
                raise
            return Schemata(text, good).code(file)

    def examine(self, path: str) -> None:
        """Find out which mutants of a file that this process has not loaded are unfit."""
        try:
            with open(path, "rb") as opened:
                self._together(decode_source(opened.read()), path, self._mutants[path])
        except (OSError, SyntaxError, ValueError, RecursionError):
            return

    def _compiles(self, text: str, file: str, number: int, mutant: Any) -> bool:
        try:
            Schemata(text, {number: mutant}).code(file)
        except (SyntaxError, ValueError, RecursionError) as error:
            self.unfit[number] = Unfit(f"{type(error).__name__}: {error}"[:200], invalid=True)
            return False
        return True

    def unmet_copies(self) -> dict[str, str]:
        """Return files that were loaded without us, each with the module that has them."""
        found: dict[str, str] = {}
        for name, module in list(sys.modules.items()):
            path = origin_of(module)
            if path in self._digests and path not in self.met and path not in self.changed:
                found[path] = name
        return found

    def paths(self) -> dict[str, dict[int, Any]]:
        """Return the absolute paths of the files, each with its mutants by number."""
        return self._mutants


def digest_of(text: str) -> str:
    """Return what tells one text from another, whatever its encoding and its line ends on disk."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def alone(text: str, file: str, mutant: Any) -> CodeType:
    """Compile a text with one mutant's piece replaced, for a process that is about nothing else."""
    changed = "\n".join(replaced(text.split("\n"), mutant))
    return compile(changed, file, "exec", dont_inherit=True)


def start(place: str | None = None) -> Files | None:
    """Begin to meet the files, once a process; None where nothing is to be tried."""
    known = getattr(builtins, SWITCH, None)
    if known is not None:
        return known.files  # type: ignore[no-any-return]  # set below
    try:
        with open(os.path.join(FOLDER, ORDER), encoding="utf-8") as opened:
            order = json.load(opened)
    except (OSError, ValueError):
        return None
    files = Files(order, order["place"] if place is None else place)
    switches = files.switches
    chosen, canary = os.environ.get(CHOSEN, ""), os.environ.get(CANARY, "")
    if chosen:
        switches.choose(int(chosen), canary=canary != "")
        files.alone = canary != "place"
    else:
        switches.note = _note_in_child
        os.register_at_fork(after_in_child=lambda: setattr(switches, "note", _note_in_child))
    switches.files = files
    setattr(builtins, SWITCH, switches)
    files.listen()
    return files


def _note_in_child(number: int) -> None:
    """Tell the process that runs the tests what one that it started has reached. Short lines are written whole."""
    try:
        descriptor = os.open(os.path.join(FOLDER, CHILDREN), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(descriptor, b"%d\n" % number)
        finally:
            os.close(descriptor)
    except OSError:
        return
