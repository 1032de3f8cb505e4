"""The rules as data: one module a family."""
