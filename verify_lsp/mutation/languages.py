"""The languages that mutants are made for. Each is loaded when it is met: a change meets few of them."""

from collections.abc import Callable
from posixpath import splitext

from verify_lsp.mutation.engine import Engine


def engine_for(path: str) -> Engine | None:
    """Return the engine of a file by its extension; None for a language that no mutants are made for."""
    extension = splitext(path)[1].lower()
    load = next((load for extensions, load in _LANGUAGES if extension in extensions), None)
    return None if load is None else load()


def _python() -> Engine:
    from verify_lsp.mutation.python.engine import ENGINE

    return ENGINE


def _go() -> Engine:
    from verify_lsp.mutation.go.engine import ENGINE

    return ENGINE


def _rust() -> Engine:
    from verify_lsp.mutation.rust.engine import ENGINE

    return ENGINE


def _javascript() -> Engine:
    from verify_lsp.mutation.javascript.engine import ENGINE

    return ENGINE


_LANGUAGES: tuple[tuple[frozenset[str], Callable[[], Engine]], ...] = (
    (frozenset({".py", ".pyw"}), _python),
    (frozenset({".go"}), _go),
    (frozenset({".rs"}), _rust),
    (frozenset({".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"}), _javascript),
)
