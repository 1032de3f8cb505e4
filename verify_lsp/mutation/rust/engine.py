"""Rust as a language that mutants are made for."""

from verify_lsp.mutation.engine import Engine
from verify_lsp.mutation.rust.candidates import mutants_of
from verify_lsp.mutation.rust.switched import switched

ENGINE = Engine(
    run_by_tools=frozenset({"build.rs"}),
    mutants_of=mutants_of,
    switched=switched,
    broken='compile_error!("an error on purpose");\n',
)
