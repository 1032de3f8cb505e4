"""Python."""

from verify_lsp.toolchains.base import Toolchain, Tools
from verify_lsp.toolchains.python.project.roots import HEAVY, MANIFESTS


def _tools() -> Tools:
    from verify_lsp.toolchains.python.tools import TOOLS

    return TOOLS


TOOLCHAIN = Toolchain(
    language="python",
    title="Python",
    extensions=frozenset({".py", ".pyi", ".pyw"}),
    manifests=MANIFESTS,
    load=_tools,
    heavy=HEAVY,
)
