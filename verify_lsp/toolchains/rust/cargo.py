"""How every cargo command is run: in the project, with a target folder of our own, and without touching Cargo.lock."""

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, Project
from verify_lsp.toolchains.rust.copies import copy_environment, is_copy
from verify_lsp.toolchains.rust.manifests import lock_trouble
from verify_lsp.toolchains.rust.rustup import chosen_toolchain, no_cargo


def cannot_run(project: Project) -> Absent | None:
    """Say why no cargo command can be run in the project: none is installed, or it would write to the user's tree."""
    if absent := no_cargo(project):
        return absent
    if not is_copy(project) and (trouble := lock_trouble(project.folder)):
        return Absent(f"{trouble} in the workspace", needless=False)
    return None


def cargo(project: Project, timeout_s: float, subcommand: str, *arguments: str) -> Command:
    """Return a cargo command. In the user's own tree it may not change the lock file, in a copy it may."""
    locked = () if is_copy(project) else ("--locked",)
    return Command(("cargo", subcommand, *locked, *arguments), project.root, cargo_environment(project), timeout_s)


def cargo_environment(project: Project) -> dict[str, str]:
    """Return the variables for every cargo command.

    The target folder is not the user's: neither waits for the other's lock, nor undoes the other's builds.
    """
    environment = {
        "CARGO_TARGET_DIR": str(project.cache / "target"),
        "RUSTUP_AUTO_INSTALL": "0",
        "CARGO_TERM_COLOR": "never",
    }
    return {**environment, **copy_environment(project)} if is_copy(project) else environment


def keep_going(project: Project) -> tuple[str, ...]:
    """Return the flag by which one crate's error does not hide those of crates that can do without it (Rust 1.74)."""
    chosen = chosen_toolchain(project.folder)
    return () if chosen and chosen.is_older_than(74) else ("--keep-going",)


def cargo_version(project: Project) -> Command:
    """Return the command that tells cargo's version."""
    return Command(("cargo", "--version"), project.root, {"RUSTUP_AUTO_INSTALL": "0"}, timeout_s=20.0)
