"""Secrets: their shapes, what proves them, and what is only a placeholder."""
