"""Go."""

from verify_lsp.toolchains.base import Toolchain, Tools


def _tools() -> Tools:
    from verify_lsp.toolchains.go.tools import TOOLS

    return TOOLS


TOOLCHAIN = Toolchain(
    language="go",
    title="Go",
    extensions=frozenset({".go"}),
    manifests=("go.mod",),
    load=_tools,
)
