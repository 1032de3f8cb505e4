"""What the server knows of each run: how it stands, its progress, and whether its client may hear of it yet."""

from pathlib import Path

import attrs

from verify_lsp.model.finding import CheckKind
from verify_lsp.model.report import CheckStatus
from verify_lsp.model.scope import VerifyScope
from verify_lsp.server.running.messages import News
from verify_lsp.server.running.progress import Progress

_REMEMBERED = 50
_EARLY = 4


@attrs.define
class Record:
    """One run.

    Attributes:
        folder: The folder it verifies.
        session_id: Whose work it verifies.
        progress: How the client sees it; None when it cannot.
        held: News that came before the client knew of the run; None once it knows.
        checks: How each check stands.
        ended: Whether it is over.
        as_document: Its report is to be shown as a document, as its client has no other way to read it.
    """

    folder: Path
    scope: VerifyScope
    session_id: str | None = None
    progress: Progress | None = None
    held: list[News] | None = attrs.field(factory=list)
    checks: dict[CheckKind, CheckStatus] = attrs.field(factory=dict)
    ended: bool = False
    as_document: bool = False

    def take(self, news: News) -> None:
        """Bring the record up to date."""
        self.checks |= dict(news.checks)
        self.ended = self.ended or news.kind in {"done", "error"}


class Records:
    """The runs of this server, the oldest ended ones forgotten."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._early: dict[str, list[News]] = {}

    def add(self, report_id: str, record: Record) -> None:
        """Remember a run; news that came before it are taken first."""
        self._records[report_id] = record
        for news in self._early.pop(report_id, []):
            record.take(news)
            if record.held is not None:
                record.held.append(news)
        ended = [known for known, each in self._records.items() if each.ended]
        for known in ended[:-_REMEMBERED]:
            del self._records[known]

    def get(self, report_id: str) -> Record | None:
        """Return what is known of a run."""
        return self._records.get(report_id)

    def take(self, news: News) -> Record | None:
        """Bring a run up to date; return it when its client may hear the news now."""
        record = self._records.get(news.report_id)
        if record is None:
            self._early.setdefault(news.report_id, []).append(news)
            while len(self._early) > _EARLY:  # Runs that were called off before they had a name here.
                del self._early[next(iter(self._early))]
            return None
        record.take(news)
        if record.held is not None:
            record.held.append(news)
            return None
        return record

    def all(self) -> tuple[Record, ...]:
        """Return what is known of every run."""
        return tuple(self._records.values())

    def going(self) -> dict[str, Record]:
        """Return the runs that have not ended."""
        return {report_id: record for report_id, record in self._records.items() if not record.ended}

    def by_token(self, token: str | int) -> str | None:
        """Return the run that is shown under a progress token."""
        for report_id, record in self.going().items():
            if record.progress is not None and record.progress.token == token:
                return report_id
        return None
