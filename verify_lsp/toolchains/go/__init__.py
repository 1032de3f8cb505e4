"""The Go toolchain."""
