"""verify-lsp: the language server that checks what coding agents wrote."""

__version__ = "0.1.0"
