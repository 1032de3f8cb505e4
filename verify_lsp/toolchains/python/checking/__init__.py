"""What looks at the code without running it: type checkers, the compiler, linters."""
