"""`python -m verify_lsp` is the `verify-lsp` command."""

from verify_lsp.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
