"""Looks at ordinary commits with the integrity check: what does it say of changes that nobody has to be suspected of?

    python -m benchmarks.integrity_commits /path/to/clone [...] --commits 300 [--show medium]

Every commit that is no merge is held against its parent. The clone is only read: a bare one will do.
"""

import re
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

from benchmarks.clones import Blobs, clones_parser, git
from verify_lsp.integrity.elsewhere import own_name
from verify_lsp.integrity.examine import examine
from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.model.change import Change, ChangeKind, FileChange, Line
from verify_lsp.model.finding import Problem

KINDS: dict[str, ChangeKind] = {
    "A": "added",
    "M": "modified",
    "D": "deleted",
    "R": "renamed",
    "C": "copied",
    "T": "typechange",
}


def text_of(blobs: Blobs, name: str) -> str | None:
    content = blobs.content(name) if set(name) != {"0"} else None
    return None if content is None else content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")


def hunks(diff: bytes) -> tuple[list[Line], list[Line]]:
    added, removed = [], []
    old = new = 0
    for raw in diff.split(b"\n"):
        line = raw.decode("utf-8", "replace")
        if line.startswith("@@"):
            sides = line.split()
            old, new = (int(side[1:].split(",")[0]) for side in sides[1:3])
        elif line.startswith("+") and new:
            added.append(Line(new, line[1:].removesuffix("\r")))
            new += 1
        elif line.startswith("-") and old:
            removed.append(Line(old, line[1:].removesuffix("\r")))
            old += 1
    return added, removed


def change_of(clone: Path, commit: str, blobs: Blobs) -> Change:
    raw = (
        git(clone, "diff-tree", "-r", "-M", "-z", "--no-commit-id", commit)
        .decode("utf-8", "surrogateescape")
        .split("\0")
    )
    patch = git(clone, "diff-tree", "-r", "-M", "-p", "-U0", "--no-commit-id", "--no-textconv", commit)
    parts = [b"diff --git " + part for part in (b"\n" + patch).split(b"\ndiff --git ")[1:]]
    files: list[FileChange] = []
    index = 0
    while index < len(raw) - 1:
        _, _, old, new, status = raw[index][1:].split(" ")
        moved = status[0] in "RC"
        first, path = raw[index + 1], raw[index + 2 if moved else index + 1]
        index += 3 if moved else 2
        before, after = text_of(blobs, old), text_of(blobs, new)
        binary = (before is None and set(old) != {"0"}) or (after is None and set(new) != {"0"})
        part = parts[len(files)] if len(parts) > len(files) else b""
        added, removed = ([], []) if binary else hunks(part)
        files.append(
            FileChange(
                path,
                KINDS[status[0]],
                binary=binary,
                added_lines=tuple(added),
                removed_lines=tuple(removed),
                old_path=first if moved else None,
                before=before,
                after=after,
            )
        )
    return Change(tuple(sorted(files, key=lambda file: file.path)))


def stays(clone: Path, commit: str, path: str, name: str) -> bool:
    """Whether a test of that name is declared anywhere at a commit."""
    quoted = re.sub(r"([^\w\s-])", r"\\\1", own_name(path, name))
    is_function = Path(path).suffix in {".py", ".go", ".rs"}
    pattern = f"(def|func|fn) +(\\([^)]*\\) +)?{quoted} *[(<]" if is_function else f"[\"'`]{quoted}[\"'`]"
    command = ["git", "-C", str(clone), "grep", "-qE", "-e", pattern, commit, "--", f"*{Path(path).suffix}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def main() -> None:
    parser = clones_parser(__doc__.splitlines()[0])
    parser.add_argument("--commits", type=int, default=300)
    parser.add_argument("--show", default="medium", help="severities to print, separated by commas")
    arguments = parser.parse_args()
    wanted = set(arguments.show.split(","))
    print("| repository | commits | with test files | medium | low | info | not looked at | s |")
    print("|---|---|---|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for clone in arguments.clones:
        total.update(looked_at(clone, arguments.commits, wanted))
    print(row("all", total))


def looked_at(clone: Path, number: int, wanted: set[str]) -> Counter[str]:
    """Counts of one repository, printed with the findings."""
    blobs = Blobs(clone)
    began = time.monotonic()
    counts: Counter[str] = Counter()
    shown: list[str] = []
    for commit in git(clone, "log", "--no-merges", f"-n{number}", "--format=%H", "HEAD").decode().split():
        try:
            change = change_of(clone, commit, blobs)
        except subprocess.CalledProcessError:
            continue
        seen = examine(change, partial(stays, clone, commit))
        counts.update({"commits"} | {problem.severity for problem in seen.problems})
        counts["tests"] += any(is_test(file.path) for file in change.files)
        counts["gaps"] += bool(seen.gaps)
        told = [problem for problem in seen.problems if problem.severity in wanted]
        subject = git(clone, "log", "-1", "--format=%s", commit).decode().strip()[:70] if told else ""
        shown += [f"{clone.parent.name} {commit[:10]} {subject}\n{detail(problem)}" for problem in told]
    counts["seconds"] = round(time.monotonic() - began)
    print(row(clone.parent.name.replace("+", "/"), counts), flush=True)
    print("\n".join(shown), file=sys.stderr, flush=True)
    return counts


def detail(problem: Problem) -> str:
    return f"    {problem.severity} {problem.rule} {problem.path}:{problem.line}\n    {problem.message}\n    {problem.evidence}"


def row(name: str, counts: Counter[str]) -> str:
    cells = [name, *(str(counts[each]) for each in ("commits", "tests", "medium", "low", "info", "gaps", "seconds"))]
    return "| " + " | ".join(cells) + " |"


if __name__ == "__main__":
    main()
