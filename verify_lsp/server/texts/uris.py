"""File addresses: from the client's spelling to a path, and back to a spelling the client knows."""

import os
import re
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes, urlsplit

_DRIVE = re.compile(r"^/([A-Za-z]):")
_SAFE = "/!$&'()*+,;=:@~-._"


def path_of(uri: str) -> Path | None:
    """Return the path a `file:` address means; None for every other scheme, and for what is no address."""
    named = file_path(uri, windows=os.name == "nt")
    return None if named is None else Path(named)


def file_path(uri: str, *, windows: bool) -> str | None:
    r"""Return the path that `uri` names on Windows or elsewhere, with the drive letter in upper case.

    Editors write one Windows file as `file:///c%3A/x` and as `file:///C:/x`: both give `C:\x`.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file":
        return None
    path = os.fsdecode(unquote_to_bytes(parts.path))
    if "\0" in path or not path.startswith("/"):
        return None
    if not windows:
        return path
    if parts.netloc and parts.netloc != "localhost":
        path = f"//{parts.netloc}{path}"
    path = _DRIVE.sub(lambda drive: drive.group(1).upper() + ":", path)
    return path.replace("/", "\\")


def uri_of(path: Path) -> str:
    """Return the plain address of an absolute `path`."""
    posix = path.as_posix()
    return "file://" + ("" if posix.startswith("/") else "/") + quote(os.fsencode(posix), safe=_SAFE)


def below(folder_uri: str, relative: str) -> str:
    """Return the address of `relative` (POSIX style) in the client's own spelling of its folder."""
    return folder_uri.rstrip("/") + "/" + quote(os.fsencode(relative), safe=_SAFE)


def key_of(path: Path) -> str:
    """Return the one name by which a file is known, whatever link or letter case it was reached through."""
    try:
        return os.path.normcase(os.path.realpath(path))
    except ValueError:  # No file can have such a name: it holds a NUL, or what no encoding can write.
        return os.path.normcase(path)
