"""What twelve mutants cost beside a plain run of the tests.

    python -m benchmarks.mutation [--runs 5] [--mutants 12] [--python PATH] PROJECT FILE...

The mutants are those that verify-lsp would choose if all of FILE were new.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import anyio
import attrs

from benchmarks.mutation_agreement import context_of, ours, step_of
from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.test_run import Suite, run_suite


def spent() -> float:
    """Processor seconds of all children that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def plain_seconds(context: CheckContext) -> tuple[float, float]:
    owner = context.projects[0]
    step = step_of(owner, context.timeout_s)
    begun, before = time.monotonic(), spent()
    ran = await run_suite(context, Suite(owner, attrs.evolve(step, version=None)))
    if not isinstance(ran, tuple) or ran[0].verdict != "passed":
        raise SystemExit(f"the tests do not pass: {ran}")
    return time.monotonic() - begun, spent() - before


async def with_mutants(context: CheckContext) -> tuple[float, float, dict[str, int]]:
    begun, before = time.monotonic(), spent()
    mutants, told, kept = await ours(context)
    took = time.monotonic() - begun
    # Forked processes are no children of ours, and say themselves what they took.
    cpu_s = spent() - before + json.loads(kept.result.files["mutants.json"])["cpu_s"]
    statuses = [result.status for result in told.results.values()]
    return (
        took,
        cpu_s,
        {"mutants": len(mutants), **{status: statuses.count(status) for status in sorted(set(statuses))}},
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mutants", type=int, default=12)
    parser.add_argument("--python", default="python3")
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    root = given.project.resolve()
    python = Path(shutil.which(given.python) or given.python)
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    rows: list[tuple[float, float, float, float]] = []
    told: dict[str, int] = {}
    with tempfile.TemporaryDirectory(prefix="agreement-") as cache:
        context = context_of(root, given.files, given.mutants, path, 600, Path(cache))
        for _ in range(given.runs):
            alone, alone_cpu = anyio.run(plain_seconds, context)
            together, together_cpu, told = anyio.run(with_mutants, context)
            rows.append((alone, together, alone_cpu, together_cpu))
    print(f"{root.name}: {told}")
    for name, plain, both in (("clock", 0, 1), ("processor", 2, 3)):
        without, beside = (statistics.median(row[column] for row in rows) for column in (plain, both))
        each = (beside - without) / max(told["mutants"], 1)
        print(
            f"  by {name}: tests {without:.2f} s, with mutants {beside:.2f} s, {beside / without:.2f} times, {each * 1000:.0f} ms a mutant"
        )


if __name__ == "__main__":
    main()
