"""Where a run of the tests is forked for mutants in code that runs when a file is loaded."""

import pytest

from tests.harness.injected_programs import printed_by

ARRIVALS = """
import json, os
import verify_lsp_loading
from verify_lsp_mutants import Files

names = ["one.py", "two.py"]
mutants = [{"path": name, "at_import": True} for name in names]
order = {"files": dict.fromkeys(names, ""), "mutants": mutants, "factor": 3, "least_s": 1}

class Host(verify_lsp_loading.Host):
    def prepare(self):
        pass
    def note_arrival(self, path):
        return {is_late}

now = 0.0
verify_lsp_loading.CLOCK = (lambda: now,)
host = Host(Files(order, sys.argv[1]))
for name in names:
    host.files.arriving(os.path.realpath(os.path.join(sys.argv[1], name)))
    now += {seconds}
found = [sorted(os.path.basename(place) for place in host.places.idle), host.loading.likely()]
host.places.close()
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    ("seconds", "is_late", "places"),
    [(0.01, False, ["one.py"]), (1.0, False, ["one.py", "two.py"]), (0.01, True, ["one.py", "two.py"])],
)
def test_files_share_a_place_that_are_loaded_soon_after_each_other_before_any_test_runs(
    tmp_path, seconds, is_late, places
):
    program = ARRIVALS.replace("{seconds}", str(seconds)).replace("{is_late}", str(is_late))
    assert printed_by(tmp_path, program) == [places, [1, 2]]
