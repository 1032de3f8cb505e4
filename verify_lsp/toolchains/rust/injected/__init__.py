"""Programs of ours that stand between cargo and the tests while mutants are tried; each runs by its path."""
