"""The Rust toolchain."""
