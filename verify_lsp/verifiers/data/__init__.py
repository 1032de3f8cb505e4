"""Verifiers of data: what has no behaviour of its own, and a grammar that is written down."""
