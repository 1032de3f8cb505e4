"""The language server of Python projects."""

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, LanguageServer, Project
from verify_lsp.toolchains.python.checking.answers import find_program
from verify_lsp.toolchains.python.project.interpreter import find_interpreter

SERVERS = ("basedpyright", "pyright")


def language_server(project: Project) -> LanguageServer | Absent:
    """Return basedpyright's or pyright's server, told which interpreter the project has."""
    interpreter = find_interpreter(project)
    for tool in SERVERS:
        program = find_program(project, interpreter, f"{tool}-langserver")
        if program is None:
            continue
        # The mode holds only where the project does not choose one; basedpyright's own would warn of everything.
        analysis = {"diagnosticMode": "openFilesOnly", "typeCheckingMode": "standard"}
        python: dict[str, object] = {"analysis": analysis}
        if interpreter is not None:
            python["pythonPath"] = str(interpreter.program)
        return LanguageServer(
            tool=tool,
            command=Command((program, "--stdio"), cwd=project.root),
            languages={".py": "python", ".pyi": "python"},
            settings={"python": python, tool: {"analysis": analysis}},
            settles_by="pull",
        )
    return Absent("no language server for Python is installed (basedpyright or pyright)", needless=False)
