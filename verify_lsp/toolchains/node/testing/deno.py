"""The tests of a Deno project."""

import shutil

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import Absent, Project, TestStep
from verify_lsp.toolchains.node.manifest import folders_upward, read_jsonc
from verify_lsp.toolchains.node.package_manager import QUIET
from verify_lsp.toolchains.node.testing.reading import read_printed

_QUIET = {**QUIET, "DENO_NO_PROMPT": "1", "DENO_NO_UPDATE_CHECK": "1"}


def deno_step(project: Project, timeout_s: float) -> TestStep | Absent:
    """Return `deno task test` where such a task is declared, else `deno test`; only below a `deno.json`."""
    for folder in folders_upward(project.place, project.root):
        name = next((name for name in ("deno.json", "deno.jsonc") if (folder / name).is_file()), None)
        if name is None:
            continue
        if not shutil.which("deno", path=project.path):
            return Absent("deno is not installed", needless=False)
        config = read_jsonc(folder / name)
        tasks = config.get("tasks") if isinstance(config, dict) else None
        argv = ("deno", "task", "test") if isinstance(tasks, dict) and "test" in tasks else ("deno", "test")
        command = Command(argv, cwd=folder.relative_to(project.place).as_posix(), env=_QUIET, timeout_s=timeout_s)
        return TestStep("deno", command, _read, version=Command(("deno", "--version"), env=_QUIET))
    return Absent("no tests are configured (no package.json)", needless=True)


def _read(result: CommandResult) -> TestRun:
    return read_printed(result, "deno", ())
