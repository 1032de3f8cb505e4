"""Rules that follow data through a file, which semgrep reads where it is installed."""
