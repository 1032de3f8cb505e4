"""Clippy over the crates that a change touches; only its own lints count, since `cargo check` told the compiler's."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.base import Absent, ProblemStep, Project, Unreadable
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.rust.cargo import cannot_run, cargo, cargo_environment, keep_going
from verify_lsp.toolchains.rust.cargo_errors import read_cargo_errors
from verify_lsp.toolchains.rust.copies import copy_key, is_copy
from verify_lsp.toolchains.rust.linked import unlinked
from verify_lsp.toolchains.rust.manifests import members, read_manifest, table, version_of
from verify_lsp.toolchains.rust.messages import read_messages
from verify_lsp.toolchains.rust.rustup import component

_PREFIX = "clippy::"
_INDEX = "https://rust-lang.github.io/rust-clippy/master/index.html#"


def clippy(project: Project, timeout_s: float) -> ProblemStep | Absent:
    """Return clippy for the changed crates."""
    if absent := cannot_run(project):
        return absent
    if component(project, "cargo-clippy") is None:
        configured = _is_configured(project)
        return Absent("clippy is not installed", needless=not configured)
    packages = _changed_packages(project)
    if not packages:
        return Absent("no crate of the workspace has changed Rust files", needless=True)
    chosen = [word for package in packages for word in ("--package", package)]
    # Clippy is a workspace wrapper itself, but looks again when its own arguments are other ones.
    told_apart = ("--", "--cfg", f'verify_lsp_copy="{copy_key(project)}"') if is_copy(project) else ()
    arguments = ("--all-targets", "--no-deps", *keep_going(project), "--message-format=json", *chosen, *told_apart)
    return ProblemStep(
        "clippy",
        cargo(project, timeout_s, "clippy", *arguments),
        lambda result: read_clippy(project, result),
        whole_project=False,
        version=Command(("cargo", "clippy", "--version"), project.root, cargo_environment(project), timeout_s=20.0),
        unseen=lambda result: unlinked(project, result),
    )


def read_clippy(project: Project, result: CommandResult) -> tuple[Problem, ...] | Unreadable:
    """Return clippy's findings in changed files. Lints that are denied are warnings here as well: a linter only warns."""
    messages = read_messages(result.stdout, project.folder)
    told = messages.problems()
    if any(problem.severity == "high" and not problem.rule.startswith(_PREFIX) for problem in told):
        return Unreadable("the code does not compile, so that clippy could not look", broke=False)
    changed = set(project.changed)
    found = tuple(_lint(problem) for problem in told if problem.rule.startswith(_PREFIX) and problem.path in changed)
    denied = any(problem.severity == "high" for problem in told)
    if denied or (result.exit_code == 0 and messages.finished):
        return found
    refused = read_cargo_errors(result.stderr, project.folder)
    if unfit := messages.unfit or refused.unfit:
        return Unreadable(unfit, broke=False)
    said = refused.other or next((problem.message for problem in refused.problems), head(result.stderr[-600:], 300))
    return Unreadable(f"clippy failed (exit {result.exit_code}): {said}")


def _lint(problem: Problem) -> Problem:
    name = problem.rule.removeprefix(_PREFIX)
    severity: Severity = "medium" if problem.severity == "high" else "low"
    url = _INDEX + name if re.fullmatch(r"[a-z0-9_]+", name) else None
    return attrs.evolve(problem, severity=severity, url=url)


def _is_configured(project: Project) -> bool:
    manifest = read_manifest(project.folder)
    files = any((project.folder / name).is_file() for name in ("clippy.toml", ".clippy.toml"))
    return files or bool(table(manifest, "lints", "clippy") or table(manifest, "workspace", "lints", "clippy"))


def _version(package: dict[str, Any], root: Path) -> str | None:
    version = version_of(package, read_manifest(root))
    return version if isinstance(version, str) and re.fullmatch(r"[0-9A-Za-z.+-]+", version) else None


def _changed_packages(project: Project) -> tuple[str, ...]:
    """Return the member crates that changed Rust files lie in, as cargo tells them from others.

    A crate's name alone is ambiguous where something it needs was built with an older release of it.
    """
    root = project.folder.resolve()
    known = members(project.folder) or frozenset({root})
    names: dict[str, None] = {}
    for path in project.changed:
        if not path.endswith(".rs"):
            continue
        above: Path | None = next(
            (root / folder for folder in PurePosixPath(path).parents if root / folder in known), None
        )
        package = table(read_manifest(above), "package") if above else {}
        name = package.get("name")
        if isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9_][\w-]*", name):
            names[f"{name}@{version}" if (version := _version(package, root)) else name] = None
    return tuple(names)
