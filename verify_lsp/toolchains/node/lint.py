"""The linter of a JavaScript or TypeScript project over its changed files: eslint, or biome."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.node.biome import BIOME_CONFIGS, biome_step
from verify_lsp.toolchains.node.installed import (
    find_own_program,
    missing_dependencies,
    not_installed,
    program_folders,
    version_of,
)
from verify_lsp.toolchains.node.located import column_of, line_reader, locate
from verify_lsp.toolchains.node.manifest import folders_upward, read_package
from verify_lsp.toolchains.node.package_manager import QUIET
from verify_lsp.toolchains.output import head, plain

_REPORT = "eslint.json"
_FLAT = tuple(f"eslint.config.{end}" for end in ("js", "mjs", "cjs", "ts", "mts", "cts"))
_LEGACY = (".eslintrc", *(f".eslintrc.{end}" for end in ("js", "cjs", "json", "yaml", "yml")))
_FLAT_BY_DEFAULT = (9, 0, 0)
_FLAT_ONLY = (10, 0, 0)
_KNOWS_NO_WARN_IGNORED = (8, 51, 0)


def lint(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return how to lint the changed files with the linter that the project configures."""
    flat, legacy = _configured(project, _FLAT), _configured(project, _LEGACY) or _in_package(project)
    biome = _configured(project, BIOME_CONFIGS)
    if not flat and not legacy and not biome:
        return Absent("neither eslint nor biome is configured", needless=True)
    if not project.changed:
        return Absent("no file that a linter reads was changed", needless=True)
    for folder in folders_upward(project.place, project.root):
        if absent := missing_dependencies(project, read_package(folder)):
            return absent
    if not flat and not legacy:
        return biome_step(project, timeout_s)
    return _eslint(project, timeout_s, flat=flat)


def _eslint(project: Project, timeout_s: float, *, flat: bool) -> ProblemStep | Absent:
    if find_own_program(project, "eslint") is None:
        return not_installed(project, "eslint")
    version = version_of(project, "eslint")
    if not flat and version is not None and version >= _FLAT_ONLY:
        return Absent(
            f"eslint {version[0]} does not read .eslintrc files, and there is no eslint.config file", needless=False
        )
    argv = ["eslint", "--format", "json-with-metadata", "--output-file", f"{RESULTS}/{_REPORT}"]
    argv.append("--no-error-on-unmatched-pattern")
    if flat and (version is None or version >= _KNOWS_NO_WARN_IGNORED):
        argv.append("--no-warn-ignored")
    env = dict(QUIET)
    if not flat and version is not None and version >= _FLAT_BY_DEFAULT:
        env["ESLINT_USE_FLAT_CONFIG"] = "false"
    command = Command(
        (*argv, "--", *project.changed),
        cwd=project.root,
        env=env,
        timeout_s=timeout_s,
        path_prepend=program_folders(project),
    )

    def parse(result: CommandResult) -> tuple[Problem, ...] | Unreadable:
        return _read(result, project)

    def unseen(result: CommandResult) -> tuple[str, ...]:
        files = _files(result)
        seen = {locate(project, str(file.get("filePath"))) for file in files or () if not _is_ignored(file)}
        return () if files is None else tuple(path for path in project.changed if path not in seen)

    ask = Command(("eslint", "--version"), cwd=project.root, env=QUIET, path_prepend=program_folders(project))
    return ProblemStep("eslint", command, parse, whole_project=False, version=ask, unseen=unseen)


def _read(result: CommandResult, project: Project) -> tuple[Problem, ...] | Unreadable:
    files = _files(result)
    if files is None:
        said = head(result.stderr, 400) or head(result.stdout, 400) or "it printed nothing"
        return Unreadable(f"eslint failed (exit {result.exit_code}): {said}")
    urls = _rule_pages(result)
    return tuple(problem for file in files for problem in _problems(file, project, urls))


def _problems(file: Mapping[str, Any], project: Project, urls: Mapping[str, str]) -> Iterator[Problem]:
    path = locate(project, str(file.get("filePath")))
    messages = file.get("messages")
    if path is None or not isinstance(messages, list):
        return
    line_of = line_reader(project)
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("line"), int) or message["line"] < 1:
            continue
        line = message["line"]
        rule = str(message.get("ruleId") or ("parsing-error" if message.get("fatal") else "eslint"))
        end_line, end_column = _end(message)
        column = message.get("column")
        yield Problem(
            path,
            line,
            "high" if message.get("fatal") else "medium" if message.get("severity") == 2 else "low",
            rule,
            head(plain(str(message.get("message", ""))), 1000),
            column_of(line_of(path, line), column) if isinstance(column, int) else None,
            end_line,
            column_of(line_of(path, end_line), end_column) if end_line and end_column else None,
            urls.get(rule),
        )


def _end(message: Mapping[str, Any]) -> tuple[int | None, int | None]:
    line, column = message.get("endLine"), message.get("endColumn")
    return (line, column) if isinstance(line, int) and isinstance(column, int) else (None, None)


def _files(result: CommandResult) -> list[Mapping[str, Any]] | None:
    data = _report(result)
    files = data.get("results") if isinstance(data, dict) else None
    return [file for file in files if isinstance(file, dict)] if isinstance(files, list) else None


def _is_ignored(file: Mapping[str, Any]) -> bool:
    """Before it could be told not to, eslint warned of ignored files as if it had looked at them."""
    messages = file.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return isinstance(first, dict) and str(first.get("message", "")).startswith("File ignored")


def _rule_pages(result: CommandResult) -> dict[str, str]:
    data = _report(result)
    metadata = data.get("metadata") if isinstance(data, dict) else None
    rules = metadata.get("rulesMeta") if isinstance(metadata, dict) else None
    pages: dict[str, str] = {}
    for rule, meta in rules.items() if isinstance(rules, dict) else ():
        docs = meta.get("docs") if isinstance(meta, dict) else None
        url = docs.get("url") if isinstance(docs, dict) else None
        if isinstance(url, str) and url.startswith("https://"):
            pages[rule] = url
    return pages


def _report(result: CommandResult) -> Any:
    try:
        return json.loads(result.files.get(_REPORT, ""))
    except (ValueError, RecursionError):
        return None


def _configured(project: Project, names: tuple[str, ...]) -> bool:
    return any(_is_file(folder, name) for folder in folders_upward(project.place, project.root) for name in names)


def _is_file(folder: Path, name: str) -> bool:
    return (folder / name).is_file()


def _in_package(project: Project) -> bool:
    packages = (read_package(folder) for folder in folders_upward(project.place, project.root))
    return any(package is not None and "eslintConfig" in package.data for package in packages)
