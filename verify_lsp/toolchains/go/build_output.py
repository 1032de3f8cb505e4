"""What `go` prints when code does not load or compile, read line by line.

There are three layers, and Go formats each in its own way: loading packages (nothing was looked at), compiling
(blocks under `# package`), and type-checking for vet (`vet: ` and the first error of a package only).
"""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

import attrs

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.go.constraints import c_compiler_there, imports_c
from verify_lsp.toolchains.go.source_lines import SourceLines
from verify_lsp.toolchains.output import head, plain

RULE = "compile"


@attrs.frozen
class BuildOutput:
    """What stands between the lines of a failed build.

    Attributes:
        problems: Errors of the code, with paths relative to the folder Go ran in; "" outside of it.
        unfit: Why this machine cannot tell (no C compiler, a module that is not here); None if it can.
        first_only: Packages of which only the first error is told.
        complete: False when packages were left out because others failed.
    """

    problems: tuple[Problem, ...] = ()
    unfit: str | None = None
    first_only: tuple[str, ...] = ()
    complete: bool = True


def read_build_output(text: str, sources: SourceLines, path: str) -> BuildOutput:
    """Return the errors in what `go` printed.

    Args:
        sources: The files of the folder that Go ran in.
        path: The PATH that Go's helpers are searched on.
    """
    reader = _Reader(sources, path)
    for block in _blocks(plain(text).split("\n")):
        reader.read(block)
    return BuildOutput(
        tuple(dict.fromkeys(reader.problems)), reader.unfit, tuple(dict.fromkeys(reader.first_only)), reader.complete
    )


def _blocks(lines: list[str]) -> Iterator[str]:
    """Join each line with the indented ones that continue it."""
    block: list[str] = []
    for line in lines:
        if line.startswith("\t") and block:
            block.append(line)
            continue
        if block:
            yield "\n".join(block)
        block = [line]
    yield "\n".join(block)


_PLACE = re.compile(
    r"(?P<vet>vet: )?(?P<path>(?:[A-Za-z]:[\\/])?[^\s:][^:\n]*):(?P<line>\d+)(?::(?P<column>\d+))?: (?P<message>.+)",
    re.DOTALL,
)
_NOISE = re.compile(r"go: (?:downloading|finding|extracting|warning:|found) |warning: |FAIL\b|exit status ")
# What is wrong with this machine or its network, not with the code.
_UNFIT = re.compile(
    r"requires go >= |toolchain not available|invalid GOTOOLCHAIN|module lookup disabled by GOPROXY"
    r"|GOVCS disallows|dial tcp|no such host|connection (?:refused|reset)|i/o timeout|TLS handshake|x509: "
    r"|: [45]\d\d [A-Z][A-Za-z ]+$|executable file not found|terminal prompts disabled|unrecognized import path"
    r"|unknown revision|cannot find main module|does not contain modules listed in go\.work|no such tool",
    re.MULTILINE,
)
# A mistake in the module's own files, without a line of its own.
_MODULE = re.compile(
    r"go: (?:inconsistent vendoring|updates to go\.(?:mod|work|sum) needed|updating go\.|module \S+ listed in go\.work"
    r"|conflicting replacements|cannot load module|errors parsing|error (?:loading|reading) (?:module|go\.mod))"
)
_CONTINUES = re.compile(r"go: errors parsing [^\n]+:$")
_SEVERITIES: tuple[tuple[str, Severity | None], ...] = (
    ("fatal error: ", "high"),
    ("error: ", "high"),
    ("warning: ", "medium"),
    ("note: ", None),
)


class _Reader:
    def __init__(self, sources: SourceLines, path: str) -> None:
        self.problems: list[Problem] = []
        self.unfit: str | None = None
        self.first_only: list[str] = []
        self.complete = True
        self._sources = sources
        self._path = path
        self._package = ""

    def read(self, block: str) -> None:
        """Take one line with its continuation."""
        if block.startswith("# "):
            self._header(block)
        elif not block.strip() or _NOISE.match(block) or _CONTINUES.match(block):
            return
        elif found := _PLACE.fullmatch(block):
            self._placed(found)
        elif block.startswith("package "):
            self._package_block(block)
        elif found := re.fullmatch(r"found packages .*\((\S+)\) in (.+)", block):
            self._stopped(f"{found.group(2)}/{found.group(1)}", block)
        elif _UNFIT.search(block):
            self._unfit(block)
        elif _MODULE.match(block):
            self._stopped("go.mod", block.removeprefix("go: "))

    def _stopped(self, path: str, message: str) -> None:
        """Take an error of no line, behind which Go looked at nothing more."""
        self._add(path, 1, None, message)
        self.complete = False

    def _header(self, block: str) -> None:
        found = re.match(r"# ([^\s\[]+)", block)
        if found:
            self._package = found.group(1)

    def _placed(self, found: re.Match[str]) -> None:
        message = found["message"]
        if _UNFIT.search(message):
            self._unfit(message)
            return
        column = int(found["column"]) if found["column"] else None
        self._add(found["path"], int(found["line"]), column, message)
        if found["vet"] and self._package:
            self.first_only.append(self._package)
        else:
            self.complete = False

    def _package_block(self, block: str) -> None:
        """Read `package a`, a chain of imports, and what is wrong at its end."""
        last = block.rsplit("\n", maxsplit=1)[-1].strip()
        if found := _PLACE.fullmatch(last):
            self._placed(found)
            return
        excluded = re.search(r"build constraints exclude all Go files in (.+)", last)
        if excluded and self._lacks_c(excluded.group(1)):
            self._unfit(f"{last.removeprefix('imports ')} (they need a C compiler, which is not installed)")
            return
        self._add("", 0, None, block.replace("\n\t", ", "))
        self.complete = False

    def _lacks_c(self, folder: str) -> bool:
        if c_compiler_there(self._path):
            return False
        files = sorted((self._sources.folder / folder).glob("*.go"))
        return any(imports_c(file.read_text(encoding="utf-8", errors="replace")) for file in files)

    def _unfit(self, text: str) -> None:
        self.unfit = self.unfit or _unfit_reason(text)
        self.complete = False

    def _add(self, path: str, line: int, column: int | None, message: str) -> None:
        severity, message, from_c = _severity(message)
        if severity is None:
            return
        inside = self._sources.place(path) if path else None
        if inside is None:
            text = head(f"{path}:{line}: {message}" if path else message)
            self.problems.append(Problem("", 0, severity, RULE, text))
            return
        # C is cut out of its comment before it is compiled, so that its columns are off by the "//".
        column = None if from_c else column
        if column is not None:
            column = self._sources.column(inside, line, column)
        posix = PurePosixPath(inside).as_posix()
        self.problems.append(Problem(posix, line, severity, RULE, head(_joined(message)), column))


def _severity(message: str) -> tuple[Severity | None, str, bool]:
    """C compilers, called for cgo, mark their lines; Go's own are all errors."""
    for prefix, severity in _SEVERITIES:
        if message.startswith(prefix):
            return severity, message.removeprefix(prefix), True
    return "high", message, False


def _joined(message: str) -> str:
    return re.sub(r"\n\t+", "\n  ", message)


def _unfit_reason(text: str) -> str:
    first = text.strip().split("\n")[0].removeprefix("go: ")
    if found := re.search(r"(\S+) requires go >= (\S+) \(running go ([^;)]+)", first):
        return f"{found.group(1)} requires go {found.group(2)} or later, and go {found.group(3)} is installed"
    return head(first, 300)
