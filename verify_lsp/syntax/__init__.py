"""Syntax trees of the languages that we read, parsed offline and quickly."""
