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


@pytest.mark.parametrize(("seconds", "places"), [(0.01, ["one.py"]), (1.0, ["one.py", "two.py"])])
def test_files_that_are_loaded_soon_after_each_other_share_a_place_and_all_their_mutants_can_be_tried(
    tmp_path, seconds, places
):
    assert printed_by(tmp_path, ARRIVALS.replace("{seconds}", str(seconds))) == [places, [1, 2]]
