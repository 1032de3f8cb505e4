"""How each client wants its diagnostics: agents that are clients read them in ways of their own."""

from typing import Literal

import attrs

from verify_lsp.model.finding import Severity
from verify_lsp.server.positions import Encoding

Channel = Literal["push", "pull"]

ERROR, WARNING, INFORMATION, HINT = 1, 2, 3, 4
_LEVELS: dict[Severity, int] = {"critical": ERROR, "high": ERROR, "medium": WARNING, "low": INFORMATION, "info": HINT}


@attrs.frozen
class Policy:
    """What a client is shown, and when.

    Attributes:
        channel: A client is served through one channel, never through both.
        per_file: At most so many diagnostics a file, a note on hidden ones included.
        total: At most so many diagnostics over all files.
        settled_only: True for a client that adds up what it is sent: it gets nothing while a text
            is being changed, only after a save and after a run.
        preexisting: False for agents, which would take an old problem for one of their own.
        errors_are_all: True for a client that hands on errors alone: what asks for an act is one,
            and the rule stands in the message, as the code is dropped.
    """

    channel: Channel
    per_file: int = 100
    total: int = 1000
    settled_only: bool = False
    preexisting: bool = True
    errors_are_all: bool = False

    def level(self, severity: Severity, *, preexisting: bool) -> int:
        """Return the severity as the protocol numbers it."""
        if preexisting:
            return HINT
        level = _LEVELS[severity]
        return ERROR if self.errors_are_all and level == WARNING else level


@attrs.frozen
class View:
    """How one client sees a file: what it is shown, and how it counts columns."""

    policy: Policy = attrs.field(factory=lambda: Policy("push"))
    encoding: Encoding = "utf-16"


def policy_for(client_name: str | None, *, offers_pull: bool) -> Policy:
    """Return the policy for a client by the name it gave, and by whether it pulls diagnostics."""
    channel: Channel = "pull" if offers_pull else "push"
    name = (client_name or "").lower().replace("-", " ")
    if name.startswith("claude"):
        return Policy(channel, per_file=10, total=30, settled_only=True, preexisting=False)
    if name.startswith("opencode"):
        return Policy(channel, per_file=20, preexisting=False, errors_are_all=True)
    return Policy(channel)
