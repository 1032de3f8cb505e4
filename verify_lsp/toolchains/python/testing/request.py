"""What our reporters are asked to do inside the project's interpreter, and what they are sent there with."""

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from verify_lsp.model.command import RESULTS
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.python.project.interpreter import Interpreter, import_folders

INJECTED = Path(__file__).parents[1] / "injected"
"""The folder of what runs in the project's interpreter. Being installed with us, it may have bytecode for that one too."""
# A folder whose name holds what separates folders cannot stand in a path.
_CAN_BE_NAMED = os.pathsep not in str(INJECTED)
REQUEST = "verify_lsp_request.json"
HOOKED = {
    "VERIFY_LSP_RESULTS": RESULTS,
    "PYTHONPATH": os.pathsep.join([RESULTS, str(INJECTED)]) if _CAN_BE_NAMED else RESULTS,
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""The variables by which every Python that is started finds what we sent."""
_SUFFIXES = (".py", ".pyw")


def support(request: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the files to lay beside a run: what our modules are asked to do, and these where they are not found otherwise."""
    modules = () if _CAN_BE_NAMED else INJECTED.glob("verify_lsp_*.py")
    return {**{module.name: injected(module.stem) for module in modules}, REQUEST: as_support(request)}


def as_support(value: Mapping[str, Any]) -> str:
    """Return a JSON document to lay beside a run; it may hold any text, even the mark that is replaced in these files."""
    return json.dumps(value).replace(RESULTS, "\\u007b" + RESULTS[1:])


def injected(module: str) -> str:
    """Return the source of a module that runs in the project's interpreter."""
    return (INJECTED / f"{module}.py").read_text(encoding="utf-8")


def request(project: Project, selection: tuple[str, ...] | None) -> dict[str, Any]:
    """Return what every reporter needs to know.

    `selection`: only these test ids, or null for all. `changed`: module name to its file, relative to the
    project's root. `workspace`: the user's tree when the run happens in a copy of it, which is `place`.
    """
    return {
        "selection": None if selection is None else list(selection),
        "changed": {name: path for path in project.changed if (name := module_name(project, path)) is not None},
        "workspace": None if project.place == project.workspace else str(project.workspace),
        "place": str(project.place),
    }


def environment(project: Project, interpreter: Interpreter) -> Mapping[str, str]:
    """Return the variables of a run of tests: our modules first, then the verified tree, and no litter in it."""
    return {
        **interpreter.variables(),
        **HOOKED,
        "PYTHONPATH": os.pathsep.join([HOOKED["PYTHONPATH"], *import_folders(project, interpreter)]),
        "COVERAGE_FILE": f"{RESULTS}/zz-coverage",
        "HYPOTHESIS_STORAGE_DIRECTORY": str(project.cache / "hypothesis"),
    }


def module_name(project: Project, path: str) -> str | None:
    """Return the name that a file is imported by, or None where that is uncertain.

    A file outside of a package is certain only in the root and in `src`, and not as `setup` or `conftest`,
    names that many folders have.
    """
    file = PurePosixPath(path)
    if file.suffix not in _SUFFIXES:
        return None
    names = [file.stem] if file.stem != "__init__" else []
    folder = file.parent
    in_package = False
    while folder.name and (project.folder / folder / "__init__.py").is_file():
        names.insert(0, folder.name)
        folder = folder.parent
        in_package = True
    if not in_package and (str(folder) not in {".", "src"} or file.stem in {"setup", "conftest", "__init__"}):
        return None
    return ".".join(names) if all(name.isidentifier() for name in names) else None
