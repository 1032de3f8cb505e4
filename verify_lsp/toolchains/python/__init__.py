"""The Python toolchain."""
