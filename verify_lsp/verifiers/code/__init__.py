"""Verifiers for programming languages: what cannot be parsed, and where."""
