"""The checks: a module is a check, and the only place where engines meet toolchains."""
