"""Does an added line break a security rule, or a removed one take a guard away?"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import anyio.to_thread
import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.findings import errors
from verify_lsp.checks.security_before import Before
from verify_lsp.checks.security_flow import Flow, follow_data, unsuppressed, without_doubles
from verify_lsp.checks.wording import count, listed
from verify_lsp.judgement.raised import finding_of
from verify_lsp.judgement.sift import sift
from verify_lsp.judgement.suppressions import suppressions_in
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.fact import Evidence
from verify_lsp.model.finding import CheckKind, Finding, Problem
from verify_lsp.model.outcome import CheckOutcome, Proof, Ran, Skipped, ToolInfo, Verdict

KIND: Final[CheckKind] = "security"
EXECUTES: Final = False


async def check(context: CheckContext) -> CheckOutcome:
    """Hold the added and removed lines against the rules. It fails on new critical and high findings, and warns on medium."""
    if not context.settings.security_rules:
        return Skipped("the settings switch the security rules off", needless=True)
    files = tuple(file for file in context.change.files if not file.binary and (file.added_lines or file.removed_lines))
    if not any(file.added_lines for file in files) and not any(file.after for file in files):
        return Skipped("nothing to scan: no line was added", needless=True)
    looked = await anyio.to_thread.run_sync(_look, files, context.change)
    flow = await follow_data(context, files)
    flowing = _flowing(flow, files, looked.findings)
    looked = attrs.evolve(looked, findings=(*looked.findings, *flowing), unread=(*looked.unread, *flow.gaps))
    findings = sift(looked.findings, context.change, context.settings)
    return _judged(context, looked, findings, flow.tool)


def _flowing(flow: Flow, files: Sequence[FileChange], known: Sequence[Finding]) -> list[Finding]:
    """Return what following the data found beside our own rules, but for what a comment suppresses."""
    texts = {file.path: _text(file) for file in files}
    by_path: dict[str, list[Problem]] = {}
    for problem in without_doubles(flow.problems, known):
        by_path.setdefault(problem.path, []).append(problem)
    return [
        finding_of(KIND, problem, preexisting=False)
        for path, problems in by_path.items()
        for problem in unsuppressed(problems, suppressions_in(path, texts[path]))
    ]


@attrs.frozen
class _Looked:
    """What was seen. `unread` are files whose text after the change is not known, and what is too large to parse."""

    findings: tuple[Finding, ...]
    lines: int
    files: int
    suppressed: int
    unread: tuple[str, ...]


def _look(files: Sequence[FileChange], change: Change) -> _Looked:
    from verify_lsp.security.examine import examine

    before = Before(change)
    findings: list[Finding] = []
    suppressed, unread = 0, []
    for file in files:
        text = _text(file)
        added = frozenset(line.line for line in file.added_lines)
        examined = examine(file.path, text, added, file.removed_lines if file.change != "deleted" else ())
        suppressed += examined.suppressed
        findings += (finding_of(KIND, each, preexisting=before.had(file, text, each)) for each in examined.problems)
        unread += [examined.gap] if examined.gap else []
    lines = sum(len(file.added_lines) for file in files)
    scanned = sum(1 for file in files if file.added_lines)
    return _Looked(tuple(findings), lines, scanned, suppressed, tuple(unread))


def _text(file: FileChange) -> str:
    """Return the text after the change; where only the added lines are known, those at their places."""
    if file.after is not None:
        return file.after
    known = {line.line: line.text for line in file.added_lines}
    return "\n".join(known.get(number, "") for number in range(1, max(known, default=0) + 1))


def _judged(
    context: CheckContext, looked: _Looked, findings: tuple[Finding, ...], flow_tool: ToolInfo | None
) -> CheckOutcome:
    if looked.lines == 0 and not findings:
        return Skipped("nothing to scan: no line was added", needless=True)
    new = [finding for finding in findings if not finding.preexisting]
    levels = Counter(finding.severity for finding in new)
    metrics: dict[str, float | None] = {
        "lines_scanned": looked.lines,
        "critical": levels["critical"],
        "high": levels["high"],
        "medium": levels["medium"],
        "low": levels["low"] + levels["info"],
        "suppressed": looked.suppressed,
    }
    text = _sentence(context, looked, new, flow_tool)
    return Ran(
        verdict=_verdict(new),
        summary=text,
        findings=findings,
        metrics=metrics,
        proofs=(Proof(text, Evidence(tool="verify-lsp", metrics=metrics), "security", holds=not errors(new)),),
        unverified=looked.unread[:5],
        tools=(flow_tool,) if flow_tool is not None else (),
    )


def _verdict(new: Sequence[Finding]) -> Verdict:
    if errors(new):
        return "fail"
    return "warn" if any(finding.severity == "medium" for finding in new) else "pass"


def _sentence(context: CheckContext, looked: _Looked, new: Sequence[Finding], flow_tool: ToolInfo | None) -> str:
    where = f"{count(looked.lines, 'added line')} of {count(looked.files, 'file')}"
    levels = Counter(finding.severity for finding in new)
    found = [f"{levels[level]} {level}" for level in ("critical", "high", "medium", "low", "info") if levels[level]]
    who = "the security rules" if flow_tool is None or not flow_tool.version else "the security rules and semgrep"
    text = f"{who} find {listed(found, limit=5) or 'nothing'} in {where}"
    off = sum(level == "off" for level in context.settings.rules.values())
    text += f", {count(looked.suppressed, 'finding')} suppressed by a comment" if looked.suppressed else ""
    return text + (", apart from rules that the settings switch off" if off else "")
