"""Facts and claims: what a check proved, and what an agent said."""

from collections.abc import Mapping
from typing import Literal

import attrs

from verify_lsp.model.finding import CheckKind


@attrs.frozen
class Evidence:
    """Where a fact comes from. `output_tail` is bounded and free of control characters."""

    command: str | None = None
    exit_code: int | None = None
    output_tail: str | None = None
    tool: str | None = None
    version: str | None = None
    metrics: Mapping[str, float | None] | None = None


@attrs.frozen
class Fact:
    """A sentence that a check proved, with a pointer to its evidence."""

    id: str
    text: str
    check: CheckKind
    evidence: Evidence


ClaimStatus = Literal["supported", "contradicted", "unsupported", "hedged"]


@attrs.frozen
class Claim:
    """An assertion of an agent, held against the facts named by id."""

    text: str
    kind: str
    status: ClaimStatus
    facts: tuple[str, ...] = ()
