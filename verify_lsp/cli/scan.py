"""`verify-lsp scan`: the security rules alone."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit
from verify_lsp.cli.scan_targets import Target, diff_targets, named_targets, working_tree_targets
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.errors import UsageError
from verify_lsp.model.finding import SEVERITIES, Finding

if TYPE_CHECKING:
    from verify_lsp.settings.settings import Settings

_FAILING = frozenset({"critical", "high"})


def scan(names: Sequence[str], form: str, *, all_lines: bool) -> int:
    """Hold texts against the security rules, print the findings, and return 1 when one is critical or high."""
    targets = tuple(_targets(names, all_lines=all_lines))
    settings = _settings()
    findings: list[Finding] = []
    suppressed, gaps = 0, []
    for target in targets:
        examined = _examined(target, settings)
        findings += examined.findings
        suppressed += examined.suppressed
        gaps += [examined.gap] if examined.gap else []
    for gap in gaps:
        print(f"verify-lsp: not scanned: {gap}", file=sys.stderr)
    emit(_json(findings) if form == "json" else _text(findings, targets, suppressed))
    return ExitCode.FAILED if any(finding.severity in _FAILING for finding in findings) else ExitCode.OK


def _targets(names: Sequence[str], *, all_lines: bool) -> Iterator[Target]:
    from verify_lsp.cli.workspace import workspace_folder

    if not names:
        yield from working_tree_targets(workspace_folder(None), all_lines=all_lines)
    elif "-" in names:
        if len(names) > 1:
            raise UsageError("- stands alone: a diff on stdin is all there is to scan")
        yield from diff_targets(sys.stdin.buffer.read(), workspace_folder(None), all_lines=all_lines)
    else:
        yield from named_targets(names, all_lines=all_lines)


def _settings() -> "Settings":
    """Return the settings of the folder around, saying what is wrong with them."""
    from verify_lsp.cli.workspace import workspace_folder
    from verify_lsp.settings.options import Options
    from verify_lsp.settings.resolve import resolve_settings

    resolved = resolve_settings(workspace_folder(None), Options(), trusted=True)
    for problem in resolved.problems:
        print(f"verify-lsp: {problem}", file=sys.stderr)
    return resolved.settings


@attrs.frozen
class _Result:
    findings: tuple[Finding, ...]
    suppressed: int
    gap: str | None


def _examined(target: Target, settings: "Settings") -> _Result:
    """Look at one text. Names below the workspace decide; the findings carry the name that the user gave."""
    from verify_lsp.judgement.globs import matches_any
    from verify_lsp.judgement.raised import finding_of
    from verify_lsp.judgement.sift import sift
    from verify_lsp.security.examine import examine

    if matches_any(target.path, settings.exclude):
        return _Result((), 0, None)
    seen = examine(target.path, target.text, target.lines, target.removed)
    change = Change((FileChange(target.path, "modified", after=target.text),))
    found = sift((finding_of("security", each, preexisting=False) for each in seen.problems), change, settings)
    return _Result(tuple(attrs.evolve(each, path=target.shown) for each in found), seen.suppressed, seen.gap)


def _json(findings: Sequence[Finding]) -> str:
    import json

    from verify_lsp.codec import to_wire

    return json.dumps({"findings": [to_wire(finding) for finding in findings]}, indent=2, ensure_ascii=False) + "\n"


def _text(findings: Sequence[Finding], targets: Sequence[Target], suppressed: int) -> str:
    lines = []
    for finding in findings:
        place = f"{finding.path}:{finding.line}" + (f":{finding.column}" if finding.column else "")
        lines.append(f"{place}: {finding.severity}: {finding.message} [{finding.rule}]")
        lines += [f"    {finding.evidence}"] if finding.evidence else []
        lines += [f"    {finding.suggestion}"] if finding.suggestion else []
    return "\n".join((*lines, _summary(findings, targets, suppressed))) + "\n"


def _summary(findings: Sequence[Finding], targets: Sequence[Target], suppressed: int) -> str:
    from verify_lsp.checks.wording import count

    lines = sum(_counted(target) for target in targets)
    if not lines:
        return "nothing to scan: no line was added"
    levels = Counter(finding.severity for finding in findings)
    found = ", ".join(f"{levels[level]} {level}" for level in SEVERITIES if levels[level]) or "no findings"
    hidden = f", {count(suppressed, 'finding')} suppressed by a comment" if suppressed else ""
    return f"{found} in {count(lines, 'line')} of {count(len(targets), 'file')}{hidden}"


def _counted(target: Target) -> int:
    if target.lines is not None:
        return len(target.lines)
    return target.text.count("\n") + (not target.text.endswith("\n") and bool(target.text))
