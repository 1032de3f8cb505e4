"""What the user can act on. Every other exception is a bug of ours."""


class VerifyError(Exception):
    """One clear sentence for the user, without a traceback."""


class UsageError(VerifyError):
    """The request itself is wrong: an unknown flag, a field of the wrong type."""


class EngineError(VerifyError):
    """The engine could not do its work: not a repository, no such base, store not writable."""


class NoSuchReportError(UsageError):
    """A report or finding was asked for that is not there."""
