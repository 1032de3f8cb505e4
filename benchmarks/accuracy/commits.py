"""Holds the added lines of ordinary commits against the security rules: what is found there is mostly wrong.

    python -m benchmarks.accuracy.commits [--commits N] [--list] REPO…

Prints, for each repository, commits, added lines and findings of medium severity or more, and the findings with --list.
"""

import sys
import time
from pathlib import Path

from benchmarks.accuracy.scoring import WEIGHTY
from benchmarks.clones import Blobs, clones_parser, git
from verify_lsp.judgement.files.file_kinds import is_lock_file, is_vendored
from verify_lsp.judgement.suppressions import split, suppressions_in
from verify_lsp.model.change import Line
from verify_lsp.model.errors import VerifyError
from verify_lsp.scope.diff import added_lines, parse_diff, removed_lines
from verify_lsp.security.scan import scan_text

LARGEST = 1_000_000


def text_of(blobs: Blobs, name: str) -> str | None:
    content = blobs.content(name)
    return None if content is None or len(content) > LARGEST else content.decode("utf-8", "replace")


def study(repo: Path, number: int, *, show: bool) -> tuple[int, int, int, float]:
    blobs = Blobs(repo)
    commits = git(repo, "log", "--no-merges", f"-n{number}", "--format=%H").decode().split()
    lines = found = 0
    spent = 0.0
    for commit in commits:
        diff = git(repo, "show", "--format=", "--unified=0", "--no-renames", "--no-ext-diff", commit)
        try:
            patches = parse_diff(diff) if diff.strip() else ()
        except VerifyError as error:
            print(f"  {commit[:10]}: {error}", file=sys.stderr)
            continue
        gone = {text.strip() for patch in patches for _, text in removed_lines(patch.hunks)}
        for patch in patches:
            path = patch.header.path.decode("utf-8", "replace")
            added = dict(added_lines(patch.hunks))
            if not added or patch.header.binary or is_lock_file(path) or is_vendored(path):
                continue
            text = text_of(blobs, f"{commit}:{path}")
            if text is None:
                continue
            removed = [Line(n, t.decode("utf-8", "replace")) for n, t in removed_lines(patch.hunks)]
            lines += len(added)
            started = time.perf_counter()
            problems = scan_text(path, text, frozenset(added), removed)
            kept = split(problems, suppressions_in(path, text), security=True).kept
            spent += time.perf_counter() - started
            for problem in kept:
                if problem.severity in WEIGHTY and added.get(problem.line, b"").strip() not in gone:
                    found += 1
                    if show:
                        print(
                            f"  {problem.severity} {problem.rule} {commit[:10]} {path}:{problem.line}: {(problem.evidence or '')[:150]}{problem.message[-60:] if 'removed' in problem.rule else ''}"
                        )
    return len(commits), lines, found, spent


def main() -> None:
    parser = clones_parser(__doc__)
    parser.add_argument("--commits", type=int, default=100)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    totals = [0, 0, 0, 0.0]
    print("| repository | commits | added lines | findings | a thousand lines |")
    print("|---|---|---|---|---|")
    for repo in arguments.clones:
        row = study(repo, arguments.commits, show=arguments.list)
        totals = [total + value for total, value in zip(totals, row, strict=True)]
        name = repo.parent.name if repo.name == "repo" else repo.name
        print(
            f"| {name.replace('+', '/')} | {row[0]} | {row[1]:,} | {row[2]} | {row[2] / max(row[1], 1) * 1000:.2f} |",
            flush=True,
        )
    commits, lines, found, spent = totals
    print(f"| all | {commits:,} | {lines:,} | {found} | {found / max(lines, 1) * 1000:.2f} |")
    print(f"\nThe rules took {spent:.1f} s for these lines.")


if __name__ == "__main__":
    main()
