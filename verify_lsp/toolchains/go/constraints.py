"""Which Go files are built on this machine, by name and by `//go:build` line."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.go.settings import go_setting, goarch, goos

# The beginning of a file is enough: a build constraint stands above the package clause.
_HEAD_BYTES = 64_000


@attrs.frozen
class BuildContext:
    """What decides about a file.

    Attributes:
        tags: Tags that were set, beside those that follow from the system.
        cgo: True when C can be compiled.
    """

    goos: str
    goarch: str
    tags: frozenset[str] = frozenset()
    cgo: bool = True

    def holds(self, tag: str) -> bool:
        """Return whether a build tag is satisfied; `go1.N` always is, since an older Go refuses the module."""
        if tag in {self.goos, self.goarch, "gc"} or tag in self.tags or re.fullmatch(r"go1\.\d+", tag):
            return True
        if tag == "cgo":
            return self.cgo
        if tag == "unix":
            return self.goos in _UNIX
        return tag in _IMPLIED.get(self.goos, ())


def build_context(project: Project) -> BuildContext:
    """Return what `go` in this project goes by."""
    return BuildContext(goos(), goarch(), _tags(go_setting("GOFLAGS")), c_compiler_there(project.path))


def c_compiler_there(path: str) -> bool:
    """Return whether cgo is on, as Go decides it: by CGO_ENABLED, else by finding the C compiler."""
    asked = go_setting("CGO_ENABLED")
    if asked:
        return asked != "0"
    compiler = (go_setting("CC") or ("clang" if goos() == "darwin" else "gcc")).split()[0]
    return shutil.which(compiler, path=path) is not None


def not_built(folder: Path, path: str, context: BuildContext) -> bool:
    """Return whether Go leaves a file out of every package: by its name, its constraint, or for want of C.

    Args:
        folder: The module's absolute folder.
        path: The file, relative to `folder`. Test data is no source, and so never "left out".
    """
    name = PurePosixPath(path)
    if "testdata" in name.parts[:-1] or "vendor" in name.parts[:-1]:
        return False
    if any(part.startswith(("_", ".")) for part in name.parts):
        return True
    if not name_matches(name.name, context):
        return True
    text = _head(folder / path)
    return not constraint_holds(text, context) or (not context.cgo and imports_c(text))


def name_matches(name: str, context: BuildContext) -> bool:
    """Return whether a file name such as `pipe_windows_test.go` is for this system."""
    stem = name.removesuffix(".go").removesuffix("_test")
    # Before the first "_" a system's name means nothing: `linux.go` is built everywhere.
    parts = stem.split("_")[1:]
    if len(parts) >= 2 and parts[-2] in _SYSTEMS and parts[-1] in _ARCHITECTURES:
        return context.holds(parts[-2]) and context.holds(parts[-1])
    if parts and (parts[-1] in _SYSTEMS or parts[-1] in _ARCHITECTURES):
        return context.holds(parts[-1])
    return True


def constraint_holds(text: str, context: BuildContext) -> bool:
    """Return whether the file's `//go:build` line, if it has one, is satisfied. What Go would refuse holds."""
    for line in _above_package(text):
        if found := re.match(r"//go:build\s+(.*)", line):
            try:
                return _Expression(found.group(1), context.holds).value()
            except (ValueError, RecursionError):
                return True
    return True


def imports_c(text: str) -> bool:
    """Return whether a file uses cgo."""
    return re.search(r'^\s*(?:import\s+)?"C"', text, re.MULTILINE) is not None


def _above_package(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        if re.match(r"\s*package\b", line):
            break
        lines.append(line.strip())
    return lines


def _head(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _tags(flags: str) -> frozenset[str]:
    found = re.findall(r"(?:^|\s)--?tags=(\S+)", flags)
    return frozenset(tag for group in found for tag in group.strip("'\"").split(",") if tag)


class _Expression:
    """`a && (b || !c)`, read by descent."""

    def __init__(self, text: str, holds: Callable[[str], bool]) -> None:
        self._tokens = re.findall(r"&&|\|\||[!()]|[^\s!()&|]+", text)
        self._holds = holds

    def value(self) -> bool:
        value = self._either()
        if self._tokens:
            raise ValueError("text after the expression")
        return value

    def _either(self) -> bool:
        value = self._both()
        while self._take("||"):
            value = self._both() or value
        return value

    def _both(self) -> bool:
        value = self._not()
        while self._take("&&"):
            value = self._not() and value
        return value

    def _not(self) -> bool:
        if self._take("!"):
            return not self._not()
        if self._take("("):
            value = self._either()
            if not self._take(")"):
                raise ValueError("no closing parenthesis")
            return value
        if not self._tokens or self._tokens[0] in {"&&", "||", ")"}:
            raise ValueError("a tag is missing")
        return self._holds(self._tokens.pop(0))

    def _take(self, token: str) -> bool:
        if self._tokens and self._tokens[0] == token:
            self._tokens.pop(0)
            return True
        return False


_UNIX = frozenset(
    (
        "aix",
        "android",
        "darwin",
        "dragonfly",
        "freebsd",
        "hurd",
        "illumos",
        "ios",
        "linux",
        "netbsd",
        "openbsd",
        "solaris",
    )
)
_IMPLIED = {"android": ("linux",), "illumos": ("solaris",), "ios": ("darwin",)}
_SYSTEMS = _UNIX | {"js", "nacl", "plan9", "wasip1", "windows", "zos"}
# fmt: off
_ARCHITECTURES = frozenset((
    "386", "amd64", "amd64p32", "arm", "arm64", "arm64be", "armbe", "loong64", "mips", "mips64", "mips64le",
    "mips64p32", "mips64p32le", "mipsle", "ppc", "ppc64", "ppc64le", "riscv", "riscv64", "s390", "s390x", "sparc",
    "sparc64", "wasm",
))
# fmt: on
