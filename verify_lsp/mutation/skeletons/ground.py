"""What stands around a mutant: its project, what runs the tests there, and the files of its language."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from posixpath import splitext

from verify_lsp.model.errors import EngineError
from verify_lsp.mutation.skeletons.base import Ground
from verify_lsp.system.files import read_text_if_there
from verify_lsp.toolchains.base import Absent, Project, Toolchain

_MOST_FILES = 20_000
_SECONDS = 300.0


def ground_of(workspace: Path, path: str, texts: Mapping[str, str]) -> Ground | None:
    """Return the ground around a file; None where no project of its language holds it.

    Args:
        path: The mutant's file, relative to the workspace.
        texts: Open documents that count in the place of what is on disk, by path relative to the workspace.
    """
    from verify_lsp.toolchains.registry import TOOLCHAINS

    extension = splitext(path)[1].lower()
    toolchain = next((each for each in TOOLCHAINS if extension in each.extensions), None)
    root = None if toolchain is None else toolchain.tools.root_of(workspace, path)
    if toolchain is None or root is None:
        return None

    def read(file: str) -> str | None:
        if file in texts:
            return texts[file]
        try:
            return read_text_if_there(workspace / file)
        except EngineError:
            return None

    return Ground(root, _runner(toolchain, workspace, root, path), tuple(_files(toolchain, workspace, root)), read)


def _runner(toolchain: Toolchain, workspace: Path, root: str, path: str) -> str | None:
    from verify_lsp.system.dirs import cache_dir
    from verify_lsp.system.environment import search_path

    inside = path if root == "." else path.removeprefix(root + "/")
    project = Project(workspace, workspace, root, (inside,), search_path(), cache_dir())
    step = toolchain.tools.tests(project, _SECONDS)
    return None if isinstance(step, Absent) else step.tool


def _files(toolchain: Toolchain, workspace: Path, root: str) -> Iterator[str]:
    """Yield the files of the language, sorted, without entering heavy, hidden or linked folders."""
    found = 0
    for place, folders, names in os.walk(workspace / root):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in toolchain.heavy)
        folders[:] = [name for name in folders if not Path(place, name, "pyvenv.cfg").is_file()]
        for name in sorted(names):
            if splitext(name)[1].lower() in toolchain.extensions:
                found += 1
                if found > _MOST_FILES:
                    return
                yield Path(place, name).relative_to(workspace).as_posix()
