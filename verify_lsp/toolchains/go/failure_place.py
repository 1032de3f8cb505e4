"""Where a Go test failed, and what it said, read from its output."""

import re
from pathlib import Path

from verify_lsp.model.testrun import TestCase
from verify_lsp.toolchains.go.events import GoPackage, GoTest
from verify_lsp.toolchains.go.module import package_folder
from verify_lsp.toolchains.go.source_lines import SourceLines
from verify_lsp.toolchains.output import head, plain

_FRAMING = re.compile(r"=== (?:RUN|PAUSE|CONT|NAME)\b.*|\s*--- (?:FAIL|PASS|SKIP): .*")
_LOGGED = re.compile(r"\s{4,}(?P<path>[^\s:]+\.go):(?P<line>\d+): ?(?P<message>.*)")
_FRAME = re.compile(r"\s+(?P<path>\S.*\.go):(?P<line>\d+)(?: \+0x[0-9a-f]+)?")
_PANIC = re.compile(r"(?:panic|fatal error): |WARNING: DATA RACE")
_TEST_FILES_READ = 200


class FailurePlaces:
    """Finds the places of failures in one module."""

    def __init__(self, sources: SourceLines, module: str | None) -> None:
        """Look below the folder of `sources`, in the packages of `module`."""
        self._sources = sources
        self._module = module

    def case(self, package: GoPackage, test: GoTest, test_id: str) -> TestCase:
        """Return a failed test with its place and message."""
        lines = [line for line in _lines(test.output) if not _FRAMING.fullmatch(line)]
        folder = package_folder(package.path, self._module)
        place = self._panicked(lines) or self._logged(lines, folder) or self._defined(test.name, folder)
        path, line = place or (None, None)
        nothing = "it failed without a message" if test.outcome == "failed" else "it did not end"
        return TestCase(test_id, "failed", path, line, _message(lines) or nothing)

    def package_case(self, package: GoPackage, test_id: str, message: str = "") -> TestCase:
        """Return a package that failed as a whole: in its setup, its main function or behind its tests' back."""
        lines = [line for line in _lines(package.output) if not re.fullmatch(r"PASS|FAIL(?:\t.*)?", line)]
        path, line = self._panicked(lines) or (None, None)
        return TestCase(test_id, "failed", path, line, message or _message(lines))

    def _panicked(self, lines: list[str]) -> tuple[str, int] | None:
        start = next((index for index, line in enumerate(lines) if _PANIC.match(line)), None)
        if start is None:
            return None
        for line in lines[start:]:
            found = _FRAME.fullmatch(line)
            inside = self._sources.place(found["path"]) if found else None
            if found and inside and not inside.startswith("vendor/") and (self._sources.folder / inside).is_file():
                return inside, int(found["line"])
        return None

    def _logged(self, lines: list[str], folder: str | None) -> tuple[str, int] | None:
        """The last logged line: what a test says last is what it failed with."""
        for line in reversed(lines):
            found = _LOGGED.fullmatch(line)
            if found is None or folder is None:
                continue
            name = found["path"]
            inside = self._sources.place(name if Path(name).is_absolute() else f"{folder}/{name}")
            if inside and (self._sources.folder / inside).is_file():
                return inside, int(found["line"])
        return None

    def _defined(self, name: str, folder: str | None) -> tuple[str, int] | None:
        """Where nothing was logged in the package, the test function itself is the place."""
        if folder is None:
            return None
        head_of = re.compile(rf"^func {re.escape(name.split('/', maxsplit=1)[0])}\(", re.MULTILINE)
        for file in sorted((self._sources.folder / folder).glob("*_test.go"))[:_TEST_FILES_READ]:
            text = file.read_text(encoding="utf-8", errors="replace")
            if found := head_of.search(text):
                inside = self._sources.place(str(file))
                return (inside, text.count("\n", 0, found.start()) + 1) if inside else None
        return None


def _lines(output: list[str]) -> list[str]:
    return plain("".join(output)).split("\n")


def _message(lines: list[str]) -> str:
    """Return what a failure said: from the panic on, where there is one, without the stack."""
    start = next((index for index, line in enumerate(lines) if _PANIC.match(line)), None)
    if start is not None:
        end = next((i for i in range(start, len(lines)) if lines[i].startswith("goroutine ")), len(lines))
        return head("\n".join(lines[start:end]))
    said = (found["message"] if (found := _LOGGED.fullmatch(line)) else line.strip() for line in lines)
    return head("\n".join(line for line in said if line))
