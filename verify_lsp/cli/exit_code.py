"""Every exit code of the command line."""

from enum import IntEnum


class ExitCode(IntEnum):
    """What a script may rely on."""

    OK = 0
    """Nothing failed."""
    FAILED = 1
    """Something failed, by `--fail-on`."""
    USAGE = 2
    """The command line is wrong."""
    ENGINE = 3
    """The engine could not do its work: not a repository, no such base, store not writable."""
    INTERRUPTED = 130
    """Ended by the user."""
