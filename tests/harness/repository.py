"""Real git repositories for tests, made in a folder of the test and shut off from the machine's configuration."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.change import Change, Line
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.resolve import Resolution, resolved

_IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.invalid",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.invalid",
    "GIT_AUTHOR_DATE": "2024-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2024-01-02T03:04:05Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "GIT_ALLOW_PROTOCOL": "file",
    "LC_ALL": "C",
}


def run_git(
    folder: Path,
    *arguments: str,
    stdin: bytes | None = None,
    env: Mapping[str, str] | None = None,
    expect: tuple[int, ...] = (0,),
) -> bytes:
    """Run git in `folder` as a user would, and return what it prints."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**clean, **_IDENTITY, **(env or {})},
        input=stdin,
        stdin=None if stdin is not None else subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode in expect, f"git {' '.join(arguments)}: {done.stderr.decode(errors='replace')}"
    return done.stdout


@attrs.frozen
class Repository:
    """A repository with a tree of files at `path`."""

    path: Path

    def git(self, *arguments: str, stdin: bytes | None = None, env: Mapping[str, str] | None = None) -> str:
        """Run git here, and return what it prints, without the last line end."""
        return run_git(self.path, *arguments, stdin=stdin, env=env).decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, name: str, content: str | bytes, *, executable: bool = False) -> Path:
        """Write a file, and its folders; text becomes UTF-8, with its line ends as they are."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        if executable:
            path.chmod(0o755)
        return path

    def add(self, *names: str) -> None:
        """Stage these files, or everything."""
        self.git("add", "--force", "--", *names) if names else self.git("add", "--all")

    def commit(self, files: Mapping[str, str | bytes] | None = None, message: str = "Change") -> str:
        """Write files, stage everything and commit it, even when nothing changed. Returns the commit's name."""
        for name, content in (files or {}).items():
            self.write(name, content)
        self.add()
        self.git("commit", "--quiet", "--allow-empty", "--no-verify", "--message", message)
        return self.git("rev-parse", "HEAD")


def new_repository(
    path: Path, files: Mapping[str, str | bytes] | None = None, *, branch: str = "main", commit: bool = True
) -> Repository:
    """Make a repository at `path`, with a first commit of `files` unless `commit` is False."""
    path.mkdir(parents=True, exist_ok=True)
    run_git(path, "init", "--quiet", f"--initial-branch={branch}")
    repository = Repository(path)
    if commit:
        repository.commit(files, "First")
    else:
        for name, content in (files or {}).items():
            repository.write(name, content)
    return repository


def clone(source: Repository, path: Path, *arguments: str) -> Repository:
    """Clone a repository to `path`."""
    run_git(source.path, "clone", "--quiet", *arguments, f"file://{source.path}", str(path))
    return Repository(path)


async def scoped(folder: Path, kind: str, **given: Any) -> Resolution:
    """Resolve a scope in `folder`. A shadow copy is gone by then; enter `resolved` to look at one."""
    options = {name: given.pop(name) for name in ("default_base", "linked", "sessions") if name in given}
    async with resolved(VerifyScope(kind, **given), folder, **options) as resolution:
        return resolution


def counts(change: Change) -> dict[str, tuple[int, int] | None]:
    """Return how many lines each file gained and lost, as `numstat` tells it; None where there are no lines."""
    return {
        file.path: None if file.binary else (len(file.added_lines), len(file.removed_lines)) for file in change.files
    }


def numstat(repository: Repository, *arguments: str) -> dict[str, tuple[int, int] | None]:
    """Return git's own counts. The arguments go to `git diff`."""
    fields = repository.git("diff", "--numstat", "-z", "--find-renames", *arguments).split("\0")
    told: dict[str, tuple[int, int] | None] = {}
    at = 0
    while at < len(fields) - 1:
        added, removed, path = fields[at].split("\t", 2)
        at += 1
        if not path:
            path = fields[at + 1]
            at += 2
        told[path] = None if added == "-" else (int(added), int(removed))
    return told


def lines(found: tuple[Line, ...]) -> list[tuple[int, str]]:
    """Return lines as pairs of number and text."""
    return [(line.line, line.text) for line in found]
