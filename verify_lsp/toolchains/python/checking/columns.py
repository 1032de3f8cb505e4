"""Where a column really is. Tools count code points, UTF-8 bytes or UTF-16 units; reports count code points from 1."""

import functools
import re
from pathlib import Path

from verify_lsp.toolchains.output import code_point_column

_TOKEN = re.compile(r"[^\W\d]\w*|[\d.][\w.]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|\S")
_MAX_BYTES = 4_000_000


class SourceLines:
    """The lines of a project's files, each file read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines = functools.cache(self._read)

    def line(self, path: str, line: int) -> str:
        """Return one line (1-based) without its end; empty where there is none."""
        lines = self._lines(path)
        return lines[line - 1].rstrip("\r") if 0 < line <= len(lines) else ""

    def _read(self, path: str) -> list[str]:
        try:
            file = self._folder / path
            return file.read_text(encoding="utf-8-sig").split("\n") if file.stat().st_size < _MAX_BYTES else []
        except (OSError, UnicodeDecodeError):
            return []


def from_utf16(line: str, offset: int) -> int:
    """Return the column of a 0-based offset in UTF-16 units."""
    return code_point_column(line, offset)


def from_utf8(line: str, offset: int) -> int:
    """Return the column of a 0-based offset in UTF-8 bytes."""
    return len(line.encode()[:offset].decode(errors="ignore")) + 1


def from_either(line: str, offset: int, message: str) -> int | None:
    """Return the column of a 0-based offset from a tool whose versions count differently.

    mypy counts bytes; from 2.0 it takes code points for bytes and converts them a second time. Of the
    columns it can mean, the one counts where a token begins that the message quotes, or else the only one
    where a token begins; None when that does not settle it.
    """
    if line[: offset + 1].isascii():
        return offset + 1
    starts = {match.start(): match.group() for match in _TOKEN.finditer(line)}
    bytes_twice = [start for start in starts if from_utf8(line, start) == offset + 1]
    candidates = {offset, from_utf8(line, offset) - 1, *bytes_twice} & starts.keys()
    quoted = [start for start in candidates if starts[start] in set(re.findall(r'"([^"]+)"', message))]
    chosen = quoted or sorted(candidates)
    return chosen[0] + 1 if len(chosen) == 1 else None
