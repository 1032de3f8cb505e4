"""Reads the tests of each language."""
