"""What kind of file a path is, and what a change to it can do."""
