"""YAML, and what is written in it."""
