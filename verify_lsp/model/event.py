"""What a run tells those who watch it."""

from collections.abc import Callable

import attrs

from verify_lsp.model.report import Check, Report


@attrs.frozen
class ReportStarted:
    """The run began; its checks are pending."""

    report: Report


@attrs.frozen
class CheckChanged:
    """A check began or ended."""

    report_id: str
    check: Check


@attrs.frozen
class ReportDone:
    """The run ended, whatever its status."""

    report: Report


@attrs.frozen
class ReportFailed:
    """The run could not be made or kept; `error` is a sentence for the user."""

    report_id: str
    error: str


Event = ReportStarted | CheckChanged | ReportDone | ReportFailed
Observer = Callable[[Event], None]
