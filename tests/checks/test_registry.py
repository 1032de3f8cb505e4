"""Each check that is built can be loaded by its name, and has what a check must have."""

import inspect
import subprocess
import sys

import pytest

from verify_lsp.checks.registry import BUILT, check_modules
from verify_lsp.model.finding import CHECK_KINDS


@pytest.mark.parametrize("kind", BUILT)
def test_a_check_is_the_module_of_its_name(kind):
    [module] = check_modules([kind])

    assert kind == module.KIND
    assert isinstance(module.EXECUTES, bool)
    assert inspect.iscoroutinefunction(module.check)
    assert list(inspect.signature(module.check).parameters) == ["context"]


def test_checks_come_in_the_order_of_a_report():
    assert [module.KIND for module in check_modules(CHECK_KINDS[::-1])] == [
        kind for kind in CHECK_KINDS if kind in BUILT
    ]


def test_a_check_that_is_not_wanted_is_not_loaded():
    program = (
        "import sys; from verify_lsp.checks.registry import check_modules; check_modules(['tests']);"
        "print('verify_lsp.checks.integrity' in sys.modules, 'verify_lsp.checks.tests' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told.split() == ["False", "True"]
