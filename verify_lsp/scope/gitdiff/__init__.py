"""What git's own diff says, read into the files of a change."""
