"""The head of one file's diff: which file, and what happened to it beside its lines."""

import re
from collections.abc import Sequence

import attrs

from verify_lsp.model.errors import UsageError
from verify_lsp.scope.names import quoted_length, unquote

_GIT = b"diff --git "
_INDEX = re.compile(rb"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: ([0-7]{6}))?$")
# Git's pairs of prefixes, with and without `diff.mnemonicPrefix`.
_OLD_PREFIXES = (b"a/", b"i/", b"c/", b"o/", b"w/", b"1/")
_NEW_PREFIXES = (b"b/", b"w/", b"i/", b"c/", b"o/", b"2/")
_NOTHING = b"/dev/null"
_EXTENDED = (
    b"old mode ",
    b"new mode ",
    b"deleted file mode ",
    b"new file mode ",
    b"copy from ",
    b"copy to ",
    b"rename from ",
    b"rename to ",
    b"similarity index ",
    b"dissimilarity index ",
    b"index ",
)


@attrs.frozen
class Header:
    """What stands above the hunks of one file.

    Attributes:
        path: The file; where it stands after the change, or stood when it is gone.
        existed: False when the diff says that there was no file before.
        exists: False when the diff says that there is none any more.
        old_path: Where it stood before, for renames and copies.
        copied: True when the old file stays.
        binary: True when the diff says that contents differ, and shows no lines.
        old_mode: As git writes modes ("100644"); None where the diff does not tell.
        old_object: Beginning of the object name of the content before; None where the diff does not tell.
    """

    path: bytes
    existed: bool = True
    exists: bool = True
    old_path: bytes | None = None
    copied: bool = False
    binary: bool = False
    old_mode: bytes | None = None
    new_mode: bytes | None = None
    old_object: bytes | None = None
    new_object: bytes | None = None


def starts_file(lines: Sequence[bytes], at: int) -> bool:
    """Tell whether a file's diff begins at line `at`."""
    if lines[at].startswith(_GIT):
        return True
    return lines[at].startswith(b"--- ") and at + 1 < len(lines) and lines[at + 1].startswith(b"+++ ")


def read_header(lines: Sequence[bytes], at: int, *, strip: bool) -> tuple[int, Header]:
    """Read the head that begins at line `at`. Returns the line behind it, and the head.

    Raises:
        UsageError: No name can be read.
    """
    first, fields = at, dict[bytes, bytes]()
    if lines[at].startswith(_GIT):
        at += 1
        while at < len(lines) and (prefix := next((p for p in _EXTENDED if lines[at].startswith(p)), None)):
            fields[prefix.strip()] = lines[at] if prefix == b"index " else lines[at][len(prefix) :]
            at += 1
    old = new = None
    if at < len(lines) and starts_file(lines, at) and not lines[at].startswith(_GIT):
        old, new = _name(lines[at][4:]), _name(lines[at + 1][4:])
        at += 2
    binary = at < len(lines) and lines[at].startswith((b"Binary files ", b"GIT binary patch"))
    if old is None or new is None:
        old, new = _names_of_git_line(lines[first][len(_GIT) :], first)
    return at + binary, _header(old, new, fields, binary=binary, strip=strip)


def _header(old: bytes, new: bytes, fields: dict[bytes, bytes], *, binary: bool, strip: bool) -> Header:
    existed = old != _NOTHING and b"new file mode" not in fields
    exists = new != _NOTHING and b"deleted file mode" not in fields
    if strip:
        old, new = _stripped(old, new)
    index = _INDEX.fullmatch(fields.get(b"index", b""))
    source = fields.get(b"rename from", fields.get(b"copy from"))
    target = fields.get(b"rename to", fields.get(b"copy to"))
    mode = index[3] if index is not None else None
    return Header(
        path=unquote(target) if target is not None else (new if exists else old),
        existed=existed,
        exists=exists,
        old_path=unquote(source) if source is not None else None,
        copied=b"copy from" in fields,
        binary=binary,
        old_mode=fields.get(b"old mode", fields.get(b"deleted file mode", mode)),
        new_mode=fields.get(b"new mode", fields.get(b"new file mode", mode)),
        old_object=index[1] if index is not None else None,
        new_object=index[2] if index is not None else None,
    )


def _name(text: bytes) -> bytes:
    """Return the name of a `---` or `+++` line: a tab ends it, for git behind blanks, for diff before a time."""
    length = quoted_length(text)
    return unquote(text[:length]) if length else text.partition(b"\t")[0]


def _names_of_git_line(text: bytes, at: int) -> tuple[bytes, bytes]:
    """Read `a/name b/name`, where nothing but the equal names says at which blank to cut."""
    length = quoted_length(text)
    if length and text[length : length + 1] == b" ":
        return unquote(text[:length]), unquote(text[length + 1 :])
    if text.endswith(b'"') and (start := text.find(b' "')) > 0:
        return text[:start], unquote(text[start + 1 :])
    middle = len(text) // 2
    if len(text) % 2 and text[middle : middle + 1] == b" ":
        return text[:middle], text[middle + 1 :]
    raise UsageError(f"line {at + 1} of the diff names no file that can be told")


def _stripped(old: bytes, new: bytes) -> tuple[bytes, bytes]:
    """Take the prefixes off, when both names that there are bear one."""
    old_fits = old == _NOTHING or old.startswith(_OLD_PREFIXES)
    new_fits = new == _NOTHING or new.startswith(_NEW_PREFIXES)
    if not (old_fits and new_fits) or (old[:2] == new[:2] and old != _NOTHING):
        return old, new
    return old if old == _NOTHING else old[2:], new if new == _NOTHING else new[2:]
