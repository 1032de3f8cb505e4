"""Python as a language that mutants are made for; its own interpreter builds them in."""

from verify_lsp.mutation.engine import Engine
from verify_lsp.mutation.python.candidates import mutants_of

ENGINE = Engine(
    run_by_tools=frozenset(
        {"setup.py", "noxfile.py", "conf.py", "fabfile.py", "manage.py", "conftest.py", "_version.py"}
    ),
    mutants_of=mutants_of,
)
