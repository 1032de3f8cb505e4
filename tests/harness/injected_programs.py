"""Programs of a few lines that use what runs in a project's interpreter."""

import json
import subprocess
import sys

from verify_lsp.toolchains.python.testing.request import HOOKED, INJECTED

RUNNER = """
import json, os, signal, time
from verify_lsp_forks import Runner, be_tried
from verify_lsp_mutants import Switches
from verify_lsp_places import Places

held, release = os.pipe()
said, say = os.pipe()

class Tests(Runner):
    def prepare(self):
        pass
    def run(self, tests, told):
        for test in tests:
            if test == 8:
                os.write(say, b"%d " % os.getppid())
                os.read(held, 1)
            if test == 7:
                open(sys.argv[1] + "/outside", "w").close()
            told(test, test != 5)
            if test == 5:
                return

places = Places()
"""
"""The beginning of a program with tests by number: 5 fails, 7 does what others could notice, 8 waits, all others pass."""


def printed_by(folder, program):
    """Run a program that finds these modules, with a folder for results, and return the JSON document that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{program}", str(folder)],
        env={**HOOKED, "PYTHONPATH": str(INJECTED), "VERIFY_LSP_RESULTS": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
