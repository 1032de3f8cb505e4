"""Post-write verifiers: a file's own syntax, judged by its name, while it is being written."""
