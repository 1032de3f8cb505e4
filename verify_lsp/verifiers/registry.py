"""Every verifier there is, and which one is for a file."""

import functools
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path

import attrs

from verify_lsp.verifiers.base import ToolVerifier, Verifier
from verify_lsp.verifiers.registration import Registration

_DEEPEST_PATTERN = 4


def verifier_for(path: Path, first_line: str = "") -> Verifier | None:
    """Return the verifier for a file of this name, or None where there is none.

    Args:
        path: Absolute or relative; its name and the folders right above it count.
        first_line: Asked for its `#!` when the name says nothing and has no extension.
    """
    registration = installed().verifiers.find(path, first_line)
    return None if registration is None else registration.verifier


def thorough_for(path: Path, first_line: str = "") -> ToolVerifier | None:
    """Return the tool that knows better than the verifier, once the file is saved; None where there is none."""
    registration = installed().verifiers.find(path, first_line)
    if registration is None:
        return None
    return registration.verifier if isinstance(registration.verifier, ToolVerifier) else registration.thorough


def plugin_notes() -> tuple[str, ...]:
    """Return a sentence for each plugin that could not be used."""
    return installed().notes


@attrs.frozen
class RegistrationTable:
    """Registrations, laid out to be looked up.

    Attributes:
        exact: File names and extensions with their dots.
        patterns: The last one that matches holds.
        interpreters: Programs of `#!` lines, without version digits.
    """

    exact: dict[str, Registration]
    patterns: tuple[tuple[str, Registration], ...]
    interpreters: dict[str, Registration]

    @classmethod
    def of(cls, registrations: Iterable[Registration]) -> "RegistrationTable":
        """Lay out `registrations`, of which later ones hold before earlier ones."""
        exact: dict[str, Registration] = {}
        patterns: list[tuple[str, Registration]] = []
        interpreters: dict[str, Registration] = {}
        for registration in registrations:
            for name in map(str.lower, registration.names):
                if any(mark in name for mark in "*?[/"):
                    patterns.append((name, registration))
                else:
                    exact[name] = registration
            for program in registration.interpreters:
                interpreters[program.rstrip("0123456789.")] = registration
        return cls(exact, tuple(reversed(patterns)), interpreters)

    def find(self, path: Path, first_line: str = "") -> Registration | None:
        """Return what is registered for a file of this name; see `verifier_for`."""
        name = path.name.lower()
        if (found := self.exact.get(name)) is not None:
            return found
        by_extension = self._by_extension(name)
        parts = tuple(part.lower() for part in path.parts[-_DEEPEST_PATTERN:])
        for pattern, candidate in self.patterns:
            if _ends_like(parts, pattern) and not (by_extension and pattern.endswith(".*")):
                return candidate
        if by_extension is not None:
            return by_extension
        return self._by_interpreter(first_line) if "." not in name else None

    def _by_extension(self, name: str) -> Registration | None:
        starts = (index for index, letter in enumerate(name) if letter == "." and index)
        return next((found for start in starts if (found := self.exact.get(name[start:])) is not None), None)

    def _by_interpreter(self, first_line: str) -> Registration | None:
        if not first_line.startswith("#!"):
            return None
        words = first_line[2:].split()
        if words and words[0].endswith("/env"):
            words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
        program = words[0].rpartition("/")[2].rstrip("0123456789.") if words else ""
        return self.interpreters.get(program)


@attrs.frozen
class Installed:
    """What is built in, with what plugins bring."""

    verifiers: RegistrationTable
    notes: tuple[str, ...]


@functools.cache
def installed() -> Installed:
    """Return every verifier of this installation; plugins are loaded on first use, and once."""
    from verify_lsp.verifiers import plugins
    from verify_lsp.verifiers.code.registrations import REGISTRATIONS as CODE
    from verify_lsp.verifiers.data.registrations import REGISTRATIONS as DATA

    brought = plugins.load()
    return Installed(RegistrationTable.of((*DATA, *CODE, *brought.registrations)), brought.notes)


def _ends_like(parts: tuple[str, ...], pattern: str) -> bool:
    wanted = pattern.split("/")
    return len(wanted) <= len(parts) and all(map(fnmatchcase, parts[-len(wanted) :], wanted))
