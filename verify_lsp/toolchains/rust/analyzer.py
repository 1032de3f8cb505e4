"""rust-analyzer, where it really is installed and not only a proxy of rustup's."""

from collections.abc import Mapping
from pathlib import Path

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, LanguageServer, Project
from verify_lsp.toolchains.rust.cargo import cannot_run, cargo_environment
from verify_lsp.toolchains.rust.copies import is_copy
from verify_lsp.toolchains.rust.rustup import component


def rust_analyzer(project: Project) -> LanguageServer | Absent:
    """Return rust-analyzer with a target folder of its own, so that it waits for nobody's build."""
    if absent := cannot_run(project):
        return absent
    program = component(project, "rust-analyzer")
    if program is None:
        return Absent("rust-analyzer is not installed", needless=False)
    settings = _settings(project)
    return LanguageServer(
        "rust-analyzer",
        Command((program,), project.root, {**cargo_environment(project), "CARGO_TARGET_DIR": str(_target(project))}),
        {".rs": "rust"},
        initialization_options=settings,
        settings={"rust-analyzer": settings},
        settles_by="progress",
    )


def _settings(project: Project) -> Mapping[str, object]:
    return {
        "cargo": {"targetDir": str(_target(project)), "extraArgs": [] if is_copy(project) else ["--locked"]},
        # The project check runs cargo; here only what rust-analyzer finds by itself is asked for.
        "checkOnSave": False,
        "cachePriming": {"enable": False},
    }


def _target(project: Project) -> Path:
    return project.cache / "rust-analyzer"
