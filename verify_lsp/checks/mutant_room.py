"""Where mutants are built in: a private folder, and for some languages a copy of the project."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import attrs

from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.errors import EngineError
from verify_lsp.system.files import because
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.registry import linked_folders

FindTests = Callable[[Project], TestStep | Absent]


@attrs.frozen
class MutantRoom:
    """A room that stands until all mutants were tried. Files are written here and nowhere else.

    Attributes:
        step: How mutants are tried in it.
        project: The project as its commands see it.
        folder: Absolute and private.
    """

    step: BuiltIn
    project: Project
    folder: Path

    async def write(self, texts: Mapping[str, str]) -> None:
        """Put texts of changed files, by path relative to the project's root, where the tools find them.

        Raises:
            EngineError: A file cannot be written, or would lie outside of the room.
        """
        await anyio.to_thread.run_sync(self._write, self.step.files(texts))

    def _write(self, files: Mapping[Path, str]) -> None:
        roots = [self.folder.resolve()]
        if self.project.place != self.project.workspace:
            roots.append(self.project.place.resolve())
        for path, text in files.items():
            real = path.resolve()
            if not any(real.is_relative_to(root) for root in roots):
                raise EngineError(f"{path} leads outside of the copy that mutants are built in")
            try:
                real.parent.mkdir(parents=True, exist_ok=True)
                real.write_text(text, encoding="utf-8", newline="")
            except OSError as error:
                raise EngineError(because(f"cannot write {path}", error)) from error


@asynccontextmanager
async def mutant_room(
    context: CheckContext, owner: ProjectOf, step: TestStep, find: FindTests | None = None
) -> AsyncIterator[MutantRoom | None]:
    """Make the room for a project's tests; None where these cannot be tried in one.

    Args:
        find: How these tests are found where the project lies elsewhere, if they are not the project's own.

    Raises:
        EngineError: It cannot be made: no space is left.
    """
    from verify_lsp.scope.resolve import disk_copy
    from verify_lsp.system.results import private_folder

    async with AsyncExitStack() as stack:
        folder = await stack.enter_async_context(private_folder())
        project = owner.project
        if step.in_copy:
            copy = await stack.enter_async_context(disk_copy(project.place, linked_folders()))
            project = attrs.evolve(project, place=copy)
            own = find(project) if find else owner.toolchain.tools.tests(project, context.timeout_s)
            step = own if isinstance(own, TestStep) else attrs.evolve(step, built_in=None)
        yield MutantRoom(step.built_in(folder), project, folder) if step.built_in else None
