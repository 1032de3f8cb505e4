"""Go: the syntax as gofmt sees it, and the file's package as `go vet` does, with its build constraints understood."""

import re
import shutil
from collections.abc import Iterator
from pathlib import PurePosixPath

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.system.environment import search_path
from verify_lsp.toolchains.base import Project, Unreadable
from verify_lsp.toolchains.go.constraints import build_context, imports_c, not_built
from verify_lsp.toolchains.go.module import go_environment, reading_flags, root_of
from verify_lsp.toolchains.go.vet import read_vet
from verify_lsp.toolchains.output import head, relative_path
from verify_lsp.verifiers.base import Runner, Subject, Verdict
from verify_lsp.verifiers.code.grammar_text import verify_go

TIME_LIMIT_S = 30.0
_GOFMT_LIMIT_S = 10.0

# Nothing is fetched, and git is not asked for the revision, as its settings in a repository may name programs.
_OFFLINE = {"GOPROXY": "off", "GONOPROXY": "none", "GOVCS": "*:off"}
# An import is often written before `go get` is run.
_NOT_YET_ADDED = re.compile(r"missing go\.sum entry|no required module provides|cannot find module providing")
_ERROR = re.compile(r":(?P<line>\d+):(?P<column>\d+): (?P<message>.+)")


async def verify_go_with_go(subject: Subject, run: Runner) -> Verdict:
    """Ask gofmt about a saved file, and `go vet` about its package where it belongs to a module.

    Compiling runs nothing that the repository carries. It gives C code to the C compiler, with flags from the source:
    in a workspace that is not trusted, cgo is off.
    """
    syntax = await _syntax(subject, run)
    if syntax.problems or syntax.skipped or subject.workspace is None:
        return syntax
    project = _project(subject)
    if project is None:
        return Verdict(note="only its syntax was verified, because it belongs to no Go module")
    if reason := _left_out(project, subject):
        return Verdict(skipped=f"only its syntax was verified: {reason}")
    result = await run(_vet(project, trusted=subject.trusted), project.place)
    if result.timed_out:
        return Verdict(skipped="only its syntax was verified: go vet took too long")
    return _judged(project, result)


async def _syntax(subject: Subject, run: Runner) -> Verdict:
    """Return gofmt's verdict, or the grammar's where it is not installed."""
    if shutil.which("gofmt", path=search_path()) is None:
        return verify_go(subject)
    command = Command(("gofmt", "-e", "-l", str(subject.path)), timeout_s=_GOFMT_LIMIT_S)
    result = await run(command, subject.path.parent)
    if result.exit_code == 0:
        return Verdict()
    problems = tuple(_complaints(subject, result.stderr))
    if not problems:
        return verify_go(subject)
    quick = verify_go(subject)
    if quick.skipped:
        return quick
    # gofmt finds a missing bracket where the file ends; our own look says where it was opened.
    certain = next((problem for problem in quick.problems if problem.severity == "high"), None)
    return Verdict((certain or problems[0],))


def _complaints(subject: Subject, text: str) -> Iterator[Problem]:
    """Yield what gofmt says; columns count bytes there. Of several words on one place the plainest come first."""
    lines = subject.text.encode("utf-8", "surrogatepass").split(b"\n")
    prefix = str(subject.path)
    found = [
        match for line in text.splitlines() if line.startswith(prefix) and (match := _ERROR.match(line[len(prefix) :]))
    ]
    order = {match: (int(match["line"]), int(match["column"]), "expected ';'" in match["message"]) for match in found}
    for match in sorted(found, key=order.__getitem__):
        line = min(int(match["line"]), len(lines))
        before = lines[line - 1][: int(match["column"]) - 1]
        yield Problem(
            "", line, "high", "go.syntax", head(match["message"], 300), len(before.decode("utf-8", "replace")) + 1
        )


def _project(subject: Subject) -> Project | None:
    workspace = subject.workspace
    inside = relative_path(str(subject.path), workspace) if workspace is not None else None
    root = root_of(workspace, inside) if workspace is not None and inside is not None else None
    if workspace is None or inside is None or root is None:
        return None
    path = inside if root == "." else inside.removeprefix(f"{root}/")
    return Project(workspace, workspace, root, (path,), search_path(), workspace)


def _left_out(project: Project, subject: Subject) -> str | None:
    """Say why the file is in no package that is built here."""
    (path,) = project.changed
    if shutil.which("go", path=project.path) is None:
        return "go is not installed"
    if {"testdata", "vendor"} & set(PurePosixPath(path).parts[:-1]):
        return "test data and vendored files are in no package of the module"
    context = build_context(project)
    if not subject.trusted:
        context = attrs.evolve(context, cgo=False)
    if not not_built(project.folder, path, context):
        return None
    if imports_c(subject.text):
        why = "no C compiler is here" if subject.trusted else "cgo is off in a workspace that is not trusted"
        return f"it needs cgo, and {why}"
    return "its name or its build constraint leaves it out on this system"


def _vet(project: Project, *, trusted: bool) -> Command:
    (path,) = project.changed
    folder = PurePosixPath(path).parent.as_posix()
    environment = {**go_environment(project), **_OFFLINE, **({} if trusted else {"CGO_ENABLED": "0"})}
    argv = ("go", "vet", "-json", "-buildvcs=false", *reading_flags(), "." if folder == "." else f"./{folder}")
    return Command(argv, project.root, environment, TIME_LIMIT_S)


def _judged(project: Project, result: CommandResult) -> Verdict:
    (path,) = project.changed
    seen = read_vet(project, result)
    if isinstance(seen, Unreadable):
        return Verdict(skipped=f"only its syntax was verified: {seen.reason}")
    own = tuple(_own(problem) for problem in seen if problem.path == path)
    if own or not seen:
        return Verdict(own)
    other = seen[0]
    where = f"{other.path}:{other.line}: " if other.path else ""
    return Verdict(
        skipped=f"only its syntax was verified, as its package does not build: {where}{head(other.message, 200)}"
    )


def _own(problem: Problem) -> Problem:
    """An error of the compiler is one; what an analyzer finds is worth a look."""
    if problem.rule != "compile":
        return attrs.evolve(problem, path="", rule=f"go.vet.{problem.rule}", severity="medium")
    if _NOT_YET_ADDED.match(problem.message):
        return attrs.evolve(problem, path="", rule="go.missing-module", severity="medium")
    return attrs.evolve(problem, path="", rule="go.compile", severity="high")
