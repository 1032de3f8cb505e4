"""This repository is scanned by its own rules: they are data that shows dangers, and hold none."""

import subprocess
from pathlib import Path

from verify_lsp.security.examine import examine

ROOT = Path(__file__).parents[2]


def test_no_file_of_this_repository_breaks_a_rule():
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    found, looked = [], 0
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if (
            not name
            or name.startswith("fixtures/")
            or not path.is_file()
            or b"\0" in (data := path.read_bytes())[:8000]
        ):
            continue
        looked += 1
        problems = examine(name, data.decode("utf-8", "replace")).problems
        found += [(name, each.line, each.rule) for each in problems if each.severity in {"critical", "high", "medium"}]

    assert looked > 200
    assert found == []
