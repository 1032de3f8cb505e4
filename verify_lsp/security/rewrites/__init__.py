"""Safe rewrites: edits that take a danger away and change nothing else."""
