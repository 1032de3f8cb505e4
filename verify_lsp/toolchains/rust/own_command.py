"""Trying mutants of Rust by the user's own test command, in a copy that has them in its files."""

import os
from pathlib import Path

import attrs

from verify_lsp.model.command import Command, CommandResult
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.own_command import REACH, tried_by
from verify_lsp.toolchains.rust.copies import is_configured
from verify_lsp.toolchains.rust.manifests import read_manifest, table
from verify_lsp.toolchains.rust.mutants import LENIENT, built_in, without_quitters
from verify_lsp.toolchains.rust.tests_cargo import cargo_tests

_LINK = 'test -e target || ln -s "$CARGO_TARGET_DIR" target'
"""Who looks for a program where cargo would put it by itself finds it there."""


def rust_tests_by(project: Project, step: TestStep) -> TestStep | Absent:
    """Return the user's own command with what is needed to try mutants by it; a plain `cargo test` is cargo's own suite."""
    if os.name != "posix":
        return step
    if project.root == "." and _is_whole_suite(step.command.argv[0].split(), project):
        own = cargo_tests(project, step.command.timeout_s)
        if isinstance(own, TestStep):
            return own
    return attrs.evolve(step, built_in=lambda folder: _built_in(project, step, folder), in_copy=True)


def _is_whole_suite(words: list[str], project: Project) -> bool:
    if words[:2] != ["cargo", "test"] or not set(words[2:]) <= {"--workspace", "--all"}:
        return False
    manifest = read_manifest(project.folder)
    workspace = table(manifest, "workspace")
    one_crate = "workspace" not in manifest
    all_crates = "package" not in manifest and "default-members" not in workspace
    return len(words) > 2 or one_crate or all_crates


def _built_in(project: Project, step: TestStep, folder: Path) -> BuiltIn:
    texts = built_in(project, step.command.timeout_s, folder)
    through, *compiled = texts.build
    environment = dict(through.env)
    if not is_configured(project, r"rustdocflags"):
        environment.setdefault("RUSTDOCFLAGS", " ".join(LENIENT))
    link = Command(("sh", "-c", _LINK), project.root, environment, step.command.timeout_s)
    first = (through, link)
    texts = attrs.evolve(texts, build=(*first, *compiled))
    held = attrs.evolve(step, parse=lambda result: without_quitters(step.parse(result), result))
    tried = tried_by(held, texts, environment, _reached, first)
    # Programs of Rust write down nothing when they start: of those that name tests, it is taken that they have our variables.
    return attrs.evolve(tried, blind=lambda result: tried.blind(result) and not step.parse(result).passed)


def _reached(result: CommandResult) -> frozenset[int]:
    noted = (text for name, text in result.files.items() if name.startswith(f"{REACH}/"))
    words = (line.partition(" ")[0] for text in noted for line in text.split("\n"))
    return frozenset(int(word) for word in words if word.isdecimal())
