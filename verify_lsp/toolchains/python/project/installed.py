"""What is installed in an environment, found by looking into its folders; nothing is run for it."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

_METADATA = re.compile(r"(?P<name>.+?)(-(?P<version>\d[^-]*)(-py[\d.]+)?)?\.(dist-info|egg-info|egg-link)")


def installed_version(site_packages: tuple[Path, ...], distribution: str) -> str | None:
    """Return the version of an installed distribution, "" where it does not say; None when it is not installed."""
    wanted = _normalised(distribution)
    for folder in site_packages:
        for name in _names(folder):
            match = _METADATA.fullmatch(name)
            if match and _normalised(match["name"]) == wanted:
                return match["version"] or ""
    return None


def editable_folders(site_packages: tuple[Path, ...]) -> Iterator[Path]:
    """Yield the folders outside the environment that its packages are imported from.

    These are the projects of editable installs, with their `src`, and the lines of `.pth` files.
    """
    for folder in site_packages:
        for name in _names(folder):
            if name.endswith(".dist-info"):
                yield from _editable_project(folder / name / "direct_url.json")
            elif name.endswith((".pth", ".egg-link")):
                yield from _listed_folders(folder / name)


def _editable_project(direct_url: Path) -> Iterator[Path]:
    try:
        data = json.loads(direct_url.read_text(encoding="utf-8"))
        url = urlsplit(data["url"]) if data["dir_info"]["editable"] is True else None
    except (OSError, ValueError, KeyError, TypeError):
        return
    if url is not None and url.scheme == "file":
        project = Path(unquote(url.path))
        yield project
        yield project / "src"


def _listed_folders(path: Path) -> Iterator[Path]:
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    yield from (Path(line.strip()) for line in lines if line.strip().startswith(os.sep))


def _names(folder: Path) -> list[str]:
    try:
        return sorted(os.listdir(folder))  # noqa: PTH208  # names are enough
    except OSError:
        return []


def _normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
