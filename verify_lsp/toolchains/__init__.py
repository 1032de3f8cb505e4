"""What each language runs to check, test and lint, and how its output reads. Runs nothing."""
