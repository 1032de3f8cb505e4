"""The JavaScript and TypeScript toolchain."""
