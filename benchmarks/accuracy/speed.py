"""How much text the security rules read in a second of processor time, on one core.

    python -m benchmarks.accuracy.speed [--commits N] [--most MB] REPO…

Each REPO is a git repository, bare or not; its HEAD and its latest commits are read. One table is printed:

- added lines: each file of each commit, with its text after, its added and its removed lines, as the security check
  hands them in. Once over the bytes that were added, and once over those of the whole texts that came with them.
- new files: those of them whose every line was added.
- whole files: every file of HEAD, every line counted as added.
- 200 lines: all pieces of 200 lines of these files, when they were seen before, one by one.
- floors: what `bytes.count` and one search of RE2 that finds nothing take for the same bytes in the same run. They say
  how busy the machine was; nothing that is written in Python is faster.

Garbage collection is left as it is. Lock files and vendored files are in, as they are in changes.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import attrs

from benchmarks.accuracy.commits import text_of
from benchmarks.clones import Blobs, git
from verify_lsp.model.change import Line
from verify_lsp.model.errors import VerifyError
from verify_lsp.scope.diff import added_lines, parse_diff, removed_lines
from verify_lsp.security.examine import examine
from verify_lsp.security.patterns import compiled_bytes

_PIECE = 200
_PASSES = 3
_NOWHERE = r"\x00[a-z]{3}\x00|\x01\x02"


@attrs.frozen
class Text:
    path: str
    text: str
    added: frozenset[int] | None = None
    removed: tuple[Line, ...] = ()

    @property
    def size(self) -> int:
        return len(self.text.encode("utf-8", "replace"))

    @property
    def added_size(self) -> int:
        lines = self.text.encode("utf-8", "replace").split(b"\n")
        return sum(len(lines[number - 1]) + 1 for number in self.added or () if number <= len(lines))


def look(each: Text) -> float:
    started = time.process_time()
    examine(each.path, each.text, each.added, each.removed)
    return time.process_time() - started


def files_of(repo: Path, most: int) -> Iterator[Text]:
    blobs = Blobs(repo)
    for path in git(repo, "ls-tree", "-rz", "--name-only", "HEAD").decode("utf-8", "replace").split("\0"):
        text = text_of(blobs, f"HEAD:{path}") if path and "\n" not in path else None
        if text:
            most -= len(text)
            if most < 0:
                return
            yield Text(path, text)


def commits_of(repo: Path, number: int) -> Iterator[Text]:
    blobs = Blobs(repo)
    for commit in git(repo, "log", "--no-merges", f"-n{number}", "--format=%H").decode().split():
        diff = git(repo, "show", "--format=", "--unified=0", "--no-renames", "--no-ext-diff", commit)
        try:
            patches = parse_diff(diff) if diff.strip() else ()
        except VerifyError as error:
            print(f"{commit[:10]}: {error}", file=sys.stderr)
            continue
        for patch in patches:
            path = patch.header.path.decode("utf-8", "replace")
            added = frozenset(line for line, _ in added_lines(patch.hunks))
            text = (
                text_of(blobs, f"{commit}:{path}") if added and not patch.header.binary and "\n" not in path else None
            )
            if text is not None:
                removed = tuple(
                    Line(line, gone.decode("utf-8", "replace")) for line, gone in removed_lines(patch.hunks)
                )
                yield Text(path, text, added, removed)


def pieces_of(texts: list[Text]) -> Iterator[Text]:
    for each in texts:
        lines = each.text.split("\n")
        for start in range(0, max(len(lines) - _PIECE + 1, 1), _PIECE):
            yield Text(each.path, "\n".join(lines[start : start + _PIECE]))


def rate(seconds: float, size: int) -> str:
    return f"{size / 1e6 / seconds:,.1f}" if seconds else "–"


def row(name: str, texts: list[Text], size: int) -> None:
    seconds = sum(map(look, texts))
    print(f"| {name} | {len(texts):,} | {size / 1e6:,.1f} | {seconds:.2f} | {rate(seconds, size)} |", flush=True)


def floor(name: str, texts: list[Text], *, count: bool) -> None:
    datas = [each.text.encode("utf-8", "replace") for each in texts]
    search = compiled_bytes(_NOWHERE).search
    started = time.process_time()
    for data in datas:
        if count:
            data.count(b"\n")
        else:
            search(data)
    seconds = time.process_time() - started
    size = sum(map(len, datas))
    print(f"| {name} | {len(texts):,} | {size / 1e6:,.1f} | {seconds:.2f} | {rate(seconds, size)} |", flush=True)


def pieces(texts: list[Text]) -> None:
    """Times each piece thrice and keeps the shortest: other programs' work shows in single times."""
    timed = sorted(
        ((min(look(each) for _ in range(_PASSES)), each) for each in pieces_of(texts)), key=lambda one: one[0]
    )
    took = [seconds * 1000 for seconds, _ in timed]

    def at(share: float) -> float:
        return took[min(int(len(took) * share), len(took) - 1)]

    print(f"\n{len(took):,} pieces of {_PIECE} lines: median {statistics.median(took):.2f} ms, ", end="")
    print(f"99 % below {at(0.99):.2f}, 99.9 % below {at(0.999):.2f}; ", end="")
    print(f"{sum(each >= 5 for each in took)} took 5 ms or more. The slowest:")
    for seconds, each in timed[-5:]:
        print(f"  {seconds * 1000:.1f} ms {each.path}, {each.size / 1000:.0f} kB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--most", type=int, default=10, help="MB of whole files of one repository")
    arguments = parser.parse_args()
    commits = [each for repo in arguments.repositories for each in commits_of(repo, arguments.commits)]
    whole = [each for repo in arguments.repositories for each in files_of(repo, arguments.most * 1_000_000)]
    fresh = [each for each in commits if each.added is not None and len(each.added) >= each.text.count("\n")]
    for each in whole[:: max(len(whole) // 300, 1)]:
        look(each)
    print("| what | texts | MB | seconds of one core | MB/s |\n|---|---|---|---|---|")
    row("added lines of commits, by added bytes", commits, sum(each.added_size for each in commits))
    row("the same, by the bytes of the texts", commits, sum(each.size for each in commits))
    row("new files of commits", fresh, sum(each.size for each in fresh))
    row("whole files", whole, sum(each.size for each in whole))
    floor("floor: `bytes.count` over whole files", whole, count=True)
    floor("floor: one RE2 search that finds nothing", whole, count=False)
    pieces(whole)


if __name__ == "__main__":
    main()
