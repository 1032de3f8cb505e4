"""Language servers installed on this machine, asked for their diagnostics."""
