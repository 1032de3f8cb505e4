"""The nouns: frozen values without I/O, without async, without serialization."""
