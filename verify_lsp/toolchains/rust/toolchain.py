"""Rust."""

from verify_lsp.toolchains.base import Toolchain, Tools


def _tools() -> Tools:
    from verify_lsp.toolchains.rust.tools import TOOLS

    return TOOLS


TOOLCHAIN = Toolchain(
    language="rust",
    title="Rust",
    extensions=frozenset({".rs"}),
    manifests=("Cargo.toml",),
    load=_tools,
    heavy=frozenset({"target"}),
)
