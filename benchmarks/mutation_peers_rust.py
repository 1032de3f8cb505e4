"""From command to score beside cargo-mutants, on the same added lines of a Rust project.

    python -m benchmarks.mutation_peers_rust [--runs 1] [--cargo-mutants PATH] PROJECT FILE FIRST-LAST...

In a copy of PROJECT the lines FIRST to LAST are taken out of FILE and committed so; putting them back is the change. Each tool gets a copy
of its own, with nothing built, and is asked for just these lines. Which mutants are made of them differs from tool to tool,
so that seconds a mutant are told as well. Processor time is of all processes that were waited for.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_S = 3000.0


def laid_out(root: Path, place: Path, file: str, ranges: list[str]) -> None:
    shutil.copytree(root, place, symlinks=True, ignore=shutil.ignore_patterns(".git", "target", "mutants.out*"))
    text = (place / file).read_text(encoding="utf-8")
    gone = {n for each in ranges for n in range(int(each.split("-")[0]), int(each.split("-")[1]) + 1)}
    kept = [row for number, row in enumerate(text.split("\n"), 1) if number not in gone]
    (place / file).write_text("\n".join(kept), encoding="utf-8")
    (place / ".gitignore").write_text("target\nmutants.out*\nthe.diff\n")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.test")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), (*author, "commit", "-q", "-m", "Before")):
        subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True)
    (place / file).write_text(text, encoding="utf-8")
    diff = subprocess.run(["git", "diff", "HEAD"], cwd=place, check=True, capture_output=True).stdout
    (place / "the.diff").write_bytes(diff)


def ran(arguments: list[str], place: Path, **variables: str) -> tuple[float, float, str]:
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "CARGO_NET_OFFLINE": "true", "CARGO_TERM_COLOR": "never", **variables}
    done = subprocess.run(
        arguments, cwd=place, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begun, cpu_s, done.stdout + done.stderr


def ours(place: Path, cache: str) -> tuple[float, float, str, int]:
    command = [sys.executable, "-m", "verify_lsp", "run", "--checks", "mutation"]
    root = str(Path(__file__).resolve().parents[1])
    took, cpu_s, printed = ran(command, place, XDG_CACHE_HOME=cache, PYTHONPATH=root)
    said = re.search(r"the tests notice \d+ of (\d+) [^\n]*", printed)
    more = sum(int(each) for each in re.findall(r"; (\d+) more ", said[0])) if said else 0
    return took, cpu_s, said[0] if said else printed[-600:], int(said[1]) + more if said else 0


def cargo_mutants(place: Path, tool: str) -> tuple[float, float, str, int]:
    command = [tool, "mutants", "--in-diff", "the.diff", "--no-shuffle", "--colors", "never", "--timeout", "60"]
    took, cpu_s, printed = ran(command, place)
    said = re.search(r"(\d+) mutants? tested[^\n]*", printed)
    return took, cpu_s, said[0] if said else printed[-600:], int(said[1]) if said else 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--cargo-mutants", default="cargo-mutants")
    parser.add_argument("--skip-peer", action="store_true")
    parser.add_argument("project", type=Path)
    parser.add_argument("file")
    parser.add_argument("ranges", nargs="+")
    given = parser.parse_args()
    root = given.project.resolve()
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        for number in range(given.runs):
            place = Path(folder) / f"ours-{number}" / root.name
            laid_out(root, place, given.file, given.ranges)
            told = {"verify-lsp": ours(place, f"{folder}/cache-{number}")}
            if not given.skip_peer:
                place = Path(folder) / f"peer-{number}" / root.name
                laid_out(root, place, given.file, given.ranges)
                told["cargo-mutants"] = cargo_mutants(place, given.cargo_mutants)
            for name, (took, cpu_s, said, mutants) in told.items():
                each = max(mutants, 1)
                print(f"{root.name} {name}: {took:.1f} s, {cpu_s:.1f} cpu s; {said}")
                print(f"  {took / each:.2f} s and {cpu_s / each:.2f} cpu s a mutant", flush=True)


if __name__ == "__main__":
    main()
