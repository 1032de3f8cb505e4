"""Rust: `cargo check` checks, `cargo test` tests, clippy lints, rust-analyzer serves."""

from verify_lsp.toolchains.base import Tools
from verify_lsp.toolchains.rust.analyzer import rust_analyzer
from verify_lsp.toolchains.rust.check import check
from verify_lsp.toolchains.rust.clippy import clippy
from verify_lsp.toolchains.rust.manifests import copy_because, root_of
from verify_lsp.toolchains.rust.own_command import rust_tests_by
from verify_lsp.toolchains.rust.summary import parse_tests
from verify_lsp.toolchains.rust.tests_cargo import cargo_tests

TOOLS = Tools(
    root_of=root_of,
    project_check=check,
    tests=cargo_tests,
    lint=clippy,
    language_server=rust_analyzer,
    parse_tests=parse_tests,
    tests_by=rust_tests_by,
    copy_because=copy_because,
)
