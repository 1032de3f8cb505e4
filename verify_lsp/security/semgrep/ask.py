"""What to run, so that semgrep answers offline, of these files alone, and by our rules alone."""

import functools
import json
import shutil
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from verify_lsp.model.command import RESULTS, Command

_FILE = "rules.json"
_EXTENSIONS = frozenset((".py", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".go"))
_MEMORY_MB = "2000"
_FLAGS = (
    "scan",
    # The native programme: it answers in a fraction of the time of the other one.
    "--experimental",
    "--json",
    "--quiet",
    "--metrics=off",
    "--disable-version-check",
    "--no-git-ignore",
    # What is looked at is for us to say, not for a file of the repository.
    "--x-ignore-semgrepignore-files",
    "--disable-nosem",
    "--jobs=1",
    f"--max-memory={_MEMORY_MB}",
)
_OFFLINE = {"SEMGREP_ENABLE_VERSION_CHECK": "0", "SEMGREP_SEND_METRICS": "off", "SEMGREP_APP_TOKEN": ""}


def semgrep_program(search_path: str) -> str | None:
    """Return the absolute path of semgrep: on the user's PATH, or beside our own interpreter; None without one."""
    beside = str(Path(sys.executable).parent)
    return shutil.which("semgrep", path=search_path) or shutil.which("semgrep", path=beside)


def is_read(path: str) -> bool:
    """Return whether a rule is for a file of this name."""
    return Path(path).suffix.lower() in _EXTENSIONS


def semgrep_command(program: str, paths: Sequence[str], timeout_s: float) -> Command:
    """Return the command that holds files (relative to the place it runs in) against the packaged rules."""
    argv = (program, *_FLAGS, "--config", f"{RESULTS}/{_FILE}", *(f"./{path}" for path in paths))
    env = {**_OFFLINE, "HOME": RESULTS, "SEMGREP_SETTINGS_FILE": f"{RESULTS}/settings.yml"}
    return Command(argv, env=env, timeout_s=timeout_s, support={_FILE: json.dumps({"rules": packaged_rules()})})


@functools.cache
def packaged_rules() -> list[dict[str, Any]]:
    """Return the rules. They are written with anchors, which semgrep's own reader does not know."""
    import yaml  # type: ignore[import-untyped]  # The library brings no types.

    found: list[dict[str, Any]] = []
    for entry in sorted(
        files("verify_lsp.security.semgrep").joinpath("packaged").iterdir(), key=lambda each: each.name
    ):
        if entry.name.endswith(".yaml"):
            found += yaml.safe_load(entry.read_text(encoding="utf-8"))["rules"]
    return found
