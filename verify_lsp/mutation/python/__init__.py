"""Where a Python text can be wrong in a way that tests should notice."""
