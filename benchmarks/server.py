"""The language server's figures, each beside an empty pygls server measured in the same run.

    python benchmarks/server.py [--rounds N] [--repository DIR]

Prints one JSON document: start to the `initialize` answer (median milliseconds, and their ratio), idle
memory, and how long a client waits for an answer while a run is going on.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.harness.lsp_client import SERVER, LspClient  # noqa: E402  # The path must be known first.

EMPTY = (
    sys.executable,
    "-c",
    "from pygls.lsp.server import LanguageServer; LanguageServer('empty', '1').start_io()",
)
START_BOUND = 1.5
WAIT_BOUND_MS = 100.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--repository", type=Path, help="a git repository with changes to verify; default: a made one")
    arguments = parser.parse_args()
    figures = {"start": start_figures(arguments.rounds)}
    with tempfile.TemporaryDirectory() as scratch:
        figures["during_a_run"] = run_figures(arguments.repository or changed_repository(Path(scratch)), Path(scratch))
    figures["within_bounds"] = (
        figures["start"]["ratio"] <= START_BOUND and figures["during_a_run"]["longest_ms"] <= WAIT_BOUND_MS
    )
    print(json.dumps(figures, indent=2))
    return 0 if figures["within_bounds"] else 1


def start_figures(rounds: int) -> dict[str, Any]:
    """Start both servers by turns, so that the machine's mood meets both."""
    empty, ours, memory = [], [], {"empty": 0, "ours": 0}
    for _ in range(rounds):
        for name, argv, times in (("empty", EMPTY, empty), ("ours", SERVER, ours)):
            milliseconds, kibibytes = time_to_initialize(argv)
            times.append(milliseconds)
            memory[name] = max(memory[name], kibibytes)
    figures = {"empty_ms": round(statistics.median(empty), 1), "ours_ms": round(statistics.median(ours), 1)}
    return {**figures, "ratio": round(statistics.median(ours) / statistics.median(empty), 3), "memory_kib": memory}


def time_to_initialize(argv: tuple[str, ...]) -> tuple[float, int]:
    started = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()
    process.stdout.readline()
    milliseconds = (time.perf_counter() - started) * 1000
    kibibytes = resident_kib(process.pid)
    process.kill()
    process.communicate()
    return milliseconds, kibibytes


def resident_kib(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


def run_figures(repository: Path, scratch: Path) -> dict[str, Any]:
    """Edit, pull and list for as long as a run goes on; the longest wait is what the run cost others.

    The same is done for a second without a run: what that shows is the machine's doing, not ours.
    """
    client = LspClient(env={"VERIFY_LSP_HOME": str(scratch / "home")})
    try:
        client.initialize(repository, options={"trusted": True}, capabilities={"textDocument": {"diagnostic": {}}})
        uri = client.open(next(repository.rglob("*.py")), "x = 1\n")
        client.request("verify/list", {"limit": 1})  # The worker that answers it is there from now on.
        end_of_idling = time.perf_counter() + 1
        idle = waits(client, uri, lambda: time.perf_counter() > end_of_idling)
        started = time.perf_counter()
        report_id = client.request("verify/run", {"scope": {"kind": "working-tree"}})["reportId"]
        answered = time.perf_counter()
        ended = threading.Event()
        threading.Thread(target=wait_for_end, args=(client, report_id, ended), daemon=True).start()
        during = waits(client, uri, ended.is_set)
        seconds = time.perf_counter() - started
        report = client.request("verify/get", {"reportId": report_id})
        client.leave()
    finally:
        client.close()
    return {
        "status": report["status"],
        "files": len(report["files"]),
        "report_mib": round(len(json.dumps(report)) / 2**20, 1),
        "seconds": round(seconds, 2),
        "run_answered_ms": round((answered - started) * 1000, 1),
        "idle": idle,
        **during,
    }


def waits(client: LspClient, uri: str, ended: Callable[[], bool]) -> dict[str, Any]:
    """Ask small things until `ended`, and return how long the answers took."""
    taken: list[float] = []
    while not ended() or not taken:
        asked = time.perf_counter()
        client.change(uri, len(taken) + 2, {"text": f"x = {len(taken)}\n"})
        client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        client.request("verify/list", {"limit": 1})
        taken.append((time.perf_counter() - asked) * 1000)
    taken.sort()
    return {
        "requests": 2 * len(taken),
        "median_ms": round(statistics.median(taken), 2),
        "p99_ms": round(taken[int(len(taken) * 0.99)], 2),
        "longest_ms": round(taken[-1], 2),
    }


def wait_for_end(client: LspClient, report_id: str, ended: threading.Event) -> None:
    client.wait_for("verify/event", lambda p: p["reportId"] == report_id and p["event"]["type"] in {"done", "error"})
    ended.set()


def changed_repository(folder: Path, files: int = 40, lines: int = 200) -> Path:
    """Return a repository with as many changed files as an agent's long turn leaves."""
    repository = folder / "repository"
    repository.mkdir()
    git = ["git", "-C", str(repository), "-c", "user.name=a", "-c", "user.email=a@example.invalid"]
    for number in range(files):
        body = "".join(f"value_{line} = {line}\n" for line in range(lines))
        (repository / f"module_{number}.py").write_text(body, encoding="utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "before"]):
        subprocess.run([*git, *words], check=True)
    for number in range(files):
        body = "".join(f"value_{line} = {line + 1}\n" for line in range(lines))
        (repository / f"module_{number}.py").write_text(body, encoding="utf-8")
    return repository


if __name__ == "__main__":
    raise SystemExit(main())
