"""Keeping what was built of one copy of a workspace apart from what was built of another.

Cargo names what it builds of a workspace's own crates by their place within the workspace, so that two
copies of it in one target folder pass for the same, and the newer timestamp decides: tests of one would
run the code of the other. Dependencies from a registry are the same for all copies, and are shared.
"""

import hashlib
import os
import re
from pathlib import Path

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.rust.manifests import has_unlisted_crates


def is_copy(project: Project) -> bool:
    """Return whether commands run in a copy of the user's tree."""
    return project.place != project.workspace


def copy_key(project: Project) -> str:
    """Return a short name of the copy, the same as long as it stands."""
    return hashlib.sha256(os.fsencode(project.place.resolve())).hexdigest()[:12]


def copy_environment(project: Project) -> dict[str, str]:
    """Return the variables for cargo in a copy.

    Cargo caches what a "workspace wrapper" builds apart, by the wrapper's path; it does so for a workspace's own
    crates only. The wrapper here is `env`, which starts the compiler and adds nothing, by a path through the copy.
    Where a wrapper is already in use, or would not reach every crate, the copy gets a target folder of its own.
    """
    place = project.place.resolve()
    env = Path("/usr/bin/env")
    if not env.exists() or has_own_wrapper(project) or has_unlisted_crates(project.folder):
        return {"CARGO_TARGET_DIR": str(project.cache / f"target-{copy_key(project)}")}
    up = "/".join([".."] * (len(place.parts) - 1))
    # Nobody comes back to a copy for a second build: what makes that one quicker would only fill the disk.
    return {"RUSTC_WORKSPACE_WRAPPER": f"{place}/{up}{env}", "CARGO_INCREMENTAL": "0"}


def has_own_wrapper(project: Project) -> bool:
    """Return whether the user's settings have a workspace wrapper."""
    if any(os.environ.get(name) for name in ("RUSTC_WORKSPACE_WRAPPER", "CARGO_BUILD_RUSTC_WORKSPACE_WRAPPER")):
        return True
    return is_configured(project, r"rustc-workspace-wrapper\s*=")


def is_configured(project: Project, pattern: str) -> bool:
    """Return whether a pattern is found in one of cargo's settings files, the user's and those above the project."""
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    folders = (*(above / ".cargo" for above in (project.folder, *project.folder.parents)), home)
    files = (folder / name for folder in folders for name in ("config.toml", "config"))
    return any(re.search(pattern, _text(file)) for file in files)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
