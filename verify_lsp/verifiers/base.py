"""The shape of a verifier, and what it is given."""

from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem

Runner = Callable[[Command, Path], Awaitable[CommandResult]]
"""Runs one command in a place (absolute folder); raises nothing for what the command does."""


@attrs.frozen
class Subject:
    """A file to be verified: what it is called, and what it says.

    Attributes:
        path: Absolute; its name chooses the verifier. The file need not exist.
        text: The whole text with the line ends it has; a byte order mark is its first character.
        data: The bytes on disk that were decoded to `text`; None for what an editor holds.
        workspace: Absolute folder that the file belongs to; None for a loose file.
        saved: True when `text` is what stands on disk at `path`, so that tools may read the file.
        trusted: True when what the workspace carries may be executed, such as its own interpreter.
        memory: What the caller keeps from one look at its files to the next, by the verifiers' names, so that a
            second look is quicker; verifiers put it there. None where nobody will look again. Not for two threads at
            once.
    """

    path: Path
    text: str
    data: bytes | None = None
    workspace: Path | None = None
    saved: bool = False
    trusted: bool = False
    memory: MutableMapping[str, Any] | None = attrs.field(default=None, eq=False, repr=False)


@attrs.frozen
class Verdict:
    """What a verifier saw.

    Attributes:
        problems: Their `path` stays empty: the caller knows which file it asked about. Lines and columns are
            1-based, columns in code points.
        skipped: Why the file was not, or not wholly, verified; None when it was.
        note: What a person should know beside it, such as the version that the text was held against.
    """

    problems: tuple[Problem, ...] = ()
    skipped: str | None = None
    note: str | None = None


@attrs.frozen
class TextVerifier:
    """Judges the text alone, in this process and within milliseconds: fit for a text that is being typed.

    Attributes:
        name: "json", "python" …; its rules are called "json.trailing-comma" and so on.
        verify: Raises nothing, whatever the text is.
        utf_8_only: True when the format must be UTF-8: another encoding is then one clear error, and `verify` is not
            asked.
    """

    name: str
    verify: Callable[[Subject], Verdict]
    utf_8_only: bool = False


@attrs.frozen
class ToolVerifier:
    """Asks a tool about a saved file.

    Attributes:
        time_limit_s: After this the file counts as skipped, never as wrong.
        executes: True when it runs what a repository carries, and so needs trust.
        reads_file: False when it looks at `text` alone and runs nothing, so that the file need not be saved.
    """

    name: str
    verify: Callable[[Subject, Runner], Awaitable[Verdict]]
    time_limit_s: float = 10.0
    executes: bool = False
    reads_file: bool = True


Verifier = TextVerifier | ToolVerifier
