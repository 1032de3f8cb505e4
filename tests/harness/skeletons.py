"""A project with a mutant in it, the test that is still to be written for it, and real runners to run it with."""

import subprocess
from collections.abc import Mapping
from pathlib import Path

import attrs

from tests.harness.node_projects import NODE_MODULES
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.skeletons.base import Skeleton
from verify_lsp.mutation.skeletons.ground import ground_of
from verify_lsp.mutation.skeletons.registry import skeleton_for
from verify_lsp.system.environment import child_environment


def mutant_of(path: str, line: int, function: str = "price", **fields: object) -> TriedMutant:
    """Return a survivor that three tests run over."""
    place = {"path": path, "line": line, "column": 8, "end_line": line, "end_column": 10}
    told = {"operator": "boundary", "original": ">=", "replacement": ">", "status": "survived", "function": function}
    return TriedMutant(**{**place, **told, "tests": 3, **fields})


@attrs.frozen
class Written:
    """A skeleton in its project."""

    folder: Path
    skeleton: Skeleton

    @property
    def file(self) -> Path:
        """Where it stands."""
        return self.folder / self.skeleton.path

    def fill(self, failing: str, assertion: str) -> None:
        """Write the assertion in the place of the line that fails."""
        lines = self.file.read_text("utf-8").split("\n")
        hits = [number for number, line in enumerate(lines) if failing in line and "not written yet" in line]
        assert len(hits) == 1, lines
        lines[hits[0]] = lines[hits[0]][: len(lines[hits[0]]) - len(lines[hits[0]].lstrip())] + assertion
        self.file.write_text("\n".join(lines), encoding="utf-8")

    def run(self, *argv: str) -> "subprocess.CompletedProcess[str]":
        """Run the project's tests."""
        environment = {**child_environment(offline=True), "NO_COLOR": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        return subprocess.run(
            argv, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )


def write(folder: Path, files: Mapping[str, str], mutant: TriedMutant, *, modules: bool = False) -> Written:
    """Lay a project out, make the skeleton for `mutant`, and write it where it belongs."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode("utf-8"))
    if modules:
        (folder / "node_modules").symlink_to(NODE_MODULES)
    ground = ground_of(folder, mutant.path, {})
    assert ground is not None
    skeleton = skeleton_for(mutant, ground)
    assert skeleton is not None
    before = (folder / skeleton.path).read_bytes().decode("utf-8") if (folder / skeleton.path).exists() else None
    assert skeleton.before == before
    (folder / skeleton.path).write_bytes(skeleton.after.encode("utf-8"))
    return Written(folder, skeleton)
