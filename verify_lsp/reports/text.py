"""A report for people at a terminal: facts first, claims beside them, then what failed and what was not looked at."""

from collections.abc import Iterable, Iterator, Sequence

import attrs

from verify_lsp.model.fact import Claim, ClaimStatus, Fact
from verify_lsp.model.finding import Finding, Severity
from verify_lsp.model.report import Check, CheckStatus, Report, ReportStatus, ReportSummary
from verify_lsp.reports import outline
from verify_lsp.reports.terminal import Span, Style, Terminal
from verify_lsp.reports.untrusted import first_lines, last_lines, one_line

_MOST_FACTS = 20
_MOST_CLAIMS = 20
_MOST_FINDINGS = 20
_MOST_REASONS = 8
_MESSAGE = 500
_DETAIL = 300
_MESSAGE_LINES = 6
_OUTPUT_LINES = 12

_STATUS: dict[ReportStatus | CheckStatus, tuple[str, Style]] = {
    "pass": ("✓", "good"),
    "warn": ("!", "warn"),
    "fail": ("✗", "bad"),
    "error": ("✗", "bad"),
    "skipped": ("–", "dim"),
    "running": ("…", "note"),
    "pending": ("…", "dim"),
    "cancelled": ("–", "warn"),
    "empty": ("–", "dim"),
}
_NEUTRAL: tuple[str, Style] = ("•", "note")
_CLAIM: dict[ClaimStatus, tuple[str, Style]] = {
    "supported": ("✓", "good"),
    "contradicted": ("✗", "bad"),
    "unsupported": ("?", "warn"),
    "hedged": ("~", "note"),
}
_SEVERITY: dict[Severity, Style] = {"critical": "bad", "high": "bad", "medium": "warn", "low": "note", "info": "dim"}


def render_text(report: Report, *, color: bool, width: int) -> str:
    """Return `report` as lines that end with a line feed, at most `width` columns wide; 0 never wraps or cuts.

    Findings stand as `path:line:column: message [rule] (severity)`, each on a line that is never broken, so that it can
    be clicked and searched for. Long lists are bounded and say what they leave out.
    """
    page = _Page(Terminal(color=color, width=width), report)
    sections = (
        page.headline(),
        page.facts(),
        page.claims(),
        *(page.check(check) for check in outline.loud_checks(report)),
        page.unverified(),
        page.needless(),
        page.older(),
        page.risk(),
        page.opinion(),
        page.footer(),
    )
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def render_summaries(summaries: Sequence[ReportSummary], *, color: bool = False, width: int = 100) -> str:
    """Return stored reports as a list, a line each; the counts are of the changes' own findings."""
    terminal = Terminal(color=color, width=width)
    if not summaries:
        return "no reports are stored for this workspace\n"
    return "".join(f"{line}\n" for summary in summaries for line in _summary(summary, terminal))


@attrs.frozen
class _Page:
    terminal: Terminal
    report: Report

    def headline(self) -> list[str]:
        report, terminal = self.report, self.terminal
        style = _STATUS[report.status][1]
        badge = Span(report.status.upper(), "bold" if style == "plain" else style, whole=True)
        first = terminal.paragraph(badge, Span(outline.verdict(report), "bold"), hang=2)
        about = " · ".join(outline.setting(report))
        return [*first, *terminal.paragraph(Span(about, "dim"), hang=2)]

    def facts(self) -> list[str]:
        facts = self.report.facts
        numbered = list(enumerate(facts, start=1))[:_MOST_FACTS]
        width = len(str(len(numbered)))
        lines = [line for number, fact in numbered for line in self._fact(f"{number:{width}}", fact)]
        return self._section("Facts", lines, self._hidden(len(facts) - _MOST_FACTS, "fact"))

    def claims(self) -> list[str]:
        claims = outline.claims(self.report)
        lines = [line for claim in claims[:_MOST_CLAIMS] for line in self._claim(claim)]
        return self._section("Claims", lines, self._hidden(len(claims) - _MOST_CLAIMS, "claim"))

    def check(self, check: Check) -> list[str]:
        """One check that has more to say than the facts do, with what the change brought."""
        mark, style = _STATUS[check.status]
        title = f"{check.kind} {outline.STATUS_WORDS[check.status]} in {outline.duration(check.duration_ms)}"
        lines = self.terminal.paragraph(Span(mark, style), Span(title, style), hang=2)
        if untold := outline.untold(check, self.report):
            lines += self.terminal.paragraph(Span(one_line(untold, _MESSAGE)), indent=2, hang=4)
        findings = outline.own_findings(check)
        lines += [line for finding in findings[:_MOST_FINDINGS] for line in self._finding(finding, check)]
        lines += self._hidden(len(findings) - _MOST_FINDINGS, "finding")
        return [*lines, *self._evidence(check, bare=not findings)]

    def unverified(self) -> list[str]:
        return self._reasons("Not verified", outline.unverified(self.report))

    def needless(self) -> list[str]:
        return self._reasons("Nothing to verify", outline.needless(self.report))

    def older(self) -> list[str]:
        words = outline.older(self.report)
        return (
            self._section("There before the change", self.terminal.paragraph(Span(words), indent=2, hang=4))
            if words
            else []
        )

    def risk(self) -> list[str]:
        title, reasons = outline.risk_title(self.report), self.report.risk_reasons
        lines = [
            line
            for reason in reasons[:_MOST_REASONS]
            for line in self.terminal.paragraph(Span("-"), Span(one_line(reason, _DETAIL)), indent=2, hang=4)
        ]
        hidden = self._hidden(len(reasons) - _MOST_REASONS, "reason")
        return self._section(title, lines, hidden) if title else []

    def opinion(self) -> list[str]:
        opinion = self.report.opinion
        if opinion is None:
            return []
        by = f" of {one_line(opinion.agent, 60)}" if opinion.agent else ""
        said = f"{one_line(opinion.verdict, 60)}: {one_line(opinion.text, _MESSAGE)}"
        return self._section(f"Opinion{by}, not a fact", self.terminal.paragraph(Span(said), indent=2, hang=4))

    def footer(self) -> list[str]:
        report, terminal = self.report, self.terminal
        fixable = sum(finding.fixable and not finding.preexisting for finding in report.findings())
        lines = []
        if fixable:
            fix = f"verify-lsp fix {one_line(report.id, 100)} --all --dry-run"
            lines += terminal.paragraph(
                Span(f"{outline.plural(fixable, 'finding')} can be rewritten safely:", "dim"),
                Span(fix, whole=True),
                hang=2,
            )
        again = Span(outline.show_command(report), whole=True)
        return [*lines, *terminal.paragraph(Span("see this report again:", "dim"), again, hang=2)]

    def _section(self, title: str, lines: Iterable[str], hidden: Iterable[str] = ()) -> list[str]:
        body = [*lines, *hidden]
        return [*self.terminal.paragraph(Span(title, "bold"), hang=2), *body] if body else []

    def _reasons(self, title: str, reasons: Iterable[tuple[str, str]]) -> list[str]:
        lines = [
            line
            for kind, why in reasons
            for line in self.terminal.paragraph(
                Span("–", "dim"), Span(f"{kind}:"), Span(one_line(why, _DETAIL)), indent=2, hang=4
            )
        ]
        return self._section(title, lines)

    def _fact(self, number: str, fact: Fact) -> list[str]:
        status = outline.fact_status(fact, self.report)
        mark, style = _STATUS[status] if status else _NEUTRAL
        text = Span(one_line(fact.text, _MESSAGE))
        return self.terminal.paragraph(
            Span(number, "dim", whole=True), Span(mark, style), Span(f"{fact.check}:", "dim"), text, indent=2, hang=6
        )

    def _claim(self, claim: Claim) -> list[str]:
        mark, style = _CLAIM[claim.status]
        numbers = outline.fact_numbers(claim, self.report)
        said = Span(f"“{one_line(claim.text, _DETAIL)}”")
        deciding = Span(outline.claim_verdict(claim, numbers), style)
        lines = self.terminal.paragraph(Span(mark, style), said, deciding, indent=2, hang=4)
        if claim.status == "contradicted":
            for number in numbers:
                fact = one_line(self.report.facts[number - 1].text, _DETAIL)
                lines += self.terminal.paragraph(Span(f"{number}:", "dim"), Span(fact), indent=4, hang=7)
        return lines

    def _finding(self, finding: Finding, check: Check) -> Iterator[str]:
        message = first_lines(finding.message, _MESSAGE_LINES, _MESSAGE) or ["no message"]
        yield self.terminal.whole_line(
            Span(f"{outline.place(finding)}:", "bold"),
            Span(message[0]),
            Span(f"[{one_line(finding.rule, 100)}] ({finding.severity})", _SEVERITY[finding.severity]),
            indent=2,
        )
        for line in message[1:]:
            yield self.terminal.line(Span(line, "dim"), indent=6)
        if tests := outline.unnoticed_by(finding, check):
            yield from self.terminal.paragraph(Span(tests, "dim"), indent=6, hang=8)
        if finding.evidence:
            yield self.terminal.line(Span(f"│ {one_line(finding.evidence, _DETAIL)}", "dim"), indent=6)
        if finding.suggestion:
            suggestion = Span(one_line(finding.suggestion, _DETAIL))
            yield from self.terminal.paragraph(Span("→", "note"), suggestion, indent=6, hang=8)

    def _evidence(self, check: Check, *, bare: bool) -> Iterator[str]:
        """What was run; and where no finding says what was wrong, how its output ended."""
        if check.command:
            for command in first_lines(check.command, 3, _DETAIL):
                yield self.terminal.line(Span(f"$ {command}", "dim"), indent=2)
        if check.output and bare and check.status in {"fail", "error"}:
            for line in last_lines(check.output, _OUTPUT_LINES, _DETAIL):
                yield self.terminal.line(Span(f"│ {line}", "dim"), indent=4)

    def _hidden(self, number: int, noun: str) -> list[str]:
        if number <= 0:
            return []
        more = Span(f"… {outline.plural(number, 'more ' + noun)}; see all:", "dim")
        command = Span(outline.show_command(self.report, "json"), whole=True)
        return self.terminal.paragraph(more, command, indent=2, hang=4)


def _summary(summary: ReportSummary, terminal: Terminal) -> list[str]:
    mark, style = _STATUS[summary.status]
    counts = attrs.asdict(summary.counts)
    found = ", ".join(f"{number} {severity}" for severity, number in counts.items() if number) or "no findings"
    return terminal.paragraph(
        Span(one_line(summary.id, 100), whole=True),
        Span(one_line(summary.created_at, 40), "dim"),
        Span(f"{mark} {summary.status:9}", style, whole=True),
        Span(f"risk {summary.risk_tier}"),
        Span(f"{summary.scope.kind}:"),
        Span(found),
        hang=4,
    )
