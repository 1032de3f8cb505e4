"""Go as a language that mutants are made for."""

from verify_lsp.mutation.engine import Engine
from verify_lsp.mutation.go.candidates import mutants_of
from verify_lsp.mutation.go.switched import spoiled, switched

ENGINE = Engine(
    run_by_tools=frozenset({"magefile.go", "doc.go"}),
    mutants_of=mutants_of,
    switched=switched,
    spoiled=spoiled,
)
