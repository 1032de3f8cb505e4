"""Runs verify-lsp on real commits of a real repository, and the tools by hand beside it.

    python -m benchmarks.real_commits python /path/to/clone --commits 10

The clone is a throw-away: it is checked out at each commit in turn. Its environment (`.venv`, `node_modules`) must be
there. What the tools say by hand is read by the few lines below, which share nothing with the product's parsers. Each
row tells both counts; a row that differs is marked.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs

Counts = tuple[int | None, int | None, int | None]


@attrs.frozen
class ByHand:
    """How a language's tools are run by hand.

    Attributes:
        tests: Passed, failed and skipped tests.
        errors: Errors of the project check; None where there is none by hand.
        lint: Lint findings in the given files; None likewise.
    """

    pathspec: tuple[str, ...]
    tests: Callable[[Path], Counts]
    errors: Callable[[Path], int | None]
    lint: Callable[[Path, list[str]], int | None]


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    env = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {"CI": "1", "NO_COLOR": "1"}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=env, check=False, stdin=subprocess.DEVNULL
    )


def summed(pattern: str, text: str) -> int:
    return sum(int(number) for number in re.findall(pattern, text))


def python_tests(folder: Path) -> Counts:
    lines = run(folder, ".venv/bin/python", "-m", "pytest", "-p", "no:cacheprovider").stdout.strip().splitlines()
    last = lines[-1] if lines else ""
    failed = summed(r"(\d+) failed", last) + summed(r"(\d+) error", last)
    skipped = summed(r"(\d+) skipped", last) + summed(r"(\d+) xfailed", last)
    return summed(r"(\d+) passed", last) + summed(r"(\d+) xpassed", last), failed, skipped


def python_errors(folder: Path) -> int | None:
    if "[tool.mypy]" not in (folder / "pyproject.toml").read_text() or not (folder / ".venv/bin/mypy").exists():
        return None
    done = run(folder, ".venv/bin/mypy", "--no-error-summary", "--cache-dir", os.devnull)
    return len(re.findall(r"^[^\n]+:\d+: error:", done.stdout, re.MULTILINE))


def python_lint(folder: Path, files: list[str]) -> int | None:
    names = [name for name in files if name.endswith((".py", ".pyi"))]
    if "[tool.ruff" not in (folder / "pyproject.toml").read_text() or not names:
        return None
    ruff = folder / ".venv/bin/ruff"
    done = run(
        folder,
        str(ruff) if ruff.exists() else "ruff",
        "check",
        "--no-cache",
        "--force-exclude",
        "--output-format",
        "json",
        *names,
    )
    return len(json.loads(done.stdout or "[]"))


def node_tests(folder: Path) -> Counts:
    scripts = json.loads((folder / "package.json").read_text())
    if "mocha" in scripts["devDependencies"]:
        text = run(folder, "npx", "mocha").stdout
        return summed(r"(\d+) passing", text), summed(r"(\d+) failing", text), summed(r"(\d+) pending", text)
    typed = ["--typecheck"] if "--typecheck" in scripts["scripts"]["test"] else []
    text = next(
        (
            line
            for line in run(folder, "npx", "vitest", "run", *typed).stdout.splitlines()
            if line.strip().startswith("Tests ")
        ),
        "",
    )
    return summed(r"(\d+) passed", text), summed(r"(\d+) failed", text), summed(r"(\d+) (?:skipped|todo)", text)


def node_errors(folder: Path) -> int | None:
    if not (folder / "tsconfig.json").exists():
        return None
    return len(re.findall(r": error TS\d+:", run(folder, "npx", "tsc", "--noEmit", "--pretty", "false").stdout))


def node_lint(folder: Path, files: list[str]) -> int | None:
    names = [name for name in files if name.endswith((".ts", ".js", ".mjs", ".cjs"))]
    if not names or not (any(folder.glob("eslint.config.*")) or any(folder.glob(".eslintrc*"))):
        return None
    done = run(folder, "npx", "eslint", "--format", "json", "--no-error-on-unmatched-pattern", *names)
    try:
        messages = [message for file in json.loads(done.stdout) for message in file["messages"]]
    except ValueError:
        return None
    return len([message for message in messages if not message["message"].startswith("File ignored")])


def go_tests(folder: Path) -> Counts:
    """Every line of `go test -v` counts; a failed parent of a failed subtest says the same twice."""
    text = run(folder, "go", "test", "-v", "./...").stdout
    results = re.findall(r"^\s*--- (PASS|FAIL|SKIP): (\S+)", text, re.MULTILINE)
    failed = [name for result, name in results if result == "FAIL"]
    own = [name for name in failed if not any(other.startswith(name + "/") for other in failed)]
    unbuilt = len(re.findall(r"^FAIL\t\S+ \[(?:build|setup) failed\]$", text, re.MULTILINE))
    kinds = [result for result, _ in results]
    return kinds.count("PASS"), len(own) + unbuilt, kinds.count("SKIP")


def go_errors(folder: Path) -> int | None:
    return len(
        set(re.findall(r"^(?:vet: )?(\S+\.go:\d+:\d+): ", run(folder, "go", "vet", "./...").stderr, re.MULTILINE))
    )


def rust_tests(folder: Path) -> Counts:
    text = run(folder, "cargo", "test", "--workspace", "--no-fail-fast").stdout
    found = re.findall(r"^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored", text, re.MULTILINE)
    return tuple(sum(int(each[index]) for each in found) for index in range(3))  # type: ignore[return-value]


def rust_errors(folder: Path) -> int | None:
    text = run(folder, "cargo", "check", "--workspace", "--all-targets", "--message-format", "short").stderr
    return len(set(re.findall(r"^(\S+:\d+:\d+): error", text, re.MULTILINE)))


def rust_lint(folder: Path, files: list[str]) -> int | None:
    text = run(folder, "cargo", "clippy", "--workspace", "--all-targets", "--message-format", "short").stderr
    places = set(re.findall(r"^(\S+:\d+:\d+): (?:warning|error)", text, re.MULTILINE))
    return len([place for place in places if place.split(":")[0] in files])


LANGUAGES = {
    "python": ByHand(("*.py",), python_tests, python_errors, python_lint),
    "node": ByHand(("*.ts", "*.js", "*.mjs"), node_tests, node_errors, node_lint),
    "go": ByHand(("*.go",), go_tests, go_errors, lambda _folder, _files: None),
    "rust": ByHand(("*.rs",), rust_tests, rust_errors, rust_lint),
}


def commits_of(folder: Path, pathspec: tuple[str, ...], number: int) -> list[str]:
    log = run(
        folder,
        "git",
        "log",
        "--no-merges",
        "--first-parent",
        f"-n{number}",
        "--format=%H",
        "origin/HEAD",
        "--",
        *pathspec,
    )
    return log.stdout.split()


def verify(folder: Path, home: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "verify_lsp", "run", "--base", "HEAD~1", "--checks", "project-check,tests,lint"]
    done = subprocess.run(
        [*command, "--format", "json", "--workspace", str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "VERIFY_LSP_HOME": home},
    )
    if not done.stdout:
        raise SystemExit(f"verify-lsp: {done.stderr}")
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def row(folder: Path, commit: str, by_hand: ByHand, home: str) -> tuple[str, bool]:
    run(folder, "git", "checkout", "--quiet", "--force", commit)
    report = verify(folder, home)
    checks = {check["kind"]: check for check in report["checks"]}
    files = [file["path"] for file in report["files"] if file["change"] != "deleted"]
    metrics = checks["tests"]["metrics"]
    ours = tuple(metrics.get(name) for name in ("passed", "failed", "skipped"))
    theirs = by_hand.tests(folder)
    project = checks["project-check"]["metrics"]
    our_errors = (
        None
        if project.get("errors_touched") is None
        else project["errors_touched"] + (project["errors_elsewhere"] or 0)
    )
    their_errors = by_hand.errors(folder)
    lint = checks["lint"]["metrics"]
    our_lint = None if lint.get("findings") is None else lint["findings"] + lint["preexisting"]
    their_lint = by_hand.lint(folder, files)
    same = (
        ours == theirs
        and (their_errors is None or our_errors == their_errors)
        and (their_lint is None or our_lint == their_lint)
    )
    subject = run(folder, "git", "log", "-1", "--format=%s").stdout.strip()[:48].replace("|", "/")
    cells = [
        commit[:10],
        subject,
        report["status"],
        shown(ours),
        shown(theirs),
        f"{our_errors} / {their_errors}",
        f"{our_lint} / {their_lint}",
        "" if same else "**differs**",
    ]
    reasons = "; ".join(f"{kind}: {check['reason']}" for kind, check in checks.items() if check.get("reason"))
    return "| " + " | ".join(cells) + " | " + reasons[:160].replace("|", "/").replace("\n", " ") + " |", same


def shown(counts: tuple[int | None, ...]) -> str:
    return "/".join("?" if count is None else str(count) for count in counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("language", choices=LANGUAGES)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--commits", type=int, default=10)
    arguments = parser.parse_args()
    folder, by_hand = arguments.clone.resolve(), LANGUAGES[arguments.language]
    print(
        "| commit | subject | status | ours: passed/failed/skipped | by hand | errors ours / by hand | lint ours / by hand | | not verified |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as home:
        results = []
        for commit in commits_of(folder, by_hand.pathspec, arguments.commits):
            text, same = row(folder, commit, by_hand, home)
            results.append(same)
            print(text, flush=True)
    print(f"\n{sum(results)} of {len(results)} commits agree in every count.")


if __name__ == "__main__":
    main()
