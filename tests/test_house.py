"""What keeps the house in order: contracts, sizes, names, addresses."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "verify_lsp"
MODULES = sorted(PACKAGE.rglob("*.py"))
MODULE_LIMIT = 400


def tracked_files():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


def test_every_import_contract_is_kept():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout


def test_no_module_is_longer_than_its_limit():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in MODULES
        if (lines := len(path.read_text().splitlines())) > MODULE_LIMIT
    }

    assert long == {}


def test_a_package_door_holds_one_sentence_and_re_exports_nothing():
    doors = [path for path in MODULES if path.name == "__init__.py"]
    bodies = {
        str(path.relative_to(ROOT)): [type(node).__name__ for node in ast.parse(path.read_text()).body]
        for path in doors
    }
    wrong = {name: body for name, body in bodies.items() if body != ["Expr"] and name != "verify_lsp/__init__.py"}

    assert wrong == {}


def test_every_module_says_what_it_is():
    silent = [str(path.relative_to(ROOT)) for path in MODULES if ast.get_docstring(ast.parse(path.read_text())) is None]

    assert silent == []


def test_no_room_is_called_utils():
    names = {part for path in MODULES for part in path.relative_to(PACKAGE).with_suffix("").parts}

    assert names & {"utils", "util", "helpers", "common", "misc", "manager"} == set()


def test_what_is_possessive_in_a_pattern_is_one_character_or_an_atomic_group():
    """Python before 3.11.5 matches `(?:…)*+` wrongly where its inside can be matched in several ways, and `(?>(?:…)*)` rightly."""
    wrong = re.compile(r"(?<!\(|\\)\)(?:[*+?]|\{[0-9,]+\})\+")
    found = [
        f"{module.relative_to(ROOT)}:{node.lineno}"
        for module in MODULES
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and wrong.search(node.value)
    ]
    assert found == []


def test_except_exception_stands_at_the_doors_only():
    doors = {"checks/run.py", "server/guarded.py", "server/wire/listen.py", "cli/main.py", "verifiers/guarded.py"}
    broad = {str(path.relative_to(PACKAGE)) for path in MODULES if re.search(r"except Exception\b", path.read_text())}

    assert broad <= doors


def index_hosts():
    """The hosts of the package indexes that this machine's own clients are set up for, and pip's built-in ones."""
    from pip._internal.models.index import PyPI, TestPyPI

    texts = [PyPI.url, TestPyPI.url, PyPI.file_storage_domain]
    for command in (
        ["npm", "config", "get", "registry"],
        ["go", "env", "GOPROXY", "GOSUMDB"],
        ["cargo", "config", "get"],
    ):
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env={**os.environ, "RUSTC_BOOTSTRAP": "1"},
                timeout=60,
                check=False,
            )
        except FileNotFoundError:
            continue
        texts.append(done.stdout)
    return {
        host for text in texts for host in re.findall(r"(?:https?://|^|[\s,|])((?:[a-z0-9-]+\.)+[a-z]{2,})\b", text)
    }


def test_no_file_names_the_host_of_a_package_index():
    hosts = index_hosts()
    found = {
        (str(path.relative_to(ROOT)), host)
        for path in tracked_files()
        for host in hosts
        if host.encode() in path.read_bytes()
    }

    assert len(hosts) >= 2
    assert found == set()


def test_lock_files_hold_no_download_addresses():
    locks = [
        path
        for path in tracked_files()
        if path.name in {"package-lock.json", "run.txt", "dev.txt", "Cargo.lock", "go.sum"}
    ]
    addressed = [
        str(path.relative_to(ROOT))
        for path in locks
        if re.search(r'"resolved": "http|https?://[^"\s]+\.(?:tgz|whl|tar\.gz)', path.read_text())
    ]

    assert len(locks) >= 3
    assert addressed == []


@pytest.mark.parametrize("module", ["verify_lsp.cli.main", "verify_lsp.cli.arguments"])
def test_the_command_line_starts_without_anything_heavy(module):
    heavy = ["pygls", "lsprotocol", "cattrs", "unidiff", "anyio", "asyncio", "platformdirs", "filelock"]
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"
