"""gopls, the language server of Go."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, LanguageServer, Project
from verify_lsp.toolchains.go.module import go_environment, no_go
from verify_lsp.toolchains.go.settings import go_setting, gopath


def gopls(project: Project) -> LanguageServer | Absent:
    """Return gopls from the PATH, or from where `go install` puts programs."""
    if absent := no_go(project):
        return absent
    program = shutil.which("gopls", path=project.path) or shutil.which("gopls", path=_installed_to())
    if program is None:
        return Absent("gopls is not installed", needless=False)
    return LanguageServer(
        "gopls",
        Command((program,), project.root, go_environment(project)),
        {".go": "go"},
        # Without the pause for typing there is one answer for each version of a file.
        settings={"gopls": {"diagnosticsDelay": "0s"}},
        initialization_options={"diagnosticsDelay": "0s"},
        barrier=_diagnosed,
    )


def _diagnosed(path: str) -> tuple[str, list[object]]:
    """Gopls answers this command once it has diagnosed the file's package in full."""
    return "gopls.diagnose_files", [{"Files": [Path(path).as_uri()]}]


def _installed_to() -> str:
    return os.pathsep.join(str(folder) for folder in _folders())


def _folders() -> Iterator[Path]:
    if own := go_setting("GOBIN"):
        yield Path(own)
    yield gopath() / "bin"
    yield Path.home() / "go" / "bin"
