"""Shell scripts, judged by the shell that they are written for: it reads them to the end, and runs nothing."""

import re

from verify_lsp.model.command import Command
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.system.environment import search_path
from verify_lsp.toolchains.output import head
from verify_lsp.verifiers.base import Runner, Subject, Verdict
from verify_lsp.verifiers.code.grammar_text import other_kind, shell_of, verify_shell

TIME_LIMIT_S = 10.0

_LINE = re.compile(r": (?:line )?(?P<line>\d+): (?:Syntax error: |(?P<warning>warning: )?)(?P<message>.+)")
_TOKEN = re.compile(r"near (?:unexpected token )?`(?P<near>.+)'$|^\"?(?P<unexpected>[^\"\s]+)\"? unexpected")
_OTHERS = frozenset({"zsh", "ksh", "mksh"})
_RULE = "shell.syntax"
# Files that a shell would read before it looks at the script.
_NO_STARTUP = {"BASH_ENV": "", "ENV": ""}


async def verify_shell_with_shell(subject: Subject, run: Runner) -> Verdict:
    """Ask `bash -n`, and for `#!/bin/sh` dash as well; without them the grammar's verdict stands."""
    shell = shell_of(subject.text)
    program = shell if shell in _OTHERS else "bash"
    if shell is not None and shell not in {"sh", "bash", "dash", "ash", "busybox", *_OTHERS}:
        return verify_shell(subject)
    said = await _said(program, (), subject, run)
    if said is None:
        quick = verify_shell(subject)
        return (
            quick if quick.skipped else Verdict(quick.problems, note=f"parsed by a grammar, as {program} is not here")
        )
    if said and program == "bash" and not await _said("bash", ("-O", "extglob"), subject, run):
        # What `shopt -s extglob` allows is known only when it runs.
        said = ()
    if not said and shell in {"sh", "dash", "ash"}:
        said = tuple(_for_sh_only(problem) for problem in await _said("dash", (), subject, run) or ())
    if said and (reason := other_kind("shell", subject.text)):
        return Verdict(skipped=reason)
    return Verdict(said)


async def _said(program: str, options: tuple[str, ...], subject: Subject, run: Runner) -> tuple[Problem, ...] | None:
    """Return the first complaint, none where there is none; None where the shell is not here or did not answer."""
    import shutil

    if shutil.which(program, path=search_path()) is None:
        return None
    command = Command((program, *options, "-n", str(subject.path)), env=_NO_STARTUP, timeout_s=TIME_LIMIT_S)
    result = await run(command, subject.path.parent)
    if result.exit_code is None:
        return None
    prefix = str(subject.path)
    for line in result.stderr.splitlines():
        found = _LINE.match(line[len(prefix) :]) if line.startswith(prefix) else None
        if found:
            return (_problem(subject.text, found),)
    return () if result.exit_code == 0 else None


def _problem(text: str, found: re.Match[str]) -> Problem:
    lines = text.split("\n")
    line = min(int(found["line"]), max(len(lines), 1))
    message = head(found["message"].strip(), 300)
    column = _column(lines[line - 1], message)
    severity: Severity = "medium" if found["warning"] else "high"
    return Problem("", line, severity, _RULE, message, column)


def _column(line: str, message: str) -> int | None:
    """Shells name a line and a token; where the token stands once on the line, its column is known."""
    found = _TOKEN.search(message)
    token = (found["near"] or found["unexpected"]) if found else None
    if not token or line.count(token) != 1:
        return None
    return line.index(token) + 1


def _for_sh_only(problem: Problem) -> Problem:
    message = f"{problem.message} (bash takes it, but the script asks for sh, and dash does not)"
    return Problem("", problem.line, "medium", problem.rule, message, problem.column)
