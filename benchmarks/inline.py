"""From a save to its published diagnostics, beside an empty pygls server that publishes one fixed diagnostic.

    python benchmarks/inline.py [--saves N] [--memory-saves N]

A 1,000-line Python file and a 300-line JSON file, changed by one character and saved, 200 times each; the servers take
turns save by save, so that the machine's mood meets all of them. ruff's server, where it is installed, is shown beside.
Then 10,000 saves of both files, with the memory of our process before, in the middle and after.
Prints one JSON document, and exits with 1 when a bound is not kept.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import attrs

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.harness.lsp_client import SERVER, LspClient  # noqa: E402  # The path must be known first.

EMPTY_SERVER = """
from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
server = LanguageServer("empty", "1")
place = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 1))

@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def saved(params):
    document = server.workspace.get_text_document(params.text_document.uri)
    server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(
        uri=document.uri, version=document.version, diagnostics=[lsp.Diagnostic(range=place, message="fixed")]))

@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def opened(params):
    saved(params)

server.start_io()
"""
RATIO_BOUND = 2.0
GROWTH_BOUND_KIB = 8 * 1024
PYTHON_UNIT = (
    'def part_{0}(first, second):\n    """Add both."""\n    total = first + second * {0}\n    return [total, "{0}"]\n\n'
)


@attrs.frozen
class Subject:
    """A file, and the one character that each save changes: line and column."""

    name: str
    language: str
    text: str
    place: tuple[int, int]


SUBJECTS = (
    Subject("python.py", "python", "".join(PYTHON_UNIT.format(n) for n in range(200)), (3, 20)),
    Subject(
        "data.json",
        "json",
        "{\n" + ",\n".join(f'  "key{n}": [1, 2, {n}, "value {n}"]' for n in range(298)) + "\n}\n",
        (1, 11),
    ),
)


class Saver:
    """One server with one document open."""

    def __init__(self, argv: tuple[str, ...], folder: Path, subject: Subject) -> None:
        self.subject, self.version = subject, 1
        self.client = LspClient(argv)
        self.client.initialize(folder)
        path = folder / subject.name
        path.write_text(subject.text)
        self.uri = self.client.open(path, subject.text, language=subject.language)
        self.published()

    def save(self) -> float:
        """Change, save, and return the milliseconds until the diagnostics of this version are there."""
        self.version += 1
        line, column = self.subject.place
        place = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}
        change = {"range": place, "text": str(self.version % 10)}
        document = {"uri": self.uri, "version": self.version}
        messages = [
            ("textDocument/didChange", {"textDocument": document, "contentChanges": [change]}),
            ("textDocument/didSave", {"textDocument": {"uri": self.uri}}),
        ]
        started = time.perf_counter()
        self.client.send(*({"jsonrpc": "2.0", "method": method, "params": params} for method, params in messages))
        self.published()
        return (time.perf_counter() - started) * 1000

    def published(self) -> None:
        version = self.version
        self.client.wait_for(
            "textDocument/publishDiagnostics", lambda p: p["uri"] == self.uri and p.get("version") == version
        )

    def close(self) -> None:
        self.client.request("shutdown")
        self.client.notify("exit")
        self.client.process.wait(10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--saves", type=int, default=200)
    parser.add_argument("--memory-saves", type=int, default=10_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        os.environ["VERIFY_LSP_HOME"] = str(folder / "home")
        workspace = folder / "workspace"
        workspace.mkdir()
        subprocess.run(["git", "init", "--quiet", str(workspace)], check=True)
        figures: dict[str, Any] = {
            subject.name: save_figures(workspace, subject, arguments.saves) for subject in SUBJECTS
        }
        figures["memory"] = memory_figures(workspace, arguments.memory_saves)
    figures["within_bounds"] = (
        all(figures[subject.name]["p95_ratio"] <= RATIO_BOUND for subject in SUBJECTS)
        and figures["memory"]["growth_kib"] <= GROWTH_BOUND_KIB
    )
    print(json.dumps(figures, indent=2))
    return 0 if figures["within_bounds"] else 1


def save_figures(workspace: Path, subject: Subject, saves: int) -> dict[str, Any]:
    servers: dict[str, tuple[str, ...]] = {"empty": (sys.executable, "-c", EMPTY_SERVER), "ours": SERVER}
    ruff = shutil.which("ruff", path=str(Path(sys.executable).parent)) or shutil.which("ruff")
    if ruff is not None and subject.language == "python":
        servers["ruff"] = (ruff, "server")
    savers = {name: Saver(argv, workspace, subject) for name, argv in servers.items()}
    times: dict[str, list[float]] = {name: [] for name in savers}
    for _ in range(saves):
        for name, saver in savers.items():
            times[name].append(saver.save())
            time.sleep(0.02)  # People do not save without a pause; what a save set off may go on in it.
    for saver in savers.values():
        saver.close()
    shown = {
        name: {"median_ms": round(statistics.median(each), 2), "p95_ms": round(_p95(each), 2)}
        for name, each in times.items()
    }
    return {**shown, "p95_ratio": round(_p95(times["ours"]) / _p95(times["empty"]), 2)}


def _p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def memory_figures(workspace: Path, saves: int) -> dict[str, Any]:
    """Save both files by turns, and return the resident memory of the server's process on the way."""
    savers = [Saver(SERVER, workspace, SUBJECTS[0])]
    first = savers[0]
    second = SUBJECTS[1]
    path = workspace / second.name
    path.write_text(second.text)
    other = Saver.__new__(Saver)
    other.subject, other.version, other.client = second, 1, first.client
    other.uri = first.client.open(path, second.text, language=second.language)
    other.published()
    taken = []
    for number in range(saves):
        (first if number % 2 else other).save()
        if number in {saves // 10, saves // 2, saves - 1}:
            taken.append(_resident_kib(first.client.process.pid))
    first.close()
    return {"saves": saves, "kib": taken, "growth_kib": taken[-1] - taken[0]}


def _resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


if __name__ == "__main__":
    raise SystemExit(main())
