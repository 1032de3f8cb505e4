"""The TypeScript language server of this machine, with the project's own TypeScript."""

import shutil
from pathlib import Path

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, LanguageServer, Project
from verify_lsp.toolchains.node.installed import find_own_program, package_folder, program_folders
from verify_lsp.toolchains.node.package_manager import QUIET

LANGUAGES = {
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascriptreact",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescriptreact",
}

_SERVER = "typescript-language-server"


def language_server(project: Project) -> LanguageServer | Absent:
    """Return the language server: the one inside TypeScript 7, else typescript-language-server.

    The latter drives the project's TypeScript, or the one beside a `tsc` on PATH. It must not fetch type
    packages for plain JavaScript, as it would by default.
    """
    folder = package_folder(project, "typescript")
    if folder is not None and not (folder / "lib" / "tsserver.js").is_file():
        return _native(project)
    program = find_own_program(project, _SERVER) or shutil.which(_SERVER, path=project.path)
    if program is None:
        return Absent(f"{_SERVER} is not installed", needless=False)
    library = folder / "lib" / "tsserver.js" if folder else _library_on_path(project)
    if library is None:
        return Absent("typescript is not installed", needless=False)
    return LanguageServer(
        _SERVER,
        Command((_SERVER, "--stdio"), cwd=project.root, env=QUIET, path_prepend=program_folders(project)),
        LANGUAGES,
        initialization_options={
            "hostInfo": "verify-lsp",
            "disableAutomaticTypingAcquisition": True,
            "tsserver": {"path": str(library), "logVerbosity": "off"},
        },
        settles_by="push",
        barrier=_types_of,
    )


def _types_of(path: str) -> tuple[str, list[object]]:
    """Syntax is published before types; this answers when the types were looked at."""
    return "typescript.tsserverRequest", ["semanticDiagnosticsSync", {"file": path}]


def _native(project: Project) -> LanguageServer | Absent:
    if find_own_program(project, "tsc") is None:
        return Absent("typescript is not installed", needless=False)
    command = Command(("tsc", "--lsp", "--stdio"), cwd=project.root, env=QUIET, path_prepend=program_folders(project))
    return LanguageServer("tsc", command, LANGUAGES, settles_by="pull")


def _library_on_path(project: Project) -> Path | None:
    found = shutil.which("tsc", path=project.path)
    library = Path(found).resolve().parent.parent / "lib" / "tsserver.js" if found else None
    return library if library is not None and library.is_file() else None
