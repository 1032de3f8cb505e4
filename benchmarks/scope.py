"""How right and how fast scopes are.

`--numstat REPO` holds the lines we read of a repository's last commits against `git diff --numstat`, file by file.
`--large` times a change of 5,000 files in a repository of 100,000 against git alone, and shows the memory it took.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.harness.repository import Repository, new_repository, run_git
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.gitdiff.changes import read_changes
from verify_lsp.scope.repository import EMPTY_TREES
from verify_lsp.scope.resolve import resolved
from verify_lsp.system.git import Git, open_git

_PLAIN = ("-c", "core.quotePath=false", "diff", "--find-renames", "-l1000", "--no-ext-diff", "--no-textconv")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--numstat", type=Path, metavar="REPO", nargs="+")
    parser.add_argument("--commits", type=int, default=500)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--changed", type=int, default=5_000)
    given = parser.parse_args()
    for repository in given.numstat or ():
        anyio.run(hold_against_numstat, repository.resolve(), given.commits)
    if given.large:
        with tempfile.TemporaryDirectory(prefix="verify-lsp-benchmark-") as folder:
            os.environ["VERIFY_LSP_HOME"] = str(Path(folder) / "home")
            anyio.run(time_a_large_one, Path(folder) / "large", given.files, given.changed)


async def hold_against_numstat(repository: Path, count: int) -> None:
    git = await open_git(repository)
    listing = run_git(repository, "rev-list", "--parents", f"--max-count={count}", "HEAD").decode()
    files = lines = attributes = 0
    mismatches: list[str] = []
    for line in listing.splitlines():
        commit, *parents = line.split()
        parent = parents[0] if parents else EMPTY_TREES["sha1"]
        ours = await our_counts(git, parent, commit)
        theirs = git_counts(repository, parent, commit)
        for path in sorted(ours.keys() | theirs.keys()):
            if path in ours and ours[path] is not None and theirs.get(path, ()) is None:
                attributes += 1  # An attribute hides the lines from git's own count.
                continue
            files += 1
            lines += sum(theirs.get(path) or (0, 0))
            if ours.get(path, "absent") != theirs.get(path, "absent"):
                mismatches.append(f"{commit[:12]} {path}: {ours.get(path, 'absent')} != {theirs.get(path, 'absent')}")
    commits = len(listing.splitlines())
    print(
        f"{repository.name}: {commits} commits, {files} files, {lines} changed lines, {len(mismatches)} mismatches",
        end="",
    )
    print(f" ({attributes} files whose lines an attribute hides from git)" if attributes else "")
    for mismatch in mismatches[:20]:
        print(f"  {mismatch}")


async def our_counts(git: Git, parent: str, commit: str) -> dict[str, tuple[int, int] | None]:
    """Added and removed lines by path; None for binary files. Links and submodules are no files of lines."""
    found = await read_changes(git, ("diff-tree", "-r", parent, commit))
    return {
        file.path: None if file.binary else (len(file.added_lines), len(file.removed_lines)) for file in found.files
    }


def git_counts(repository: Path, parent: str, commit: str) -> dict[str, tuple[int, int] | None]:
    fields = run_git(repository, *_PLAIN, "--numstat", "-z", parent, commit).split(b"\0")
    counts: dict[str, tuple[int, int] | None] = {}
    links = special_paths(repository, parent, commit)
    at = 0
    while at < len(fields) - 1:
        added, removed, path = fields[at].split(b"\t", 2)
        at += 1
        if not path:
            path = fields[at + 1]
            at += 2
        name = path.decode("utf-8", "backslashreplace")
        counts[name] = None if added == b"-" or name in links else (int(added), int(removed))
    return counts


def special_paths(repository: Path, parent: str, commit: str) -> set[str]:
    fields = run_git(repository, "diff-tree", "-r", "-z", "--no-renames", parent, commit).split(b"\0")
    return {
        name.decode("utf-8", "backslashreplace")
        for about, name in zip(fields[::2], fields[1::2], strict=False)
        if any(mode in (b"120000", b"160000") for mode in about.lstrip(b":").split(b" ")[:2])
    }


async def time_a_large_one(path: Path, files: int, changed: int) -> None:
    repository = build_large(path, files, changed)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    theirs = best_of(3, lambda: run_git(path, "diff", "HEAD"))
    status = best_of(3, lambda: run_git(path, "status", "--porcelain", "--untracked-files=all"))
    ours = await time_scope(path, VerifyScope("working-tree"))
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{files} files, {changed} changed: git diff {theirs:.2f} s (git status {status:.2f} s), ", end="")
    print(f"working-tree scope {ours:.2f} s, ratio {ours / theirs:.2f}; ", end="")
    print(f"peak memory {after / 1024:.0f} MiB, {(after - before) / 1024:.0f} MiB of it for the scope")
    repository.add()
    staged = best_of(1, lambda: run_git(path, "diff", "--cached", "HEAD"))
    print(f"staged: git {staged:.2f} s, scope {await time_scope(path, VerifyScope('staged')):.2f} s")
    one = VerifyScope("files", files=("folder0/file1.txt",))
    print(f"one file of it: scope {await time_scope(path, one):.2f} s")


def build_large(path: Path, files: int, changed: int) -> Repository:
    """Files of 60 lines in folders of 100; of the changed ones a tenth is new and not tracked."""
    repository = new_repository(path, commit=False)
    text = "".join(f"line {number} of a file that is like many others\n" for number in range(60))
    for number in range(files):
        repository.write(f"folder{number // 100}/file{number}.txt", f"file {number}\n{text}")
    repository.commit()
    for number in range(changed):
        if number % 10:
            place = repository.path / f"folder{number // 100}/file{number}.txt"
            place.write_text(place.read_text().replace("line 30 ", f"row {number} ") + "one more\n")
        else:
            repository.write(f"folder{number // 100}/new{number}.txt", f"new {number}\n{text}")
    subprocess.run(["sync"], check=False)
    return repository


async def time_scope(path: Path, scope: VerifyScope) -> float:
    times: list[float] = []
    for _ in range(3):
        start = time.perf_counter()
        async with resolved(scope, path) as resolution:
            times.append(time.perf_counter() - start)
            assert resolution.change.files
    return min(times)


def best_of(times: int, run: Callable[[], object]) -> float:
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
