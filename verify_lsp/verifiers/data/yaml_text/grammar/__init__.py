"""The grammar of YAML 1.2.2: a second opinion beside the parser that reads YAML 1.1."""
