"""Texts without a grammar of ours: logical lines, keys and values, and what was removed."""
