"""Verifies one file: finds its verifier, asks it within limits, and says what came of it."""

from collections.abc import Sequence
from pathlib import Path

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Finding
from verify_lsp.model.verify_result import VerifyResult
from verify_lsp.verifiers.base import Runner, Subject, TextVerifier, ToolVerifier, Verdict, Verifier
from verify_lsp.verifiers.content import cannot_be_read_as_text, stands_for_other_content
from verify_lsp.verifiers.findings import findings_of
from verify_lsp.verifiers.guarded import ask, judge
from verify_lsp.verifiers.registry import thorough_for, verifier_for

SIZE_LIMIT = 5_000_000
"""Characters; a longer text is skipped."""

_INLINE_LIMIT = 100_000
_TEXT_TIME_LIMIT_S = 10.0


async def verify(subject: Subject, run: Runner | None = None) -> VerifyResult:
    """Verify one file. Raises nothing, whatever the file is and whatever its verifier does.

    Args:
        subject: The file; its name chooses the verifier.
        run: Runs tools; without it, what needs one is skipped.
    """
    verifier = verifier_for(subject.path, _first_line(subject.text))
    if verifier is None:
        return _nothing_for(subject)
    verdict = _without_asking(verifier, subject)
    if verdict is None and isinstance(verifier, TextVerifier):
        verdict = await _judged_thoroughly(verifier, subject, run)
    elif verdict is None and isinstance(verifier, ToolVerifier):
        verdict = await _asked(verifier, subject, run)
    return result_of(subject, verifier.name, verdict or Verdict())


def verify_text(subject: Subject) -> Verdict | None:
    """Judge a text at once, in this process: None where no verifier is quick enough to be asked while typing.

    Raises nothing. The problems carry their rewrites; `findings_of` gives the findings for them, in their order.
    """
    verifier = text_verifier_for(subject)
    return None if verifier is None else judged_at_once(verifier, subject)


def text_verifier_for(subject: Subject) -> TextVerifier | None:
    """Return the verifier that judges a text of this name at once; None where there is none."""
    verifier = verifier_for(subject.path, _first_line(subject.text))
    return verifier if isinstance(verifier, TextVerifier) else None


def judged_at_once(verifier: TextVerifier, subject: Subject) -> Verdict:
    """Judge a text in this process, within the limits of what can be judged. Raises nothing."""
    return _without_asking(verifier, subject) or judge(verifier, subject)


async def verify_saved(subject: Subject, run: Runner) -> Verdict | None:
    """Ask the tool for saved files of this name; None where there is none.

    What it says stands in place of what `verify_text` found, unless it skipped the file. Raises nothing.
    """
    verifier = thorough_for(subject.path, _first_line(subject.text))
    if verifier is None or _without_asking(verifier, subject) is not None:
        return None
    return await _asked(verifier, subject, run)


async def _judged_thoroughly(verifier: TextVerifier, subject: Subject, run: Runner | None) -> Verdict:
    """A tool that skipped the file leaves it to the verifier; why it did so is kept, as the file is not wholly verified."""
    tool = thorough_for(subject.path, _first_line(subject.text)) if run is not None and subject.saved else None
    better = await _asked(tool, subject, run) if tool is not None else None
    if better is not None and better.skipped is None:
        return better
    quick = await _judged_in_time(verifier, subject)
    if better is None or quick.skipped is not None or quick.problems:
        return quick
    return attrs.evolve(quick, skipped=better.skipped)


def result_of(subject: Subject, verifier: str, verdict: Verdict) -> VerifyResult:
    """Say what `verdict` means for the file."""
    path = shown_path(subject)
    findings = findings_of(path, subject.text, verdict.problems)
    ok = not any(finding.severity in {"critical", "high"} for finding in findings)
    return VerifyResult(
        path=path,
        ok=ok,
        skipped=verdict.skipped is not None,
        detail=_detail(verifier, verdict, findings),
        findings=findings,
        verifier=verifier,
    )


def shown_path(subject: Subject) -> str:
    """Return the path as results name it: relative to the workspace where the file lies in it."""
    if subject.workspace is not None and subject.path.is_relative_to(subject.workspace):
        return subject.path.relative_to(subject.workspace).as_posix()
    return subject.path.as_posix()


def _nothing_for(subject: Subject) -> VerifyResult:
    kind = subject.path.suffix or subject.path.name
    return VerifyResult(shown_path(subject), ok=True, skipped=True, detail=f"no verifier is for such a file ({kind})")


def _without_asking(verifier: Verifier, subject: Subject) -> Verdict | None:
    """Return the verdict on what no verifier can judge, or None where it is to be asked."""
    if len(subject.text) > SIZE_LIMIT:
        return Verdict(skipped=f"too large: more than {SIZE_LIMIT // 1_000_000} MB of text")
    return stands_for_other_content(subject) or cannot_be_read_as_text(verifier, subject)


async def _judged_in_time(verifier: TextVerifier, subject: Subject) -> Verdict:
    """A long text is judged in a thread, so that what waits for the answer can go on, and give up."""
    if len(subject.text) <= _INLINE_LIMIT:
        return judge(verifier, subject)
    import anyio
    from anyio import to_thread

    with anyio.move_on_after(_TEXT_TIME_LIMIT_S):
        return await to_thread.run_sync(judge, verifier, subject, abandon_on_cancel=True)
    return Verdict(skipped=f"the {verifier.name} verifier took longer than {_TEXT_TIME_LIMIT_S:g} s")


async def _asked(verifier: ToolVerifier, subject: Subject, run: Runner | None) -> Verdict:
    if verifier.reads_file and (run is None or not subject.saved):
        return Verdict(skipped=f"the {verifier.name} verifier runs a tool, for which the file must be saved")
    if verifier.executes and not subject.trusted:
        return Verdict(skipped=f"the {verifier.name} verifier runs what the workspace carries, which is not trusted")
    return await ask(verifier, subject, run or _nothing_runs)


async def _nothing_runs(_command: Command, _place: Path) -> CommandResult:
    return CommandResult(exit_code=None, missing=True)


def _detail(verifier: str, verdict: Verdict, findings: Sequence[Finding]) -> str:
    if verdict.skipped is not None:
        said = verdict.skipped
    elif findings:
        first = min(findings, key=lambda finding: finding.line)
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        said = f"line {first.line}: {first.message}{more}"
    else:
        said = f"the {verifier} verifier found nothing wrong"
    return f"{said}; {verdict.note}" if verdict.note else said


def _first_line(text: str) -> str:
    return text[:200].partition("\n")[0].rstrip("\r") if text.startswith("#!") else ""
