"""Precision and recall of the security rules on the labelled corpus: `python -m benchmarks.accuracy`.

    python -m benchmarks.accuracy [--misses] [--beside TOOL=PROGRAM …]

A bad text counts as found when a finding of medium severity or more is raised in it, and a fine text as wrong when one
is. Other scanners (gitleaks, bandit, detect-secrets) are run over the same files, with any finding of theirs.
"""

import argparse
import json
import math
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from benchmarks.accuracy.corpus import Entry, entries
from verify_lsp.security.scan import scan_text

WEIGHTY = {"critical", "high", "medium"}
COVERS = {
    "gitleaks": ("secrets",),
    "detect-secrets": ("secrets",),
    "bandit": ("python_crypto", "python_injection"),
}


def flagged_by_us(each: Entry) -> bool:
    return any(problem.severity in WEIGHTY for problem in scan_text(each.path, each.text, each.lines, each.removed))


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share; wide where little was seen."""
    if not total:
        return 0.0, 1.0
    z, share = 1.96, hits / total
    middle = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (middle - spread) / (1 + z * z / total), (middle + spread) / (1 + z * z / total)


def shown(hits: int, total: int) -> str:
    low, high = wilson(hits, total)
    return f"{hits}/{total} ({low * 100:.0f}–{high * 100:.0f} %)" if total else "–"


def row(name: str, chosen: Iterable[Entry], flagged: set[tuple[str, int]]) -> str:
    chosen = list(chosen)
    bad = [each for each in chosen if each.bad]
    hits = sum((each.family, each.number) in flagged for each in bad)
    wrong = sum((each.family, each.number) in flagged for each in chosen if not each.bad)
    return f"| {name} | {len(bad)} | {len(chosen) - len(bad)} | {shown(hits, hits + wrong)} | {shown(hits, len(bad))} |"


def written_out(folder: Path, every: list[Entry]) -> dict[str, Entry]:
    """Each text in a folder of its own, under its own name."""
    places = {}
    for each in every:
        place = folder / f"{each.family}-{each.number}" / each.path.replace("tests/", "t/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(each.text.encode("utf-8", "surrogatepass"))
        places[place.relative_to(folder).parts[0]] = each
    return places


def flagged_by(tool: str, program: str, folder: Path) -> set[str]:
    """The folders in which another scanner found something."""
    if tool == "gitleaks":
        out = folder.parent / "gitleaks.json"
        subprocess.run(
            [program, "dir", str(folder), "-f", "json", "-r", str(out), "--exit-code", "0"],
            check=True,
            capture_output=True,
        )
        files = [each["File"] for each in json.loads(out.read_text())]
    elif tool == "bandit":
        done = subprocess.run(
            [program, "-q", "-r", str(folder), "-f", "json"], check=False, capture_output=True, text=True
        )
        files = [each["filename"] for each in json.loads(done.stdout)["results"] if each["issue_severity"] != "LOW"]
    else:
        done = subprocess.run(
            [program, "scan", "--all-files", "."], check=True, capture_output=True, text=True, cwd=folder
        )
        files = [str(folder / name) for name in json.loads(done.stdout)["results"]]
    return {Path(file).relative_to(folder).parts[0] for file in files}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true", help="name what was missed and what was wrong")
    parser.add_argument("--beside", action="append", default=[], metavar="TOOL=PROGRAM")
    arguments = parser.parse_args()
    every = entries()
    flagged = {(each.family, each.number) for each in every if flagged_by_us(each)}
    print("| family | bad | fine | precision | recall |")
    print("|---|---|---|---|---|")
    for family in sorted({each.family for each in every}):
        print(row(family, (each for each in every if each.family == family), flagged))
    print(row("all", every, flagged))
    if arguments.misses:
        for each in every:
            if ((each.family, each.number) in flagged) != each.bad:
                print(
                    "missed" if each.bad else "WRONG",
                    each.family,
                    each.number,
                    each.path,
                    scan_text(each.path, each.text)[:2],
                )
    if arguments.beside:
        beside(arguments.beside, every, flagged)


def beside(tools: list[str], every: list[Entry], flagged: set[tuple[str, int]]) -> None:
    print("\n| scanner, on what it covers | bad | fine | precision | recall |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent).resolve() / "corpus"
        places = written_out(folder, every)
        for named in tools:
            tool, _, program = named.partition("=")
            theirs = {(places[name].family, places[name].number) for name in flagged_by(tool, program or tool, folder)}
            covered = [each for each in every if each.family in COVERS[tool]]
            print(row(tool, covered, theirs))
            print(row(f"verify-lsp, on the same ({', '.join(COVERS[tool])})", covered, flagged))


if __name__ == "__main__":
    main()
