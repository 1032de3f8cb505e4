"""Reads a file from disk to verify it. What cannot be read is said in one sentence."""

import errno
import os
import stat
from pathlib import Path

from verify_lsp.model.verify_result import VerifyResult
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.content import decoded
from verify_lsp.verifiers.verify import SIZE_LIMIT, shown_path

_TOO_LARGE = f"too large: more than {SIZE_LIMIT // 1_000_000} MB"


def read_subject(path: Path, *, workspace: Path | None = None, trusted: bool = False) -> Subject | VerifyResult:
    """Return the file at `path` (absolute), ready to be verified, or why it cannot be: a result that is skipped.

    A link is followed. Nothing is raised, and nothing waited for: a pipe is refused, a large file is not read.
    """
    data = _read(path)
    if isinstance(data, str):
        unread = Subject(path, "", workspace=workspace)
        return VerifyResult(shown_path(unread), ok=True, skipped=True, detail=data)
    text = decoded(data).text
    return Subject(path, text, data=data, workspace=workspace, saved=True, trusted=trusted)


def _read(path: Path) -> bytes | str:
    try:
        # Without O_NONBLOCK, opening a named pipe waits for a writer for ever.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        return _why_not(path, error)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return "cannot be verified: it is a folder, not a file"
        if not stat.S_ISREG(status.st_mode):
            return "cannot be verified: it is a device or a pipe, not a file"
        if status.st_size > SIZE_LIMIT:
            return _TOO_LARGE
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(SIZE_LIMIT + 1)
    except OSError as error:
        return _why_not(path, error)
    finally:
        os.close(descriptor)
    return data if len(data) <= SIZE_LIMIT else _TOO_LARGE


def _why_not(path: Path, error: OSError | ValueError) -> str:
    if isinstance(error, ValueError):
        return "cannot be verified: its name holds a NUL character"
    if error.errno == errno.ENOENT:
        return (
            "cannot be verified: it is a link to nothing" if path.is_symlink() else "cannot be verified: no such file"
        )
    if error.errno == errno.ENOTDIR:
        return "cannot be verified: no such file"
    if error.errno == errno.ELOOP:
        return "cannot be verified: its links lead in a circle"
    if error.errno in {errno.EACCES, errno.EPERM}:
        return "cannot be verified: no permission to read it"
    return f"cannot be verified: {error.strerror or type(error).__name__}"
