"""Biome as a linter, read from the annotations that it writes for GitHub: its JSON has no lines."""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.node.installed import find_own_program, not_installed, program_folders
from verify_lsp.toolchains.node.located import locate
from verify_lsp.toolchains.node.package_manager import QUIET
from verify_lsp.toolchains.output import head, plain

BIOME_CONFIGS = ("biome.json", "biome.jsonc")

_ANNOTATION = re.compile(r"::(?P<level>error|warning|notice) (?P<fields>title=[^\n]*?)::(?P<text>[^\n]*)")
_SEVERITIES: dict[str, Severity] = {"error": "medium", "warning": "low", "notice": "info"}
_RULE_PAGES = "https://biomejs.dev/linter/rules/"


def biome_step(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return how to lint the changed files with biome."""
    if find_own_program(project, "biome") is None:
        return not_installed(project, "biome")
    folders = program_folders(project)
    options = ("--reporter=github", "--colors=off", "--max-diagnostics=none", "--no-errors-on-unmatched")
    command = Command(
        ("biome", "lint", *options, "--files-ignore-unknown=true", "--", *project.changed),
        cwd=project.root,
        env=QUIET,
        timeout_s=timeout_s,
        path_prepend=folders,
    )

    def parse(result: CommandResult) -> tuple[Problem, ...] | Unreadable:
        problems = tuple(_problems(plain(result.stdout), project))
        if result.exit_code not in {0, 1} or (result.exit_code == 1 and not problems):
            said = head(result.stderr, 400) or head(result.stdout, 400) or "it printed nothing"
            return Unreadable(f"biome failed (exit {result.exit_code}): {said}")
        return problems

    version = Command(("biome", "--version"), cwd=project.root, env=QUIET, path_prepend=folders)
    return ProblemStep("biome", command, parse, whole_project=False, version=version)


def _problems(text: str, project: Project) -> Iterator[Problem]:
    for line in text.split("\n"):
        annotation = _ANNOTATION.fullmatch(line)
        if annotation is None:
            continue
        fields = {name: unquote(value) for name, value in re.findall(r"(\w+)=([^,]*)", annotation["fields"])}
        path = locate(project, fields.get("file", ""))
        rule = fields.get("title", "biome")
        if path is None:
            continue
        name = rule.rsplit("/", 1)[-1]
        page = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower() if rule.startswith("lint/") else None
        yield Problem(
            path,
            _number(fields.get("line")) or 0,
            "high" if rule == "parse" else _SEVERITIES[annotation["level"]],
            rule,
            head(unquote(annotation["text"]), 1000),
            _number(fields.get("col")),
            _number(fields.get("endLine")),
            _number(fields.get("endColumn")),
            f"{_RULE_PAGES}{page}" if page else None,
        )


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None
