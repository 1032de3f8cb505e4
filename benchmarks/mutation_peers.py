"""From command to score beside tools that are made for mutation testing, on the same added lines of a Python project.

    python -m benchmarks.mutation_peers [--runs 3] [--python PATH] PROJECT FILE FUNCTION...

In a copy of PROJECT the functions (or Class.method) are taken out of FILE and committed so; putting them back is the change. Each
tool gets a copy of its own, and is asked for just these lines: verify-lsp and irradiate by the diff, cosmic-ray by its filter for
git, mutmut by the functions' names. Peers are run where the environment of PATH has them. The projects that the figures in
docs/mutation.md were taken on are named there.
"""

import argparse
import ast
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import attrs

LIMIT_S = 1800.0


@attrs.frozen
class Task:
    """A copy of the project with the change in it, laid out anew for each run."""

    place: Path
    file: str
    functions: tuple[str, ...]
    python: Path

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").removeprefix("src/").replace("/", ".")


def lines_of(text: str, names: list[str]) -> set[int]:
    """Return the lines (1-based) that functions take, decorators included."""
    found: set[int] = set()

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.FunctionDef) and f"{prefix}{node.name}" in names:
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                found.update(range(first, (node.end_lineno or node.lineno) + 1))

    visit(ast.parse(text).body, "")
    if not found:
        raise SystemExit(f"none of {', '.join(names)} is a function there")
    return found


def laid_out(root: Path, place: Path, file: str, functions: list[str]) -> None:
    shutil.copytree(
        root, place, symlinks=True, ignore=shutil.ignore_patterns(".git", "__pycache__", ".venv", "mutants")
    )
    text = (place / file).read_text(encoding="utf-8")
    gone = lines_of(text, functions)
    rows = text.split("\n")
    kept = [row for number, row in enumerate(rows, 1) if number not in gone]
    (place / file).write_text("\n".join(kept), encoding="utf-8")
    author = ("-c", "user.name=A", "-c", "user.email=a@example.test")
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), (*author, "commit", "-q", "-m", "Before")):
        subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True)
    (place / file).write_text(text, encoding="utf-8")


def run(arguments: list[str], task: Task) -> tuple[float, str]:
    begun = time.monotonic()
    path = os.pathsep.join([str(task.python.parent), os.environ["PATH"]])
    sources = f"{task.place}/src{os.pathsep}{task.place}"
    environment = {**os.environ, "PATH": path, "CI": "1", "VIRTUAL_ENV": str(task.python.parent.parent)}
    if arguments[0] != sys.executable:
        environment["PYTHONPATH"] = sources
    done = subprocess.run(
        arguments, cwd=task.place, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    return time.monotonic() - begun, done.stdout + done.stderr


def tests_alone(task: Task) -> tuple[float, str]:
    took, printed = run([str(task.python), "-m", "pytest", "-q", "-p", "no:cacheprovider"], task)
    return took, printed.strip().splitlines()[-1]


def ours(task: Task) -> tuple[float, str]:
    (task.place / ".venv").symlink_to(task.python.parent.parent)
    home = tempfile.mkdtemp(prefix="peers-")
    environment = {"XDG_CACHE_HOME": home, "PYTHONPATH": str(Path(__file__).resolve().parents[1])}
    before = {name: os.environ.get(name) for name in environment}
    os.environ.update(environment)
    try:
        took, printed = run([sys.executable, "-m", "verify_lsp", "run", "--checks", "mutation"], task)
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        shutil.rmtree(home, ignore_errors=True)
    said = re.search(r"the tests notice [^\n]*", printed)
    return took, said[0] if said else printed[-300:]


def irradiate(task: Task) -> tuple[float, str]:
    tool = str(task.python.with_name("irradiate"))
    source = "src" if task.file.startswith("src/") else task.file.split("/")[0]
    took, printed = run([tool, "run", source, "--diff", "HEAD", "--no-cache"], task)
    return took, " ".join(printed.split())[-200:]


def mutmut(task: Task) -> tuple[float, str]:
    settings = task.place / "setup.cfg"
    before = settings.read_text() if settings.is_file() else ""
    settings.write_text(
        f"{before}\n[mutmut]\nsource_paths={task.file}\nalso_copy=\n    src\n    tests\n    pyproject.toml\n"
    )
    names = [f"{task.module}.*{name.split('.')[-1]}__mutmut_*" for name in task.functions]
    took, printed = run([str(task.python.with_name("mutmut")), "run", *names], task)
    return took, " ".join(printed.split())[-200:]


def cosmic_ray(task: Task) -> tuple[float, str]:
    tool = task.python.with_name("cosmic-ray")
    (task.place / "cr.toml").write_text(
        f'[cosmic-ray]\nmodule-path = "{task.file}"\ntimeout = 60.0\nexcluded-modules = []\n'
        f'test-command = "{task.python} -m pytest -x -q -p no:cacheprovider"\n[cosmic-ray.distributor]\nname = "local"\n'
        '[cosmic-ray.filters.git-filter]\nbranch = "HEAD"\n'
    )
    first, _ = run([str(tool), "init", "cr.toml", "cr.sqlite"], task)
    second, _ = run([str(tool.with_name("cr-filter-git")), "--config", "cr.toml", "cr.sqlite"], task)
    third, printed = run([str(tool), "exec", "cr.toml", "cr.sqlite"], task)
    _, told = run([str(tool.with_name("cr-report")), "cr.sqlite"], task)
    return first + second + third, " ".join((told or printed).split())[-160:]


PEERS: dict[str, Callable[[Task], tuple[float, str]]] = {
    "the tests alone": tests_alone,
    "verify-lsp": ours,
    "mutmut": mutmut,
    "irradiate": irradiate,
    "cosmic-ray": cosmic_ray,
}
SIGNS = {
    "the tests alone": r"\d passed",
    "verify-lsp": "the tests notice",
    "mutmut": r"__mutmut_\d",
    "irradiate": "Trace written",
    "cosmic-ray": r"complete: \d",
}
"""What each says when it has done what it was asked for; some end with success where they could not."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--python", default="python3")
    parser.add_argument("--only", nargs="*", default=list(PEERS))
    parser.add_argument("project", type=Path)
    parser.add_argument("file")
    parser.add_argument("functions", nargs="+")
    given = parser.parse_args()
    python = Path(shutil.which(given.python) or given.python).absolute()
    took: dict[str, list[float]] = {}
    for number in range(given.runs):
        for name in given.only:
            if name == "cosmic-ray" and number:
                continue  # One run takes minutes.
            with tempfile.TemporaryDirectory() as folder:
                place = Path(folder) / given.project.resolve().name
                laid_out(given.project.resolve(), place, given.file, given.functions)
                seconds, said = PEERS[name](Task(place, given.file, tuple(given.functions), python))
            if not number:
                print(f"{name}: {seconds:.2f} s: {said}", flush=True)
            if re.search(SIGNS[name], said):
                took.setdefault(name, []).append(seconds)
    for name in given.only:
        if name not in took:
            print(f"{name}: does not run here")
            continue
        median = statistics.median(took[name])
        beside = (
            f", {median / statistics.median(took['verify-lsp']):.1f} times verify-lsp" if "verify-lsp" in took else ""
        )
        print(f"{name}: median {median:.2f} s of {len(took[name])}{beside}")


if __name__ == "__main__":
    main()
