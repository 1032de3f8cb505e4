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

import attrs

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
        figures["start"]["ratio"] <= START_BOUND
        and max(figures["during_a_run"][kind]["longest_ms"] for kind in ("pull", "list")) <= WAIT_BOUND_MS
    )
    print(json.dumps(figures, indent=2))
    return 0 if figures["within_bounds"] else 1


@attrs.frozen
class Start:
    """How one server came up: until its `initialize` answer, on the clock and on the processor."""

    wall_ms: float
    cpu_ms: float
    kib: int


def start_figures(rounds: int) -> dict[str, Any]:
    """Start both servers by turns, so that the machine's mood meets both."""
    starts: dict[str, list[Start]] = {"empty": [], "ours": []}
    for _ in range(rounds):
        for name, argv in (("empty", EMPTY), ("ours", SERVER)):
            starts[name].append(started(argv))

    def median(name: str, figure: str) -> float:
        figures: list[float] = [getattr(start, figure) for start in starts[name]]
        return statistics.median(figures)

    return {
        "empty_ms": round(median("empty", "wall_ms"), 1),
        "ours_ms": round(median("ours", "wall_ms"), 1),
        "ratio": round(median("ours", "wall_ms") / median("empty", "wall_ms"), 3),
        "cpu_ratio": round(median("ours", "cpu_ms") / median("empty", "cpu_ms"), 3),
        "memory_kib": {name: max(start.kib for start in starts[name]) for name in starts},
    }


def started(argv: tuple[str, ...]) -> Start:
    begun = time.perf_counter()
    process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    assert process.stdin is not None
    assert process.stdout is not None
    params: dict[str, Any] = {"processId": os.getpid(), "rootUri": None, "capabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
    process.stdin.flush()
    process.stdout.readline()
    wall_ms = (time.perf_counter() - begun) * 1000
    start = Start(wall_ms, processor_ms(process.pid), resident_kib(process.pid))
    process.kill()
    process.communicate()
    return start


def processor_ms(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 1.0
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


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
    pulls: list[float] = []
    lists: list[float] = []
    while not ended() or not pulls:
        client.change(uri, len(pulls) + 2, {"text": f"x = {len(pulls)}\n"})
        asked = time.perf_counter()
        client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})
        pulled = time.perf_counter()
        client.request("verify/list", {"limit": 1})
        pulls.append((pulled - asked) * 1000)
        lists.append((time.perf_counter() - pulled) * 1000)
    return {"pull": summary(pulls), "list": summary(lists)}


def summary(taken: list[float]) -> dict[str, Any]:
    """Return how long answers took, in milliseconds."""
    taken.sort()
    return {
        "requests": len(taken),
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
