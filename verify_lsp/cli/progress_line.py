"""One live line on the terminal while a run goes on."""

import sys
import time
from typing import TextIO

import attrs

from verify_lsp.model.event import CheckChanged, Event, ReportStarted
from verify_lsp.model.report import Check

_CLEAR = "\r\x1b[2K"


@attrs.define
class ProgressLine:
    """Shows what runs; silent where `stream` is no terminal."""

    stream: TextIO = attrs.field(factory=lambda: sys.stderr)
    _checks: dict[str, Check] = attrs.field(factory=dict)
    _begun: float = attrs.field(factory=time.monotonic)

    def observe(self, event: Event) -> None:
        """Redraw for an event."""
        match event:
            case ReportStarted(report=report):
                self._checks = {check.kind: check for check in report.checks}
            case CheckChanged(check=check):
                self._checks[check.kind] = check
            case _:
                return
        self.draw()

    def draw(self) -> None:
        """Draw the line anew."""
        if not self.stream.isatty():
            return
        done = sum(check.status not in {"pending", "running"} for check in self._checks.values())
        running = [check.kind for check in self._checks.values() if check.status == "running"]
        waiting = next(
            (check.summary for check in self._checks.values() if check.summary.startswith("waiting for")), ""
        )
        what = ", ".join(running) or waiting or "reading the change"
        seconds = time.monotonic() - self._begun
        self.stream.write(f"{_CLEAR}{done} of {len(self._checks)} checks done; {what} ({seconds:.0f} s)")
        self.stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self.stream.isatty():
            self.stream.write(_CLEAR)
            self.stream.flush()
