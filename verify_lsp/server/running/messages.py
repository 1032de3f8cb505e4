"""What the server and its worker say to each other, and how it is put on a pipe."""

import pickle  # Both ends of the pipe are ours: a parent and the child it started.
from typing import Any, Literal

import attrs

from verify_lsp.model.fact import Fact
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.report import CheckStatus, ReportStatus
from verify_lsp.server.board.board import Verified

Kind = Literal["report", "check", "done", "error"]


@attrs.frozen
class Call:
    """The server wants something done: `name` is one of `worker.CALLS`."""

    number: int
    name: str
    arguments: tuple[Any, ...] = ()


@attrs.frozen
class Reply:
    """What came of a call. An error is a `VerifyError`, or a sentence for a bug of ours."""

    number: int
    result: Any = None
    error: Exception | None = None


@attrs.frozen
class Question:
    """A run wants to know what the editor's other language servers say of some files."""

    number: int
    folder: str
    paths: tuple[str, ...]


@attrs.frozen
class News:
    """What happened in a run, with all that costs time to say about it already said.

    Attributes:
        kind: As `verify/event` names it.
        text: JSON of the report, the check or the error, whichever the event is about.
        checks: Check by check how it stands; of a check's own event just that one.
        found: For a run that ended: its findings by file.
        facts: For a run that ended: what its checks proved.
        concludes: For a run that ended: whether its findings replace those of the last one.
    """

    report_id: str
    kind: Kind
    text: bytes
    workspace: str = ""
    status: ReportStatus | None = None
    session_id: str | None = None
    checks: tuple[tuple[CheckKind, CheckStatus], ...] = ()
    found: tuple[Verified, ...] = ()
    facts: tuple[Fact, ...] = ()
    concludes: bool = False


Message = Call | Reply | Question | News


def packed(message: Message) -> bytes:
    """Return a message as it goes over the pipe."""
    return pickle.dumps(message)


def unpacked(body: bytes) -> Message:
    """Return a message as it came."""
    message: Message = pickle.loads(body)  # noqa: S301  # As above.
    return message
