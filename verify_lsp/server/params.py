"""The params of our own requests and notifications, read strictly: what is wrong is named, not guessed at."""

from typing import Any, Literal, TypeVar

import attrs

from verify_lsp.codec import from_wire
from verify_lsp.model.errors import UsageError
from verify_lsp.model.finding import CheckKind
from verify_lsp.model.scope import VerifyScope

T = TypeVar("T")
Token = str | int


@attrs.frozen
class Run:
    """`verify/run`.

    Attributes:
        workspace: Which folder, as an address or an absolute path, when the client has several.
    """

    scope: VerifyScope
    checks: tuple[CheckKind, ...] | None = None
    message: str | None = None
    session_id: str | None = None
    workspace: str | None = None


@attrs.frozen
class OneReport:
    """`verify/get` and `verify/cancel`."""

    report_id: str


@attrs.frozen
class List:
    """`verify/list`, newest first."""

    session_id: str | None = None
    limit: int | None = None


@attrs.frozen
class Latest:
    """`verify/latest`."""

    session_id: str | None = None


@attrs.frozen
class ApplyFix:
    """`verify/applyFix`; without a report, a finding that is shown now, or of the newest report."""

    finding_id: str
    report_id: str | None = None


@attrs.frozen
class OneMutant:
    """What is asked about a fault that no test notices: by its finding, of a report or of what is shown now."""

    finding_id: str
    report_id: str | None = None


@attrs.frozen
class AwaitFresh:
    """`verify/awaitFresh`: the version or the SHA-256 of the content; without either, the content that is there now."""

    uri: str
    version: int | None = None
    sha256: str | None = None
    timeout_ms: int | None = None


@attrs.frozen
class Files:
    """`verify/files`.

    Attributes:
        contents: What to verify in place of the files' own content: one for each path, or by path.
    """

    paths: tuple[str, ...]
    contents: Any = None


@attrs.frozen
class Nothing:
    """A request that asks for no more than its name says."""


@attrs.frozen
class Trust:
    """`verify/trust`: the editor's word on the workspace."""

    trusted: bool


@attrs.frozen
class Command:
    """`workspace/executeCommand`."""

    command: str
    arguments: tuple[Any, ...] | None = None


_TOKENS: tuple[Literal["workDoneToken", "partialResultToken"], ...] = ("workDoneToken", "partialResultToken")


def read_params(raw: Any, cls: type[T]) -> tuple[T, Token | None]:
    """Return the params and the token under which the client wants to see progress.

    Raises:
        UsageError: Something is wrong; the sentence names the field.
    """
    if not isinstance(raw, dict):
        return from_wire({} if raw is None else raw, cls), None
    tokens = {name: raw.get(name) for name in _TOKENS}
    for name, token in tokens.items():
        if token is not None and (not isinstance(token, (str, int)) or isinstance(token, bool)):
            raise UsageError(f"{name}: expected a string or a whole number")
    rest = {key: value for key, value in raw.items() if key not in tokens}
    return from_wire(rest, cls), tokens["workDoneToken"]
