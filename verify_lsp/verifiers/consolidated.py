"""What an agent is told after it wrote files: what does not parse, and what to do about it."""

from collections.abc import Iterable, Sequence

from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.finding import Finding
from verify_lsp.model.verify_result import VerifyResult

_A_FILE = 5
_IN_ALL = 20
_LINE_LIMIT = 400


def consolidated(results: Iterable[VerifyResult]) -> str:
    """Return one message for all files that failed, or an empty text where none did.

    Each error is one line, `path:line:column: rule: what is wrong. What to do.`; at most 20 are shown, five a file, and
    what is left out is counted.
    """
    failed = [result for result in results if not result.ok]
    if not failed:
        return ""
    lines: list[str] = []
    errors = {id(result): _errors(result) for result in failed}
    for result in failed:
        lines += map(_line, errors[id(result)][:_A_FILE])
    count = sum(map(len, errors.values()))
    shown = lines[:_IN_ALL]
    if left_out := count - len(shown):
        shown.append(f"… and {left_out} more")
    files = "1 file does" if len(failed) == 1 else f"{len(failed)} files do"
    return "\n".join((f"{files} not verify:", *shown))


def _errors(result: VerifyResult) -> Sequence[Finding]:
    errors = (finding for finding in result.findings if finding.severity in {"critical", "high"})
    return sorted(errors, key=lambda finding: (finding.line, finding.column or 0))


def _line(finding: Finding) -> str:
    place = f"{finding.path}:{finding.line}" + (f":{finding.column}" if finding.column else "")
    said = f"{place}: {finding.rule}: {finding.message}"
    return one_line(f"{said} {finding.suggestion}" if finding.suggestion else said, _LINE_LIMIT)
