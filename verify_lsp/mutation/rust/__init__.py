"""Mutation of Rust: which faults are put in, which places are left alone, and how many stand in one text at once."""
