"""`verify-lsp check`: the post-write verifiers on files."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit
from verify_lsp.model.verify_result import VerifyResult

if TYPE_CHECKING:
    from verify_lsp.verifiers.base import Subject

_AT_ONCE = 4


def check(paths: Sequence[str], form: str) -> int:
    """Verify files, in the order they are given; print the results and return the exit code."""
    results = _results(paths)
    emit(_shown(results, form))
    if any(not result.ok for result in results):
        return ExitCode.FAILED
    return ExitCode.OK if all(Path(path).exists() for path in paths) else ExitCode.USAGE


def _shown(results: Sequence[VerifyResult], form: str) -> str:
    if form == "json":
        return _json(results)
    if form == "text":
        return _text(results)
    from verify_lsp.verifiers.consolidated import consolidated

    message = consolidated(results)
    return f"{message}\n" if message else ""


def _results(paths: Sequence[str]) -> list[VerifyResult]:
    import anyio

    results: list[VerifyResult] = []

    async def verify_all() -> None:
        limiter = anyio.CapacityLimiter(_AT_ONCE)
        found: dict[int, VerifyResult] = {}

        async def one(index: int, named: str) -> None:
            async with limiter:
                found[index] = (await _verified(Path(named))).called(named)

        async with anyio.create_task_group() as group:
            for index, named in enumerate(paths):
                group.start_soon(one, index, named)
        results.extend(found[index] for index in range(len(paths)))

    anyio.run(verify_all)
    return results


async def _verified(path: Path) -> VerifyResult:
    from verify_lsp.system.process import run_command
    from verify_lsp.verifiers.verify import verify

    subject = _subject(path)
    return subject if isinstance(subject, VerifyResult) else await verify(subject, run_command)


def _subject(named: Path) -> "Subject | VerifyResult":
    from verify_lsp.cli.workspace import folder_around
    from verify_lsp.settings.trust import is_trusted
    from verify_lsp.verifiers.reading import read_subject

    path = named.absolute()
    workspace = folder_around(path.parent)
    return read_subject(path, workspace=workspace, trusted=is_trusted(workspace))


def _json(results: Sequence[VerifyResult]) -> str:
    from verify_lsp.codec import dumps

    return dumps({"results": results}, indent=2) + "\n"


def _text(results: Sequence[VerifyResult]) -> str:
    from verify_lsp.reports.untrusted import name, one_line

    lines = []
    for result in results:
        shown = name(result.path, 300)
        if result.skipped:
            lines.append(f"{shown}: skipped: {one_line(result.detail, 300)}")
        for finding in result.findings:
            place = f"{shown}:{finding.line}" + (f":{finding.column}" if finding.column else "")
            todo = f" {one_line(finding.suggestion, 300)}" if finding.suggestion else ""
            message = one_line(finding.message, 300)
            lines.append(f"{place}: {_LEVELS[finding.severity]}: {message}{todo} [{finding.rule}]")
    return "\n".join([*lines, _summary(results)]) + "\n"


_LEVELS = {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}


def _summary(results: Sequence[VerifyResult]) -> str:
    failed = sum(not result.ok for result in results)
    skipped = sum(result.skipped and result.ok for result in results)
    fine = len(results) - failed - skipped
    parts = [
        f"{count} {word}"
        for count, word in ((fine, "verified"), (failed, "with errors"), (skipped, "skipped"))
        if count
    ]
    return f"{len(results)} file{'' if len(results) == 1 else 's'}: {', '.join(parts)}"
