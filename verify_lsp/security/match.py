"""What a rule matched, before it is known whether the change brought it."""

import attrs

from verify_lsp.security.rule import Rule
from verify_lsp.security.site import BindSite, CallSite


@attrs.frozen
class Hit:
    """A place where an anchor of a rule stands; `offset` counts bytes."""

    rule: Rule
    word: str
    offset: int


@attrs.frozen(eq=False)
class Match:
    """A place that breaks a rule. Offsets count bytes.

    Attributes:
        start: Where to point at.
        decisive: The spans that make it a danger: it is new when one of them is.
        whole: The span of all of it: what is missing there was taken away when a line of it was.
        site: The call or binding that matched.
        secrets: Spans that must never be shown.
        shown: How many characters of a secret may be shown.
    """

    rule: Rule
    start: int
    end: int
    decisive: tuple[tuple[int, int], ...]
    whole: tuple[int, int] | None = None
    site: CallSite | BindSite | None = None
    secrets: tuple[tuple[int, int], ...] = ()
    shown: int = 0
    aside: str = ""
