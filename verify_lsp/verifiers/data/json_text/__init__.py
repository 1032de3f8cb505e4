"""JSON and its dialects."""
