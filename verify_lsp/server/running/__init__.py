"""Runs as the server sees them: on a thread of their own, with what is known of each."""
