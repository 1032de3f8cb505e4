"""Two reports held against each other: what is gone, what is new, and what nobody looked at again."""

from collections.abc import Iterator, Mapping, Sequence

import attrs

from verify_lsp.model.fact import Fact
from verify_lsp.model.finding import CHECK_KINDS, CheckKind, Finding
from verify_lsp.model.report import Check, CheckStatus, Report, ReportStatus, RiskTier
from verify_lsp.model.scope import VerifyScope
from verify_lsp.reports import outline
from verify_lsp.reports.markdown_text import code, escaped
from verify_lsp.reports.terminal import Span, Terminal
from verify_lsp.reports.untrusted import one_line

_MOST_ENTRIES = 50
_NAME = 100
_TEXT = 300


@attrs.frozen
class Side:
    """One of the two reports."""

    id: str
    created_at: str
    scope: VerifyScope
    status: ReportStatus
    risk_tier: RiskTier


@attrs.frozen
class CheckChange:
    """A check that ended differently. A side is absent where that report did not have the check."""

    kind: CheckKind
    old: CheckStatus | None = None
    new: CheckStatus | None = None


@attrs.frozen
class MetricChange:
    """A metric that both reports know, with different values."""

    check: CheckKind
    name: str
    old: float
    new: float


@attrs.frozen
class Comparison:
    """What differs between two reports. Findings are matched by their ids.

    Attributes:
        fixed: In the old report only, though the new run looked at the place again.
        new: In the new report only, though the old run had looked.
        remaining: In both, as the new report has them.
        unverified: In the old report only, and the new run did not look there; nobody knows whether they are gone.
        first_looked: In the new report only, and the old run had not looked there.
        checks: Checks whose status changed.
        facts_gone: Facts of the old report that the new one does not have, by check and text.
        facts_new: Facts of the new report that the old one does not have.
        metrics: Metrics whose value changed.
        notes: Why the two are not to be compared without care, in plain words.
    """

    before: Side
    after: Side
    fixed: tuple[Finding, ...] = ()
    new: tuple[Finding, ...] = ()
    remaining: tuple[Finding, ...] = ()
    unverified: tuple[Finding, ...] = ()
    first_looked: tuple[Finding, ...] = ()
    checks: tuple[CheckChange, ...] = ()
    facts_gone: tuple[Fact, ...] = ()
    facts_new: tuple[Fact, ...] = ()
    metrics: tuple[MetricChange, ...] = ()
    notes: tuple[str, ...] = ()


def compare(old: Report, new: Report) -> Comparison:
    """Return what changed from `old` to `new`."""
    before = {finding.id: finding for finding in old.findings()}
    after = {finding.id: finding for finding in new.findings()}
    gone = [finding for key, finding in before.items() if key not in after]
    come = [finding for key, finding in after.items() if key not in before]
    return Comparison(
        before=_side(old),
        after=_side(new),
        fixed=tuple(finding for finding in gone if _looked_at(finding, new, old)),
        new=tuple(finding for finding in come if _looked_at(finding, old, new)),
        remaining=tuple(finding for key, finding in after.items() if key in before),
        unverified=tuple(finding for finding in gone if not _looked_at(finding, new, old)),
        first_looked=tuple(finding for finding in come if not _looked_at(finding, old, new)),
        checks=tuple(_check_changes(old, new)),
        facts_gone=_facts_only_in(old, new),
        facts_new=_facts_only_in(new, old),
        metrics=tuple(_metric_changes(old, new)),
        notes=tuple(_notes(old, new)),
    )


def render_comparison_text(comparison: Comparison, *, color: bool = False, width: int = 100) -> str:
    """Return `comparison` as lines for a terminal that end with a line feed, an unbroken one for each entry."""
    terminal = Terminal(color=color, width=width)
    lines = terminal.paragraph(Span(_headline(comparison), "bold"), hang=2)
    lines += terminal.paragraph(Span(_counts(comparison)), hang=2)
    for note in comparison.notes:
        lines += terminal.paragraph(Span("!", "warn"), Span(note), hang=2)
    for title, entries in _sections(comparison):
        lines += ["", terminal.paint(title, "bold")]
        shown = entries[:_MOST_ENTRIES]
        lines += [terminal.whole_line(Span(f"{entry.about}:"), Span(entry.text), indent=2) for entry in shown]
        if len(entries) > _MOST_ENTRIES:
            lines += terminal.paragraph(
                Span(_hidden(entries)), Span(_command(comparison), whole=True), indent=2, hang=4
            )
    return "\n".join(lines) + "\n"


def render_comparison_markdown(comparison: Comparison) -> str:
    """Return `comparison` as Markdown that ends with a line feed, with all foreign text escaped."""
    lines = [f"## {escaped(_headline(comparison))}", "", escaped(_counts(comparison))]
    for note in comparison.notes:
        lines += ["", f"⚠️ {escaped(note)}"]
    for title, entries in _sections(comparison):
        lines += ["", f"### {title}", ""]
        lines += [f"- {code(entry.about)}: {escaped(entry.text)}" for entry in entries[:_MOST_ENTRIES]]
        if len(entries) > _MOST_ENTRIES:
            lines.append(f"- {_hidden(entries)} {code(_command(comparison))}")
    return "\n".join(lines) + "\n"


def _side(report: Report) -> Side:
    return Side(report.id, report.created_at, report.scope, report.status, report.risk_tier)


def _looked_at(finding: Finding, report: Report, other: Report) -> bool:
    """Tell whether the run of `report` looked where `finding`, of the run of `other`, was found.

    Its check must have run in full; and a file that was part of the other change must be part of this one, as all
    checks but the tests may look at the files of a change alone.
    """
    check = _check(report, finding.check)
    if check is None or check.status not in {"pass", "warn", "fail"} or check.reason is not None:
        return False
    return finding.check == "tests" or finding.path in _paths(report) or finding.path not in _paths(other)


def _check(report: Report, kind: CheckKind) -> Check | None:
    return next((check for check in report.checks if check.kind == kind), None)


def _paths(report: Report) -> frozenset[str]:
    paths = (path for file in report.files for path in (file.path, file.old_path))
    return frozenset(path for path in paths if path is not None)


def _check_changes(old: Report, new: Report) -> Iterator[CheckChange]:
    for kind in CHECK_KINDS:
        before, after = _check(old, kind), _check(new, kind)
        change = CheckChange(kind, before.status if before else None, after.status if after else None)
        if change.old != change.new:
            yield change


def _facts_only_in(report: Report, other: Report) -> tuple[Fact, ...]:
    """Facts are the same when they say the same; their ids are numbers within one report."""
    known = {(fact.check, fact.text) for fact in other.facts}
    return tuple(fact for fact in report.facts if (fact.check, fact.text) not in known)


def _metric_changes(old: Report, new: Report) -> Iterator[MetricChange]:
    for kind in CHECK_KINDS:
        before, after = _metrics(old, kind), _metrics(new, kind)
        for name, value in before.items():
            later = after.get(name)
            if value is not None and later is not None and value != later:
                yield MetricChange(kind, name, value, later)


def _metrics(report: Report, kind: CheckKind) -> Mapping[str, float | None]:
    check = _check(report, kind)
    return check.metrics if check is not None else {}


def _notes(old: Report, new: Report) -> Iterator[str]:
    if old.workspace != new.workspace:
        yield "the two reports are of different folders"
    if attrs.evolve(old.scope, diff=None, files=None) != attrs.evolve(new.scope, diff=None, files=None):
        yield "the two reports are of different scopes"
    elif old.base is not None and new.base is not None and old.base.sha != new.base.sha:
        yield "the two changes are held against different commits"
    for name, report in (("old", old), ("new", new)):
        if report.status in {"running", "cancelled", "error"}:
            yield f"the {name} report is not whole: its status is {report.status}"


@attrs.frozen
class _Entry:
    """One line of a comparison: what it is about, and what it says."""

    about: str
    text: str


def _headline(comparison: Comparison) -> str:
    old, new = comparison.before, comparison.after
    tiers = f"{old.risk_tier} → {new.risk_tier}" if old.risk_tier != new.risk_tier else f"stays {new.risk_tier}"
    return f"{one_line(old.id, _NAME)} → {one_line(new.id, _NAME)}: {old.status} → {new.status}, risk tier {tiers}"


def _counts(comparison: Comparison) -> str:
    groups = {
        "fixed": comparison.fixed,
        "new": comparison.new,
        "still there": comparison.remaining,
        "not looked at again": comparison.unverified,
        "not looked at before": comparison.first_looked,
    }
    return "findings: " + (", ".join(f"{len(found)} {words}" for words, found in groups.items() if found) or "none")


def _sections(comparison: Comparison) -> list[tuple[str, Sequence[_Entry]]]:
    sections = [
        ("Fixed", [_finding(finding) for finding in comparison.fixed]),
        ("New", [_finding(finding) for finding in comparison.new]),
        ("Still there", [_finding(finding) for finding in comparison.remaining]),
        ("Not looked at again, so perhaps still there", [_finding(finding) for finding in comparison.unverified]),
        ("Found now, not looked for before", [_finding(finding) for finding in comparison.first_looked]),
        ("Checks", [_Entry(change.kind, _arrow(change.old, change.new)) for change in comparison.checks]),
        ("Facts no longer proved", [_fact(fact) for fact in comparison.facts_gone]),
        ("Facts newly proved", [_fact(fact) for fact in comparison.facts_new]),
        ("Metrics", [_metric(change) for change in comparison.metrics]),
    ]
    return [(title, entries) for title, entries in sections if entries]


def _finding(finding: Finding) -> _Entry:
    old = ", there before the change" if finding.preexisting else ""
    rule = one_line(finding.rule, _NAME)
    return _Entry(outline.place(finding), f"{one_line(finding.message, _TEXT)} [{rule}] ({finding.severity}{old})")


def _fact(fact: Fact) -> _Entry:
    return _Entry(fact.check, one_line(fact.text, _TEXT))


def _metric(change: MetricChange) -> _Entry:
    return _Entry(
        f"{change.check} {one_line(change.name, _NAME)}",
        f"{change.old:g} → {change.new:g} ({change.new - change.old:+g})",
    )


def _arrow(old: CheckStatus | None, new: CheckStatus | None) -> str:
    return f"{old or 'not made'} → {new or 'not made'}"


def _hidden(entries: Sequence[_Entry]) -> str:
    return f"… {len(entries) - _MOST_ENTRIES} more; see all:"


def _command(comparison: Comparison) -> str:
    ids = (one_line(side.id, _NAME) for side in (comparison.before, comparison.after))
    return f"verify-lsp report diff {' '.join(ids)} --format json"
