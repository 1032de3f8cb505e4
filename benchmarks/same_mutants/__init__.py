"""Ours beside a peer on the peer's own mutants."""
