"""The languages that mutants are made for."""

from posixpath import splitext

from verify_lsp.mutation.engine import Engine
from verify_lsp.mutation.go.candidates import mutants_of as of_go
from verify_lsp.mutation.go.switched import spoiled as spoiled_go
from verify_lsp.mutation.go.switched import switched as switched_go
from verify_lsp.mutation.javascript.candidates import mutants_of as of_javascript
from verify_lsp.mutation.javascript.head import spoiled as spoiled_javascript
from verify_lsp.mutation.javascript.switched import switched as switched_javascript
from verify_lsp.mutation.javascript.tool_files import NAMES as JAVASCRIPT_TOOL_FILES
from verify_lsp.mutation.python.candidates import mutants_of as of_python
from verify_lsp.mutation.rust.candidates import mutants_of as of_rust
from verify_lsp.mutation.rust.switched import switched as switched_rust

ENGINES = (
    Engine(
        extensions=(".py", ".pyw"),
        run_by_tools=frozenset(
            {"setup.py", "noxfile.py", "conf.py", "fabfile.py", "manage.py", "conftest.py", "_version.py"}
        ),
        mutants_of=of_python,
    ),
    Engine(
        extensions=(".go",),
        run_by_tools=frozenset({"magefile.go", "doc.go"}),
        mutants_of=of_go,
        switched=switched_go,
        spoiled=spoiled_go,
    ),
    Engine(
        extensions=(".rs",),
        run_by_tools=frozenset({"build.rs"}),
        mutants_of=of_rust,
        switched=switched_rust,
        broken='compile_error!("an error on purpose");\n',
    ),
    Engine(
        extensions=(".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
        run_by_tools=JAVASCRIPT_TOOL_FILES,
        mutants_of=of_javascript,
        switched=switched_javascript,
        spoiled=spoiled_javascript,
    ),
)


def engine_for(path: str) -> Engine | None:
    """Return the engine of a file by its extension; None for a language that no mutants are made for."""
    extension = splitext(path)[1].lower()
    return next((engine for engine in ENGINES if extension in engine.extensions), None)
