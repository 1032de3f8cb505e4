"""Verdicts on mutants, held against plain runs."""
