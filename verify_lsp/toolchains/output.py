"""Reading what tools print: the few things every parser needs."""

import os
import re
from pathlib import Path

# CSI and two-byte escapes, OSC strings (hyperlinks) up to BEL or ST, and stray control characters.
_ESCAPE = re.compile(r"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]|\x1b[@-Z\\-_]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def plain(text: str) -> str:
    r"""Return `text` as a terminal would leave it: no escapes, and of a line redrawn with `\r` only the last state."""
    text = _ESCAPE.sub("", text).replace("\r\n", "\n")
    lines = (line.rstrip("\r").rpartition("\r")[2] for line in text.split("\n"))
    return _CONTROL.sub("", "\n".join(lines))


def relative_path(path: str, folder: Path) -> str | None:
    """Return `path`, absolute or relative to `folder`, as a POSIX path relative to `folder`; None when outside."""
    joined = os.path.normpath(os.path.join(folder, path))  # noqa: PTH118  # Path would not collapse "..".
    # The disk is asked only where the text does not tell: a suite names thousands of tests.
    return (
        _below(joined, str(folder))
        or _below(os.path.realpath(joined), str(folder))
        or _below(joined, os.path.realpath(folder))
        or _below(os.path.realpath(joined), os.path.realpath(folder))
    )


def _below(path: str, base: str) -> str | None:
    if path != base and not path.startswith(base.rstrip(os.sep) + os.sep):
        return None
    return Path(os.path.relpath(path, base)).as_posix()


def code_point_column(line: str, utf16_units: int) -> int:
    """Return the 1-based column in code points of a 0-based offset in UTF-16 units of `line`."""
    return len(line.encode("utf-16-le")[: utf16_units * 2].decode("utf-16-le", "ignore")) + 1


def head(text: str, limit: int = 600) -> str:
    """Return the beginning of `text`, at most `limit` characters, for a message."""
    text = plain(text).strip()
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
