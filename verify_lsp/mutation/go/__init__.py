"""Go: which faults are put into it, and how they stand in one text beside the original."""
