"""A check looks at several projects; each part is an outcome, and the check's outcome is made of them."""

from collections.abc import Iterable, Mapping, Sequence

from verify_lsp.model.command import CommandResult
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.model.outcome import Broke, CheckOutcome, Proof, Ran, Skipped, Verdict

OUTPUT_LIMIT = 8_000
_WEIGHT: Mapping[Verdict, int] = {"pass": 0, "warn": 1, "fail": 2}


def combine(parts: Sequence[tuple[str, CheckOutcome]], nothing: str) -> CheckOutcome:
    """Make one outcome of the parts, each given with the title of its project.

    A failure anywhere fails. A part that broke beside others is said in `unverified`, so that the
    check cannot pass; a check of which nothing ran is skipped or broken as a whole.

    Args:
        nothing: The reason when there is no part at all.
    """
    ran = [(title, part) for title, part in parts if isinstance(part, Ran)]
    if not ran:
        return _without_any(parts, nothing)
    several = len(parts) > 1
    unverified = [reason for _, part in ran for reason in part.unverified]
    asides = [reason for _, part in ran for reason in part.asides]
    for title, part in parts:
        match part:
            case Skipped(reason=reason, needless=True):
                asides.append(_titled(title, reason, several))
            case Skipped(reason=reason) | Broke(reason=reason):
                unverified.append(_titled(title, reason, several))
            case Ran():
                pass
    worst = max((part.verdict for _, part in ran), key=_WEIGHT.__getitem__)
    return Ran(
        verdict="warn" if unverified and worst == "pass" else worst,
        summary="; ".join(_titled(title, part.summary, several) for title, part in ran),
        findings=tuple(finding for _, part in ran for finding in part.findings),
        metrics=sum_metrics([part.metrics for _, part in ran], complete=len(unverified) == 0),
        proofs=tuple(_of_project(title, proof, several) for title, part in ran for proof in part.proofs),
        unverified=tuple(unverified),
        asides=tuple(asides),
        command=_joined(part.command for _, part in parts),
        output=_joined(part.output for _, part in parts),
        tools=tuple(dict.fromkeys(tool for _, part in parts for tool in part.tools)),
        mutants=_mutants([part for _, part in ran]),
    )


def _mutants(ran: Sequence[Ran]) -> tuple[TriedMutant, ...] | None:
    tried = [part.mutants for part in ran if part.mutants is not None]
    return tuple(mutant for mutants in tried for mutant in mutants) if tried else None


def _without_any(parts: Sequence[tuple[str, CheckOutcome]], nothing: str) -> CheckOutcome:
    if not parts:
        return Skipped(nothing, needless=True)
    several = len(parts) > 1
    absent: list[tuple[str, Skipped | Broke]] = [(title, part) for title, part in parts if not isinstance(part, Ran)]
    broke = [(title, part) for title, part in absent if isinstance(part, Broke)]
    unlooked = [(title, part) for title, part in absent if isinstance(part, Skipped) and not part.needless]
    told: Sequence[tuple[str, Skipped | Broke]] = broke or unlooked or absent
    reason = "; ".join(_titled(title, part.reason, several) for title, part in told)
    command, output = _joined(part.command for _, part in parts), _joined(part.output for _, part in parts)
    tools = tuple(dict.fromkeys(tool for _, part in parts for tool in part.tools))
    if broke:
        return Broke(reason, command=command, output=output, tools=tools)
    needless = all(part.needless for _, part in told if isinstance(part, Skipped))
    metrics = sum_metrics([part.metrics for _, part in parts if isinstance(part, Skipped)], complete=needless)
    return Skipped(reason, needless=needless, command=command, output=output, metrics=metrics, tools=tools)


def homeless_parts(homeless: Sequence[str]) -> list[tuple[str, CheckOutcome]]:
    """Return a part for each language of which changed files belong to no project: they stay unverified."""
    return [("", Skipped(reason)) for reason in homeless]


def sum_metrics(metrics: Sequence[Mapping[str, float | None]], *, complete: bool) -> dict[str, float | None]:
    """Add metrics up. A sum with an unknown summand is unknown; so is any sum of which a part is missing.

    Args:
        complete: False when something was not looked at, so that a total would claim too much.
    """
    names = dict.fromkeys(name for each in metrics for name in each)
    sums: dict[str, float | None] = {}
    for name in names:
        values = [each.get(name) for each in metrics if name in each]
        known = [value for value in values if value is not None]
        total_is_known = len(known) == len(values) and (complete or name != "total")
        sums[name] = sum(known) if total_is_known else None
    return sums


def output_of(*results: CommandResult) -> str | None:
    """Return the end of what commands printed, bounded, for a report."""
    from verify_lsp.toolchains.output import plain

    text = "\n".join(plain(part).strip("\n") for result in results for part in (result.stdout, result.stderr) if part)
    return tail(text) or None


def tail(text: str, limit: int = OUTPUT_LIMIT) -> str:
    """Return the end of `text` from a line's beginning, at most `limit` characters."""
    if len(text) <= limit:
        return text
    cut = text[-limit:]
    return "[…]\n" + cut[cut.find("\n") + 1 :]


def _of_project(title: str, proof: Proof, several: bool) -> Proof:  # noqa: FBT001  # private, one caller's flag
    """Facts of two projects would otherwise be the same sentence twice."""
    return Proof(_titled(title, proof.text, several), proof.evidence, proof.kind, proof.holds)


def _titled(title: str, text: str, several: bool) -> str:  # noqa: FBT001  # private, one caller's flag
    return f"{title}: {text}" if several and title else text


def _joined(texts: Iterable[str | None]) -> str | None:
    return "\n".join(text for text in texts if text) or None
