"""The toolchains, in the order in which their results are shown."""

from verify_lsp.toolchains.base import Toolchain
from verify_lsp.toolchains.go.toolchain import TOOLCHAIN as GO
from verify_lsp.toolchains.node.toolchain import TOOLCHAIN as NODE
from verify_lsp.toolchains.python.toolchain import TOOLCHAIN as PYTHON
from verify_lsp.toolchains.rust.toolchain import TOOLCHAIN as RUST

TOOLCHAINS: tuple[Toolchain, ...] = (PYTHON, NODE, GO, RUST)


def linked_folders() -> frozenset[str]:
    """Return the names of the folders that tools fill and a copy links."""
    return frozenset(name for toolchain in TOOLCHAINS for name in toolchain.heavy)
