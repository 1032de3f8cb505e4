"""What cargo itself refuses, before or beside the compiler: manifests, dependencies, build scripts, this machine."""

import re
from pathlib import Path

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.output import head, plain, relative_path
from verify_lsp.toolchains.rust.manifests import MANIFEST

RULE = "cargo"


@attrs.frozen
class CargoErrors:
    """Errors on cargo's stderr.

    Attributes:
        problems: Errors of the project's own files.
        unfit: Why this machine, or the network, cannot tell; None if it can.
        other: The first error that is neither; None when there is none.
    """

    problems: tuple[Problem, ...] = ()
    unfit: str | None = None
    other: str | None = None


# What is wrong with this machine or its network, not with the code.
_UNFIT = re.compile(
    r"offline mode|--offline|toolchain '[^']+' is not installed|rustup could not choose|is not installed for the toolchain"
    r"|is not supported by the following package|requires rustc |spurious network error|Could not (?:connect|resolve)"
    r"|failed to (?:connect|resolve|download|update registry|authenticate)|[Cc]onnection (?:refused|reset|timed out)"
    r"|network failure|no authentication|feature `\w+` is required|target may not be installed|No space left on device"
)
_LOCK = re.compile(r"error: (?:cannot (?:update|create) the lock file|the lock file .* needs to be updated)")
_COMPILER = re.compile(
    r"error(?:\[\w+\])?: (?:could not compile|test failed|doctest failed|\d+ targets? failed|test run failed)"
)
_ARROW = re.compile(r"^\s*--> (?P<path>.+\.toml)(?::(?P<line>\d+):(?P<column>\d+))?$", re.MULTILINE)
_UNPARSED = re.compile(r"failed to parse manifest at `(?P<path>[^`]+)`")
_UNREAD = re.compile(r"(?:error reading|failed to read|failed to load manifest for workspace member) `(?P<path>[^`]+)`")
_BUILD_SCRIPT = re.compile(r"failed to run custom build command for `(?P<name>\S+) \S+(?: \((?P<folder>[^)]+)\))?`")
_PANICKED = re.compile(r"panicked at (?P<path>\S+\.rs):(?P<line>\d+):(?P<column>\d+):\n(?P<message>.*)")
_REQUIRED_BY = re.compile(r"(?:required by|dependency of) package `[^`(]+\((?P<folder>/[^)]+|[A-Za-z]:[^)]+)\)`")
_DEPENDENCY = re.compile(
    r"(?:no matching package named|no matching package found for|failed to get|failed to select a version for"
    r"(?: the requirement)?) `(?P<name>[\w-]+)"
)
_STRAY = re.compile(r"^current:\s+(?P<path>.+)$", re.MULTILINE)


def read_cargo_errors(stderr: str, folder: Path) -> CargoErrors:
    """Return what cargo's own errors say.

    Args:
        folder: The workspace's absolute folder.
    """
    problems: list[Problem] = []
    unfit: str | None = None
    other: str | None = None
    for block in re.split(r"^(?=error(?:\[\w+\])?: )", plain(stderr), flags=re.MULTILINE):
        if not block.startswith("error") or _COMPILER.match(block):
            continue
        if _LOCK.match(block):
            unfit = unfit or "Cargo.lock does not fit Cargo.toml, and cargo would rewrite it"
        elif _UNFIT.search(block):
            unfit = unfit or _unfit_reason(block)
        elif found := _BUILD_SCRIPT.search(block):
            problem = _build_script(found, block, folder)
            problems += [problem] if problem else []
            unfit = unfit if problem else unfit or _foreign_script(found, block)
        elif problem := _in_manifest(block, folder):
            problems.append(problem)
        else:
            other = other or head(block, 300)
    return CargoErrors(tuple(dict.fromkeys(problems)), unfit, other)


def _in_manifest(block: str, folder: Path) -> Problem | None:
    message = head(_first(block))
    causes = re.findall(r"^Caused by:\n  (.+)$", block, re.MULTILINE)
    if found := _ARROW.search(block):
        column = int(found["column"]) if found["column"] else None
        return _at(found["path"], folder, int(found["line"] or 1), message, column)
    if (found := _UNPARSED.search(block)) and (problem := _at(found["path"], folder, 1, _caused(message, causes))):
        return problem
    if found := _REQUIRED_BY.search(block):
        manifest = str(Path(found["folder"]) / MANIFEST)
        return _at(manifest, folder, _line_of_dependency(block, Path(manifest)), message)
    if found := _UNREAD.search(block):
        return _at(found["path"], folder, 1, _caused(message, causes))
    if found := _STRAY.search(block):
        return _at(found["path"].strip(), folder, 1, message.rstrip(":"))
    return None


def _caused(message: str, causes: list[str]) -> str:
    return head(f"{message}: {causes[-1]}" if causes else message)


def _line_of_dependency(block: str, manifest: Path) -> int:
    found = _DEPENDENCY.search(block)
    if found is None:
        return 1
    try:
        lines = manifest.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError):
        return 1
    wanted = re.compile(
        rf'\s*"?{re.escape(found["name"])}"?\s*[.=]|.*package\s*=\s*"{re.escape(found["name"])}"|\[.*\.{re.escape(found["name"])}\]'
    )
    return next((number for number, line in enumerate(lines, 1) if wanted.match(line)), 1)


def _build_script(found: re.Match[str], block: str, folder: Path) -> Problem | None:
    """Return the failure of a build script of the project; one of a dependency is for want of something here."""
    own = relative_path(found["folder"], folder) if found["folder"] else None
    if own is None:
        return None
    text = re.sub(r"^  ", "", block, flags=re.MULTILINE)
    panic = _PANICKED.search(text)
    message = f"the build script of {found['name']} failed"
    if panic and (inside := relative_path(str(folder / panic["path"]), folder)):
        return Problem(
            inside, int(panic["line"]), "high", RULE, head(f"{message}: {panic['message']}"), int(panic["column"])
        )
    return Problem(f"{own}/build.rs" if own != "." else "build.rs", 1, "high", RULE, message)


def _foreign_script(found: re.Match[str], block: str) -> str:
    panic = _PANICKED.search(re.sub(r"^  ", "", block, flags=re.MULTILINE))
    said = f": {panic['message']}" if panic else ""
    return head(f"the build script of {found['name']} failed{said}", 300)


def _at(path: str, folder: Path, line: int, message: str, column: int | None = None) -> Problem | None:
    inside = relative_path(path, folder)
    return Problem(inside, line, "high", RULE, message, column) if inside else None


def _first(block: str) -> str:
    return re.sub(r"^error(?:\[\w+\])?: ", "", block.split("\n", maxsplit=1)[0])


def _unfit_reason(block: str) -> str:
    causes = re.findall(
        r"^(?:Caused by:\n)?  (.+ requires rustc .+|\[\d+\] .+|failed to connect .+)$", block, re.MULTILINE
    )
    offline = " (cargo is offline)" if re.search(r"offline mode|--offline", block) else ""
    cause = f" {causes[-1].strip()}" if causes else ""
    return head(f"{_first(block)}{cause}{offline}", 300)
