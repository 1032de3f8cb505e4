"""What runs in a project's interpreter, where the project is the one that these modules belong to."""

from tests.harness.injected_programs import printed_by
from verify_lsp.toolchains.python.testing.request import INJECTED

ORDER = f"""
import json
from pathlib import Path
from verify_lsp_mutants import Files, digest_of
from verify_lsp_origins import foreign_modules

file = Path("{INJECTED}/verify_lsp_reach.py")
mutant = {{"path": file.name, "line": 1, "column": 1, "end_line": 1, "end_column": 2, "replacement": "x"}}
files = Files({{"files": {{file.name: digest_of(file.read_text())}}, "mutants": [mutant]}}, "{INJECTED}")
files.listen()
import verify_lsp_reach
"""


def test_no_mutant_is_put_into_what_tries_mutants_and_that_is_seen(tmp_path):
    told = printed_by(tmp_path, ORDER + "print(json.dumps([list(files.met), files.unmet_copies()]))")
    assert told == [[], {f"{INJECTED}/verify_lsp_reach.py": "verify_lsp_reach"}]


def test_they_are_not_taken_for_the_workspaces_code_in_a_run_of_its_copy(tmp_path):
    asked = f'{{"changed": {{}}, "workspace": "{INJECTED.parent}", "place": "{tmp_path}"}}'
    assert printed_by(tmp_path, ORDER + f"print(json.dumps(foreign_modules({asked}, '{tmp_path}')))") == []
