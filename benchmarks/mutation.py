"""What twelve mutants cost beside a plain run of the tests, and beside tools that are made for mutation testing.

    python -m benchmarks.mutation [--runs 5] [--mutants 12] [--python PATH] [--peers] PROJECT FILE...

The mutants are those that verify-lsp would choose if all of FILE were new. With --peers, mutmut and cosmic-ray are run where
PATH's environment has them, each on as many mutants of the first FILE, in a copy of the project; mutants differ from tool to
tool, so that the figures are seconds a mutant.
"""

import argparse
import json
import os
import resource
import shutil
import sqlite3
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import anyio
import attrs

from benchmarks.mutation_agreement import context_of, ours
from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.test_run import Suite, run_suite


def spent() -> float:
    """Processor seconds of all children that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def plain_seconds(context: CheckContext) -> tuple[float, float]:
    owner = context.projects[0]
    step = owner.toolchain.tests(owner.project, context.timeout_s)
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


def copy_of(root: Path, folder: str) -> Path:
    copy = Path(folder) / root.name
    shutil.copytree(root, copy, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv"))
    return copy


def ran(arguments: list[str], cwd: Path, limit_s: float = 1200.0) -> float:
    begun = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": f"{cwd}/src{os.pathsep}{cwd}", "CI": "1"}
    subprocess.run(arguments, cwd=cwd, env=environment, capture_output=True, timeout=limit_s, check=False)
    return time.monotonic() - begun


def cosmic_ray(root: Path, file: str, mutants: int, python: Path) -> str:
    """Its session is a database; all but the first so many items of work are taken out of it."""
    tool = str(python.with_name("cosmic-ray"))
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of(root, folder)
        (copy / "cr.toml").write_text(
            f'[cosmic-ray]\nmodule-path = "{file}"\ntimeout = 60.0\nexcluded-modules = []\n'
            f'test-command = "{python} -m pytest -x -q -p no:cacheprovider"\n[cosmic-ray.distributor]\nname = "local"\n'
        )
        ran([tool, "init", "cr.toml", "cr.sqlite"], copy)
        session = sqlite3.connect(copy / "cr.sqlite")
        jobs = [row[0] for row in session.execute("select job_id from work_items")]
        kept = jobs[:: max(1, len(jobs) // mutants)][:mutants]
        marks = ",".join("?" * len(kept))
        for table in ("mutation_specs", "work_items"):
            session.execute(f"delete from {table} where job_id not in ({marks})", kept)
        session.commit()
        session.close()
        took = ran([tool, "exec", "cr.toml", "cr.sqlite"], copy)
        done = sqlite3.connect(copy / "cr.sqlite").execute("select count(*) from work_results").fetchone()[0]
    return f"cosmic-ray: {took:.1f} s for {done} mutants, {took / max(done, 1):.2f} s a mutant"


def mutmut(root: Path, file: str, mutants: int, python: Path) -> str:
    """Mutants are named after functions; so many are asked for by name, after a run has made them all."""
    tool = str(python.with_name("mutmut"))
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of(root, folder)
        settings = copy / "setup.cfg"
        before = settings.read_text() if settings.is_file() else ""
        settings.write_text(
            f"{before}\n[mutmut]\npaths_to_mutate={file}\ntests_dir=tests\nalso_copy=\n    src\n    tests\n    pyproject.toml\n"
        )
        ran([tool, "run", "no.such.mutant"], copy)
        names = subprocess.run(
            [tool, "results", "--all", "true"], cwd=copy, capture_output=True, text=True, check=False
        )
        found = [line.split(":")[0].strip() for line in names.stdout.splitlines() if "__mutmut_" in line]
        chosen = found[:: max(1, len(found) // mutants)][:mutants]
        if not chosen:
            return f"mutmut: made no mutants here: {names.stdout[-200:]}{names.stderr[-300:]}"
        shutil.rmtree(copy / "mutants")
        took = ran([tool, "run", *chosen], copy)
    return f"mutmut: {took:.1f} s for {len(chosen)} mutants, with its own runs of the tests; {took / len(chosen):.2f} s a mutant"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--mutants", type=int, default=12)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("project", type=Path)
    parser.add_argument("files", nargs="+")
    given = parser.parse_args()
    root = given.project.resolve()
    python = Path(shutil.which(given.python) or given.python)
    path = os.pathsep.join([str(python.parent), os.environ["PATH"]])
    context = context_of(root, given.files, given.mutants, path, 600)
    rows, told = [], {}
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
    if given.peers:
        print(mutmut(root, given.files[0], given.mutants, python))
        print(cosmic_ray(root, given.files[0], given.mutants, python))


if __name__ == "__main__":
    main()
