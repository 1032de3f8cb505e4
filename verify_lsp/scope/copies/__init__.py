"""Folders of our own, and how files and heavy folders come into them without following links."""
