"""Files as they are on disk, for texts that are not open."""

import contextlib
import os
from pathlib import Path

import attrs

LARGEST_TEXT = 8 << 20

Stamp = tuple[int, int]
"""Time of the last change in nanoseconds, and size in bytes."""


@attrs.frozen
class OnDisk:
    """A file that was looked at.

    Attributes:
        text: None when there is no file, when it is no text, or when it is too large to show.
        stamp: None when there is no file. It is taken before the text is read, so that a later
            look finds what was written in between.
    """

    text: str | None = None
    stamp: Stamp | None = None


def look_at(path: Path) -> OnDisk:
    """Return the text of a file and its stamp."""
    stamp = stamp_of(str(path))
    return OnDisk(_text(path, stamp), stamp)


def stamp_of(path: str) -> Stamp | None:
    """Return what tells one state of a file from another; None when there is no file."""
    try:
        found = os.stat(path)  # noqa: PTH116  # Called every second for many names that are no Path.
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size


def _text(path: Path, stamp: Stamp | None) -> str | None:
    from verify_lsp.scope.encoding import decoded, is_binary

    with contextlib.suppress(OSError, ValueError):
        if stamp is not None and stamp[1] <= LARGEST_TEXT and path.is_file():
            content = path.read_bytes()
            return None if is_binary(content) else decoded(path.name, content)[0]
    return None
