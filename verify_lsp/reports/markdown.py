"""A report for pull requests and agents, in Markdown: the same content as the text, with all foreign text escaped."""

from collections.abc import Iterable, Iterator

import attrs

from verify_lsp.model.fact import Claim, ClaimStatus, Fact
from verify_lsp.model.finding import Finding
from verify_lsp.model.report import Check, CheckStatus, Report, ReportStatus
from verify_lsp.reports import outline
from verify_lsp.reports.markdown_text import code, escaped, fenced, linked
from verify_lsp.reports.untrusted import first_lines, last_lines, one_line

MOST_CHARACTERS = 60_000
"""Forges refuse comments that are longer than about 65,000 characters."""

_STATUS: dict[ReportStatus | CheckStatus, str] = {
    "pass": "✅",
    "warn": "⚠️",
    "fail": "❌",
    "error": "❌",
    "skipped": "➖",
    "running": "⏳",
    "pending": "⏳",
    "cancelled": "➖",
    "empty": "➖",
}
_NEUTRAL = "🔹"
_NAME = 60
_CLAIM: dict[ClaimStatus, str] = {"supported": "✅", "contradicted": "❌", "unsupported": "❔", "hedged": "➖"}


def render_markdown(report: Report) -> str:
    """Return `report` as Markdown of at most `MOST_CHARACTERS`, ending with a line feed."""
    for bounds in (_Bounds(), _Bounds(10, 150, 10), _Bounds(3, 60, 4), _Bounds(1, 20, 1)):
        text = _Page(report, bounds).render()
        if len(text) <= MOST_CHARACTERS:
            break
    return text


@attrs.frozen
class _Bounds:
    """How much of a report is shown: entries of a list, characters of a text, lines of an output."""

    entries: int = 25
    characters: int = 400
    lines: int = 40


@attrs.frozen
class _Page:
    report: Report
    bounds: _Bounds

    def render(self) -> str:
        report = self.report
        sections = (
            self._headline(),
            self._section("Facts", [self._fact(fact) for fact in report.facts], "fact", numbered=True),
            self._section("Claims", [self._claim(claim) for claim in outline.claims(report)], "claim"),
            *(self._check(check) for check in outline.loud_checks(report)),
            self._section("Not verified", self._reasons(outline.unverified(report)), "check"),
            self._section("Nothing to verify", self._reasons(outline.needless(report)), "check"),
            self._older(),
            self._risk(),
            self._opinion(),
            [f"See this report again: {code(outline.show_command(report))}"],
        )
        return "\n\n".join("\n".join(section) for section in sections if section) + "\n"

    def _headline(self) -> list[str]:
        report = self.report
        title = f"## {_STATUS[report.status]} verify-lsp: {report.status}"
        about = " · ".join(self._text(part) for part in outline.setting(report))
        return [title, "", f"**{self._text(outline.verdict(report))}**", "", about]

    def _section(self, title: str, entries: list[str], noun: str, *, numbered: bool = False) -> list[str]:
        if not entries:
            return []
        markers = (f"{number}." if numbered else "-" for number in range(1, self.bounds.entries + 1))
        shown = [f"{marker} {entry}" for marker, entry in zip(markers, entries, strict=False)]
        return [f"### {title}", "", *shown, *self._hidden(len(entries), noun)]

    def _fact(self, fact: Fact) -> str:
        status = outline.fact_status(fact, self.report)
        mark = _STATUS[status] if status else _NEUTRAL
        command = fact.evidence.command
        by = f" — {code(one_line(command, self.bounds.characters))}" if command and command.strip() else ""
        return f"{mark} {fact.check}: {self._text(fact.text)}{by}"

    def _claim(self, claim: Claim) -> str:
        numbers = outline.fact_numbers(claim, self.report)
        verdict = outline.claim_verdict(claim, numbers)
        deciding = [self.report.facts[number - 1].text for number in numbers] if claim.status == "contradicted" else []
        because = "".join(f": {self._text(text)}" for text in deciding[:1])
        return f"{_CLAIM[claim.status]} “{self._text(claim.text)}” — **{verdict}**{because}"

    def _check(self, check: Check) -> list[str]:
        title = f"### {_STATUS[check.status]} {check.kind} {outline.STATUS_WORDS[check.status]}"
        lines = [f"{title} in {outline.duration(check.duration_ms)}"]
        if untold := outline.untold(check, self.report):
            lines += ["", self._text(untold)]
        findings = outline.own_findings(check)
        if findings:
            shown = findings[: self.bounds.entries]
            lines += ["", *(line for finding in shown for line in self._finding(finding, check))]
            lines += self._hidden(len(findings), "finding")
        return [*lines, *self._output(check)]

    def _finding(self, finding: Finding, check: Check) -> Iterator[str]:
        limit = self.bounds.characters
        first, *rest = first_lines(finding.message, 6, limit) or ["no message"]
        rule = linked(code(one_line(finding.rule, limit)) or "no rule", finding.url)
        at = code(outline.place(finding))
        yield f"- {at}: {escaped(first)} ({rule}, {finding.severity})"
        if rest:
            yield from fenced(rest, indent="  ")
        if tests := outline.unnoticed_by(finding, check):
            yield f"  - {self._text(tests)}"
        if finding.evidence and finding.evidence.strip():
            yield f"  - {code(one_line(finding.evidence, limit))}"
        if finding.suggestion:
            yield f"  - {self._text(finding.suggestion)}"

    def _output(self, check: Check) -> Iterator[str]:
        """What was run and how its output ended, folded."""
        command = first_lines(check.command or "", 3, self.bounds.characters)
        output = last_lines(check.output or "", self.bounds.lines, self.bounds.characters) if check.output else []
        if command or output:
            yield from ("", f"<details><summary>Command and output of {check.kind}</summary>", "")
            yield from fenced([*(f"$ {line}" for line in command), *output])
            yield from ("", "</details>")

    def _reasons(self, reasons: Iterable[tuple[str, str]]) -> list[str]:
        return [f"{kind}: {self._text(why)}" for kind, why in reasons]

    def _older(self) -> list[str]:
        words = outline.older(self.report)
        return ["### There before the change", "", words] if words else []

    def _risk(self) -> list[str]:
        title = outline.risk_title(self.report)
        return self._section(title, [self._text(why) for why in self.report.risk_reasons], "reason") if title else []

    def _opinion(self) -> list[str]:
        opinion = self.report.opinion
        if opinion is None:
            return []
        by = f" of {escaped(one_line(opinion.agent, _NAME))}" if opinion.agent else ""
        return [
            f"### Opinion{by}, not a fact",
            "",
            f"{escaped(one_line(opinion.verdict, _NAME))}: {self._text(opinion.text)}",
        ]

    def _text(self, text: str) -> str:
        return escaped(one_line(text, self.bounds.characters))

    def _hidden(self, total: int, noun: str) -> list[str]:
        number = total - self.bounds.entries
        if number <= 0:
            return []
        return [
            f"- … {outline.plural(number, 'more ' + noun)}; see all: {code(outline.show_command(self.report, 'json'))}"
        ]
