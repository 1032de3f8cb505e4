"""What git prints, cut up as it arrives: the list of changed files, their diffs, and the contents of objects."""

import re
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.model.errors import EngineError

DIFF_LIMIT = 64 * 1024 * 1024
"""Bytes of diff that are kept, each of which takes about ten of memory; of files that do not fit, only the heads."""

_SEPARATOR = b"\ndiff --git "
_HEAD = 64 * 1024
_NUL_WITHIN = 8000


@attrs.frozen
class Record:
    """One line of `git diff --raw`. Names are quoted as git prints them.

    Attributes:
        old_mode: "000000" when there was no file.
        new_object: All zeros when git did not look, as for files on disk.
        state: One letter: A, C, D, M, R, T or U.
    """

    old_mode: str
    new_mode: str
    old_object: str
    new_object: str
    state: str
    old_name: bytes
    new_name: bytes


@attrs.frozen
class Section:
    """One file's part of the diff, from behind `diff --git ` on.

    Attributes:
        cut: True when its lines were left out, the whole being too large.
        binary: True when git shows no lines because it takes the file for binary.
    """

    content: bytes
    cut: bool = False
    binary: bool = False


class SectionSplitter:
    """Takes the output of `git diff --raw --patch` in chunks, and keeps it file by file within a bound."""

    def __init__(self, limit: int = DIFF_LIMIT) -> None:
        self._limit = limit
        self._sections: list[Section] = []
        self._parts: list[bytes] = []
        self._size = 0
        self._total = 0
        self._cut = False
        self._tail = b""

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk."""
        *whole, last = (self._tail + chunk).split(_SEPARATOR)
        for part in whole:
            self._add(part)
            self._close()
        # The separator may begin in this chunk and end in the next.
        keep = min(len(last), len(_SEPARATOR) - 1)
        self._tail = last[len(last) - keep :]
        self._add(last[: len(last) - keep])

    def sections(self) -> list[Section]:
        """Return what has come, once it is complete. The first section is what stood before any `diff --git`."""
        self._add(self._tail)
        self._close()
        return self._sections

    def finish(self) -> tuple[list[Record], list[Section]]:
        """Return the list of files, and the diffs of those that have one."""
        first, *sections = self.sections()
        return list(_records(first.content)), sections

    def _add(self, part: bytes) -> None:
        # The list of files comes first and is always kept.
        if self._sections and self._total + len(part) > self._limit:
            self._cut = True
            part = part[: max(0, _HEAD - self._size)]
        if part:
            self._parts.append(part)
            self._size += len(part)
            self._total += len(part)

    def _close(self) -> None:
        content = b"".join(self._parts)
        if self._cut:
            # What is not kept leaves room for the files behind it.
            content = content.partition(b"\n@@ ")[0]
            self._total -= self._size - len(content)
        # Every line of a hunk has a marker in front, so that no line of a file can look like this.
        binary = content.rstrip(b"\n").endswith(b" differ") and b"\nBinary files " in content
        self._sections.append(Section(content, self._cut, binary))
        self._parts, self._size, self._cut = [], 0, False


def paired(records: Sequence[Record], sections: Sequence[Section]) -> Iterator[tuple[Record, list[Section]]]:
    """Yield each file with its diffs: none when nothing differs, two when a file became a link.

    Names are never taken from the diffs: each diff must begin with the very line that belongs to its file.
    """
    at = 0
    for record in records:
        first_line = prefixed(b"a/", record.old_name) + b" " + prefixed(b"b/", record.new_name)
        own: list[Section] = []
        while at < len(sections) and len(own) < (2 if record.state == "T" else 1):
            if sections[at].content.partition(b"\n")[0] != first_line:
                break
            own.append(sections[at])
            at += 1
        yield record, own
    if at < len(sections):
        raise EngineError("git's diff does not match its own list of changed files")


class BlobReader:
    """Takes the output of `git cat-file --batch` in chunks. Contents are None when missing, binary or too large.

    Attributes:
        contents: Object name to content.
        heads: Object name to the first bytes of a content that was not kept.
    """

    def __init__(self, limit: int) -> None:
        self.contents: dict[str, bytes | None] = {}
        self.heads: dict[str, bytes] = {}
        self._limit = limit
        self._buffer = bytearray()
        self._name = ""
        self._left = -1
        self._size = 0
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> None:
        """Take the next chunk."""
        self._buffer += chunk
        while self._buffer:
            if self._left < 0 and not self._begin():
                return
            if self._left >= 0:
                self._take()

    def _begin(self) -> bool:
        end = self._buffer.find(b"\n")
        if end < 0:
            return False
        words = self._buffer[:end].decode("ascii", "replace").split(" ")
        del self._buffer[: end + 1]
        if len(words) == 3 and words[2].isdigit():
            self._name, self._size = words[0], int(words[2])
            self._left = self._size + 1  # A line feed stands behind the content.
            self._kept = bytearray()
        else:
            self.contents[words[0]] = None
        return True

    def _take(self) -> None:
        part = self._buffer[: self._left]
        del self._buffer[: self._left]
        self._left -= len(part)
        wanted = self._limit if self._size <= self._limit and not self._is_binary() else _NUL_WITHIN
        if len(self._kept) < wanted:
            self._kept += part
        if self._left == 0:
            content = bytes(self._kept[: self._size])
            whole = self._size <= self._limit and not self._is_binary()
            self.contents[self._name] = content if whole else None
            if not whole:
                self.heads[self._name] = content[:_NUL_WITHIN]
            self._left = -1

    def _is_binary(self) -> bool:
        return b"\0" in self._kept[:_NUL_WITHIN]


def _records(text: bytes) -> Iterator[Record]:
    for line in text.split(b"\n"):
        if line.startswith(b":"):
            about, *names = line[1:].split(b"\t")
            words = about.decode("ascii").split(" ")
            yield Record(words[0], words[1], words[2], words[3], words[4][:1], names[0], names[-1])


def prefixed(prefix: bytes, quoted: bytes) -> bytes:
    """Return a name with a prefix; both may be quoted."""
    return b'"' + prefix + quoted[1:] if quoted.startswith(b'"') else prefix + quoted


_INDEX = re.compile(rb"^index [0-9a-f]+\.\.([0-9a-f]+)", re.MULTILINE)


def new_object(section: bytes) -> str | None:
    """Return the object name of the content after, as a section's head tells it; None when contents are equal."""
    match = _INDEX.search(section.partition(b"\n@@ ")[0])
    return match[1].decode("ascii") if match is not None else None
