"""What the user told Go: its environment variables, and the file that `go env -w` keeps."""

import os
import platform
import sys
from pathlib import Path


def go_setting(name: str) -> str:
    """Return the user's value of a Go variable such as `GOFLAGS`; empty when it is not set."""
    return os.environ.get(name) or _kept_settings().get(name, "")


def goos() -> str:
    """Return the operating system that Go builds for here."""
    return go_setting("GOOS") or {"win32": "windows", "cygwin": "windows"}.get(sys.platform, sys.platform)


def goarch() -> str:
    """Return the processor that Go builds for here."""
    machine = platform.machine().lower()
    return go_setting("GOARCH") or _PROCESSORS.get(machine, machine)


def gopath() -> Path:
    """Return the first folder of GOPATH."""
    first = go_setting("GOPATH").split(os.pathsep)[0]
    return Path(first) if first else Path.home() / "go"


def module_cache() -> Path:
    """Return the folder that holds the modules that were fetched."""
    given = go_setting("GOMODCACHE")
    return Path(given) if given else gopath() / "pkg" / "mod"


def build_cache() -> Path:
    """Return the folder that holds what was compiled."""
    given = go_setting("GOCACHE")
    return Path(given) if given else _cache_folder() / "go-build"


def settings_file() -> str:
    """Return Go's own settings file, which need not be there; "off" where the user wants none."""
    return os.environ.get("GOENV") or str(_config_folder() / "go" / "env")


_PROCESSORS = {"x86_64": "amd64", "aarch64": "arm64", "i386": "386", "i686": "386", "armv7l": "arm", "armv6l": "arm"}


def _kept_settings() -> dict[str, str]:
    """Read Go's own settings file; what cannot be read was not set."""
    place = settings_file()
    if place == "off":
        return {}
    try:
        text = Path(place).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines() if not line.startswith("#"))
    return {name.strip(): value.strip() for name, found, value in pairs if found}


def _config_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _cache_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
