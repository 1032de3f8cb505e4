"""Where what runs in a project's interpreter stands, and that it stays out of the way."""

import json
import shutil
import subprocess
import sys

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


def test_where_their_folder_cannot_be_named_they_are_sent_along(tmp_path):
    package = INJECTED.parents[2]
    copied = tmp_path / "one:two" / package.name
    shutil.copytree(package, copied, ignore=shutil.ignore_patterns("__pycache__"))
    program = "import json, sys; sys.path.insert(0, sys.argv[1])\n"
    program += "from verify_lsp.toolchains.python.testing.request import HOOKED, support\n"
    program += "print(json.dumps([HOOKED['PYTHONPATH'], sorted(support({}))]))"
    done = subprocess.run([sys.executable, "-P", "-c", program, copied.parent], capture_output=True, check=True)
    path, sent = json.loads(done.stdout)
    assert ":" not in path
    assert {"verify_lsp_pytest.py", "verify_lsp_unittest.py", "verify_lsp_request.json"} <= set(sent)


def test_the_name_of_the_running_test_goes_to_no_file_that_a_test_opened_in_its_place(tmp_path):
    told = """
import json, os
from verify_lsp_origins import Running
running = Running("running.txt")
running.tell("first")
os.close(running._file)
own = os.open(sys.argv[1] + "/own.txt", os.O_RDWR | os.O_CREAT)
assert own == running._file
running.tell("second")
running.close()
print(json.dumps([os.fstat(own).st_size, open(sys.argv[1] + "/running.txt").read()]))
"""
    assert printed_by(tmp_path, told) == [0, "first\n"]
