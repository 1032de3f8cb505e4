"""JavaScript and TypeScript as languages that mutants are made for."""

from verify_lsp.mutation.engine import Engine
from verify_lsp.mutation.javascript.candidates import mutants_of
from verify_lsp.mutation.javascript.head import spoiled
from verify_lsp.mutation.javascript.switched import switched
from verify_lsp.mutation.javascript.tool_files import NAMES

ENGINE = Engine(
    run_by_tools=NAMES,
    mutants_of=mutants_of,
    switched=switched,
    spoiled=spoiled,
)
