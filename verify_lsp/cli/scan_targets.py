"""Which texts `verify-lsp scan` looks at, and which of their lines count."""

import asyncio
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import attrs

from verify_lsp.model.change import FileChange, Line
from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.scope import VerifyScope

_LIMIT = 50_000_000
_PASSED_OVER = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", "target", ".tox", ".mypy_cache"}
)


@attrs.frozen
class Target:
    """A text to look at.

    Attributes:
        shown: Its name as the user gave it.
        path: Its name below the workspace, which chooses the rules.
        lines: The lines that count; None for all.
    """

    shown: str
    path: str
    text: str
    lines: frozenset[int] | None = None
    removed: Sequence[Line] = ()


def named_targets(names: Sequence[str], *, all_lines: bool) -> Iterator[Target]:
    """Yield the files named, and those below the folders named.

    A file that differs from the commit under it counts by its added lines, any other one as a whole.

    Raises:
        UsageError: A name stands for nothing.
    """
    files = [file for name in names for file in _files(name)]
    changed = {} if all_lines else _changed([Path(file) for file in files])
    for file in files:
        text = _text(file)
        if text is None:
            continue
        change = changed.get(_absolute(file))
        path = _below_workspace(Path(file))
        if change is None or change.after is None:
            yield Target(file, path, text)
        else:
            added = frozenset(line.line for line in change.added_lines)
            yield Target(file, path, change.after, added, change.removed_lines)


def working_tree_targets(workspace: Path, *, all_lines: bool) -> Iterator[Target]:
    """Yield what is changed in a working tree.

    Raises:
        EngineError: There is no repository.
    """
    for file in _change(VerifyScope("working-tree"), workspace):
        if file.after is not None and not file.binary:
            added = None if all_lines else frozenset(line.line for line in file.added_lines)
            yield Target(file.path, file.path, file.after, added, file.removed_lines)


def diff_targets(diff: bytes, workspace: Path, *, all_lines: bool) -> Iterator[Target]:
    """Yield what a unified diff adds; around it, the file on disk where it is the one after the change, else the hunks.

    Raises:
        UsageError: There is no diff in it.
    """
    from verify_lsp.scope.diff import read_diff

    for file in read_diff(diff.decode("utf-8", "surrogateescape")):
        if file.binary or file.change == "deleted":
            continue
        added = frozenset(line.line for line in file.added_lines)
        text = file.after if file.after is not None else _text_after(file, workspace)
        yield Target(file.path, file.path, text, None if all_lines else added, file.removed_lines)


def _text_after(file: FileChange, workspace: Path) -> str:
    on_disk = workspace / file.path
    if ".." not in Path(file.path).parts and on_disk.is_file():
        text = _text(str(on_disk))
        lines = (text or "").split("\n")
        if all(line.line <= len(lines) and lines[line.line - 1].rstrip("\r") == line.text for line in file.added_lines):
            return text or ""
    return _from_hunks(file.diff)


def _from_hunks(diff: str) -> str:
    """Return the lines after the change that a diff shows, at their places; what it does not show is blank."""
    from verify_lsp.scope.diff import parse_diff

    lines: dict[int, str] = {}
    for patch in parse_diff(diff.encode("utf-8", "surrogateescape")):
        for hunk in patch.hunks:
            number = hunk.new_start
            for line in hunk.lines:
                if line[:1] in {b" ", b"+", b""}:
                    lines[number] = line[1:].decode("utf-8", "replace").rstrip("\r\n")
                    number += 1
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def _files(name: str) -> Iterator[str]:
    path = Path(name)
    if path.is_dir():
        yield from sorted(_below(name))
    elif path.exists():
        yield name
    else:
        raise UsageError(f"no such file or folder: {name}")


def _below(folder: str) -> Iterator[str]:
    """Yield the files of a folder: in a repository those that git does not ignore."""
    listed = asyncio.run(_git_files(Path(folder).resolve()))
    if listed is not None:
        yield from (str(Path(folder) / name) for name in listed if (Path(folder) / name).is_file())
        return
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER)
        yield from (str(Path(place) / name) for name in names)


async def _git_files(folder: Path) -> list[str] | None:
    from verify_lsp.system.git import open_git

    try:
        git = await open_git(folder)
        answer = await git.ask("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    except EngineError:
        return None
    return (
        [name for name in answer.output.decode("utf-8", "surrogateescape").split("\0") if name]
        if answer.exit_code == 0
        else None
    )


def _changed(files: Iterable[Path]) -> dict[Path, FileChange]:
    """Return the changes of files against the commits under them, by absolute path; nothing outside of repositories."""
    from verify_lsp.cli.workspace import folder_around

    owned: dict[Path, list[str]] = {}
    for file in files:
        absolute = _absolute(str(file))
        folder = folder_around(absolute.parent)
        if (folder / ".git").exists():
            owned.setdefault(folder, []).append(absolute.relative_to(folder).as_posix())
    found = {}
    for folder, names in owned.items():
        try:
            changes = _change(VerifyScope("files", files=tuple(names)), folder)
        except EngineError:
            continue
        found.update({folder / change.path: change for change in changes})
    return found


def _change(scope: VerifyScope, workspace: Path) -> tuple[FileChange, ...]:
    from verify_lsp.scope.resolve import resolved

    async def resolve() -> tuple[FileChange, ...]:
        async with resolved(scope, workspace) as resolution:
            return resolution.change.files

    return asyncio.run(resolve())


def _absolute(name: str) -> Path:
    path = Path(name)
    return path.parent.resolve() / path.name


def _below_workspace(file: Path) -> str:
    from verify_lsp.cli.workspace import folder_around

    absolute = _absolute(str(file))
    return absolute.relative_to(folder_around(absolute.parent)).as_posix()


def _text(name: str) -> str | None:
    """Return the text of a file; None, with a word on stderr, where there is none to scan."""
    from verify_lsp.scope.encoding import decoded, is_binary

    path = Path(name)
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= _LIMIT else b""
    except OSError as error:
        raise EngineError(f"cannot read {name}: {error.strerror}") from None
    why = "too large" if size > _LIMIT else "binary" if is_binary(content) else None
    if why is not None:
        print(f"verify-lsp: not scanned: {name} ({why})", file=sys.stderr)
        return None
    return decoded(name, content)[0]
