"""What was said (options), what holds (settings), and whom we trust."""
