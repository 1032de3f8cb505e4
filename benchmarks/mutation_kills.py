"""Kills runs of the tests and mutation checks at random instants; the user's tree must stay as it is, byte for byte.

    python -m benchmarks.mutation_kills [--language python|go|rust|node] [--kills 50] [--seed 1] [--tools FOLDER]

Each run is a process group of its own, ended by SIGKILL (every third by SIGTERM) between its start and the time that a whole run takes.
Afterwards no process that knows the project or its private folders may be left, and none of our own temporary folders.
Exits with 1 where anything is. What the killed test tools left in the temporary folder is counted. `--tools` is a folder whose node_modules holds vitest, for node.
"""

import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE_S = 20.0

PROJECTS: dict[str, dict[str, str]] = {
    "python": {
        "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
        "sample.py": "def least(a, b):\n    return a\n",
        "tests/test_sample.py": "import time\nfrom sample import least\n\n\ndef test_least():\n    time.sleep(0.2)\n    assert least(1, 2) == 1\n",
    },
    "go": {
        "go.mod": "module example.test/sample\n\ngo 1.21\n",
        "sample.go": "package sample\n\nfunc Least(a, b int) int {\n\treturn a\n}\n",
        "sample_test.go": 'package sample\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestLeast(t *testing.T) {\n\ttime.Sleep(200 * time.Millisecond)\n'
        "\tif Least(1, 2) != 1 {\n\t\tt.Fatal()\n\t}\n}\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "sample"\nversion = "0.1.0"\nedition = "2021"\n',
        "Cargo.lock": 'version = 4\n\n[[package]]\nname = "sample"\nversion = "0.1.0"\n',
        "src/lib.rs": "pub fn least(a: i32, _b: i32) -> i32 {\n    a\n}\n",
        "tests/sample.rs": "#[test]\nfn least() {\n    std::thread::sleep(std::time::Duration::from_millis(200));\n    assert_eq!(sample::least(1, 2), 1);\n}\n",
    },
    "node": {
        "package.json": '{"name": "sample", "version": "1.0.0", "type": "module", "scripts": {"test": "vitest run"}}\n',
        "sample.js": "export function least(a, b) {\n  return a\n}\n",
        "sample.test.js": "import { expect, test } from 'vitest'\nimport { least } from './sample.js'\n\ntest('least', async () => {\n"
        "  await new Promise((done) => setTimeout(done, 200))\n  expect(least(1, 2)).toBe(1)\n})\n",
    },
}
CHANGES = {
    "python": (
        "sample.py",
        "FAR = len('1234') * 250\n\n\ndef least(a, b):\n    if a > b:\n        return b\n    while a < b - FAR:\n        a += 1\n    return a\n",
    ),
    "go": (
        "sample.go",
        "package sample\n\nfunc Least(a, b int) int {\n\tif a > b {\n\t\treturn b\n\t}\n\tfor a < b-1000 {\n\t\ta += 1\n\t}\n\treturn a\n}\n",
    ),
    "rust": (
        "src/lib.rs",
        "pub fn least(a: i32, b: i32) -> i32 {\n    let mut a = a;\n    if a > b {\n        return b;\n    }\n    while a < b - 1000 {\n        a += 1;\n    }\n    a\n}\n",
    ),
    "node": (
        "sample.js",
        "export function least(a, b) {\n  if (a > b) {\n    return b\n  }\n  let spare = 0\n  while (spare < b) {\n    spare += 1\n  }\n  return a\n}\n",
    ),
}


def lay_out(language: str, place: Path, tools: Path | None) -> None:
    """Make a repository with the project committed and the change on disk."""
    for name, text in PROJECTS[language].items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text)
    (place / ".gitignore").write_text("node_modules\n.venv\n")
    if tools is not None:
        (place / "node_modules").symlink_to((tools / "node_modules").resolve())
    author = ("-c", "user.name=A", "-c", "user.email=a@example.test")
    for arguments in (("init", "-q"), ("add", "-A"), (*author, "commit", "-q", "-m", "Before")):
        subprocess.run(["git", *arguments], cwd=place, check=True)
    name, text = CHANGES[language]
    (place / name).write_text(text)


def picture(place: Path) -> dict[str, str]:
    """Every file of the tree with its mode, its time and a digest of its bytes; of a link, where it leads."""
    found = {}
    for path in sorted(place.rglob("*")):
        if path.is_symlink():
            found[str(path)] = str(path.readlink())
        elif path.is_file():
            about = path.stat()
            found[str(path)] = f"{about.st_mode} {about.st_mtime_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}"
    return found


def left_running(mark: str) -> list[str]:
    """Processes whose arguments, folder or environment know the mark, zombies and ourselves left out."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        if folder.name == str(os.getpid()):
            continue
        try:
            texts = [(folder / name).read_bytes() for name in ("cmdline", "environ")]
            texts.append(os.fsencode((folder / "cwd").readlink()))
            alive = (folder / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            continue
        if alive and any(mark.encode() in text for text in texts):
            found.append(f"{folder.name} {texts[0].replace(bytes(1), b' ').decode(errors='replace')[:160]}")
    return found


def start(place: Path, home: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "TMPDIR": str(home / "tmp"), "XDG_CACHE_HOME": str(home / "cache")}
    environment["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])
    return subprocess.Popen(
        [sys.executable, "-m", "verify_lsp", "run", "--checks", "tests,mutation"],
        cwd=place,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def gone(mark: str) -> list[str]:
    ends = time.monotonic() + PATIENCE_S
    while (left := left_running(mark)) and time.monotonic() < ends:
        time.sleep(0.1)
    return left


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", choices=sorted(PROJECTS), default="python")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tools", type=Path)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    home = Path(tempfile.mkdtemp(prefix="kills-"))
    place = home / "project"
    (home / "tmp").mkdir()
    lay_out(given.language, place, given.tools)
    for _ in range(2):
        # The first fills caches, such as built dependencies; the second tells how long a run takes.
        begun = time.monotonic()
        printed, _ = start(place, home).communicate()
        whole_s = time.monotonic() - begun
    print(printed.decode(errors="replace"))
    shutil.rmtree(home / "cache" / "verify-lsp" / "workspaces", ignore_errors=True)
    before, bad, ended = picture(place), 0, 0
    for number in range(given.kills):
        run = start(place, home)
        try:
            run.communicate(timeout=chance.uniform(0.05, whole_s))
            ended += 1
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGTERM if number % 3 == 2 else signal.SIGKILL)
            now = picture(place)
            run.communicate()
            if now != before:
                bad += 1
                print(f"{number}: the tree differs at once")
        left = gone(str(home))
        kept = [path.name for path in (home / "tmp").iterdir() if path.name.startswith("verify-lsp")]
        if picture(place) != before or left or kept:
            bad += 1
            print(f"{number}: tree {'same' if picture(place) == before else 'DIFFERS'}, left {left}, files {kept}")
    tools = len(list((home / "tmp").iterdir()))
    print(
        f"{given.language}: {given.kills} runs of {whole_s:.1f} s, {ended} ended before their kill, {bad} bad; "
        f"tools left {tools} files of theirs"
    )
    shutil.rmtree(home, ignore_errors=True)
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
