"""`verify-lsp demo`: a full proof run on the sample change, in a temporary repository."""

import shutil
import sys
import tempfile
from pathlib import Path

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit, render
from verify_lsp.cli.run import run_to_its_end
from verify_lsp.model.errors import EngineError
from verify_lsp.model.scope import VerifyScope
from verify_lsp.settings.settings import Settings
from verify_lsp.verify import RunRequest

_PLACES = (Path(__file__).parent / "sample-change", Path(__file__).parents[2] / "fixtures" / "sample-change")


def demo(form: str) -> int:
    """Lay the sample change out in a repository, verify it, and print the report.

    The change fails on purpose, and that is what the demo shows: its exit code is 0 all the same.
    """
    sample = next((place for place in _PLACES if place.is_dir()), None)
    if sample is None:
        raise EngineError("the sample change is not part of this installation")
    with tempfile.TemporaryDirectory(prefix="verify-lsp-demo-") as folder:
        workspace = Path(folder).resolve() / "shop"
        _lay_out(sample, workspace)
        request = RunRequest(
            workspace=workspace,
            scope=VerifyScope("working-tree"),
            settings=Settings(),
            trusted=True,
            message=(sample / "message.md").read_text(encoding="utf-8"),
        )
        report = run_to_its_end(request)
        emit(render(report, form, to_terminal=sys.stdout.isatty()))
    return ExitCode.INTERRUPTED if report.status == "cancelled" else ExitCode.OK


def _lay_out(sample: Path, workspace: Path) -> None:
    from verify_lsp.system.git import commit_all

    shutil.copytree(sample / "before", workspace)
    commit_all(workspace, "The shop before the change")
    for name in _files(workspace) - _files(sample / "after"):
        (workspace / name).unlink()
    shutil.copytree(sample / "after", workspace, dirs_exist_ok=True)


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and ".git" not in path.parts}
