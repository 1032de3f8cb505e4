"""Go counts columns in bytes; people and reports count characters."""

from pathlib import Path

from verify_lsp.toolchains.output import relative_path


class SourceLines:
    """The lines of a module's files, each file read at most once."""

    def __init__(self, folder: Path) -> None:
        """Read files below `folder`, the absolute folder that Go ran in."""
        self.folder = folder
        self._lines: dict[str, list[bytes]] = {}

    def place(self, path: str) -> str | None:
        """Return a path that Go printed as a path relative to the folder; None for what lies outside."""
        return relative_path(path, self.folder)

    def column(self, path: str, line: int, byte_column: int) -> int:
        """Return the 1-based column in code points of a 1-based column in bytes; unchanged where there is no such line."""
        lines = self._read(path)
        if not 0 < line <= len(lines):
            return byte_column
        return len(lines[line - 1][: byte_column - 1].decode("utf-8", "replace")) + 1

    def _read(self, path: str) -> list[bytes]:
        if path not in self._lines:
            try:
                self._lines[path] = (self.folder / path).read_bytes().split(b"\n")
            except OSError:
                self._lines[path] = []
        return self._lines[path]
