"""A plain run of the whole suite over a copy with one mutant in a file."""

from collections.abc import Callable
from pathlib import Path

from benchmarks.agreement import go, node, rust
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.switched import with_mutant

PLAIN: dict[str, Callable[[Path, float], str]] = {"go": go.plain, "node": node.plain, "rust": rust.plain}
"""From a copy with one mutant in it, and seconds, to killed, survived, timeout or invalid."""


def tried_plainly(copy: Path, mutant: Mutant, language: str, limit_s: float) -> str:
    """Write the mutant into the copy for the time of one run; returns killed, survived, timeout or invalid."""
    file = copy / mutant.path
    original = file.read_bytes()
    text = original.decode("utf-8")
    try:
        file.write_bytes(with_mutant(text, mutant).encode())
        return PLAIN[language](copy, limit_s)
    finally:
        file.write_bytes(original)
