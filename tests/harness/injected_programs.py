"""Programs of a few lines that use what runs in a project's interpreter."""

import json
import subprocess
import sys

from verify_lsp.toolchains.python.testing.request import injected

MODULES = ("origins", "trees", "schemata", "mutants", "guard", "forks", "template", "places", "crew")


def printed_by(folder, program):
    """Run a program beside these modules, and return the JSON document that it prints."""
    for name in MODULES:
        (folder / f"verify_lsp_{name}.py").write_text(injected(f"verify_lsp_{name}"))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\nsys.path.insert(0, sys.argv[1])\n{program}", str(folder)],
        env={"VERIFY_LSP_RESULTS": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
