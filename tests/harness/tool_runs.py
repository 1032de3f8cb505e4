"""Projects made of a few files, and the real tools run over them."""

import os
from collections.abc import Mapping
from pathlib import Path

import anyio

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, TestStep


def laid_out(folder: Path, files: Mapping[str, str]) -> Path:
    """Write files by their relative paths; return the folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder


def project_in(
    folder: Path,
    *changed: str,
    root: str = ".",
    copy: bool = False,
    path: str | None = None,
    cache: Path | None = None,
) -> Project:
    """Return a project; `copy` says that its place is not the user's own folder."""
    return Project(
        place=folder,
        workspace=folder / "of-the-user" if copy else folder,
        root=root,
        changed=changed,
        path=path or os.environ["PATH"],
        cache=cache or folder.parent / "tool-cache",
    )


def run(command: Command, place: Path, *, offline: bool = True, **variables: str) -> CommandResult:
    """Run a command as a check would, by default without network; an empty variable is taken out."""
    environment = {**child_environment(offline=offline), **variables}
    kept = {name: value for name, value in environment.items() if value or name not in variables}

    async def ran() -> CommandResult:
        return await run_command(command, place, environment=kept)

    return anyio.run(ran)


def there(step: ProblemStep | TestStep | Absent) -> ProblemStep | TestStep:
    """Return the step, which must not be absent."""
    assert not isinstance(step, Absent), step.reason
    return step


def tree(folder: Path) -> dict[str, bytes]:
    """Return what stands below a folder, to see that nothing was written there."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
