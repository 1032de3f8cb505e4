"""The name that pytest is given for our plugin.

What pytest loads as a plugin it compiles anew in each run, to rewrite its assertions; what a plugin imports it does not.
PYTEST_DONT_REWRITE. Python 3.8 and newer, pytest 6 and newer.
"""

from verify_lsp_pytest_plugin import pytest_configure, pytest_load_initial_conftests  # type: ignore[import-not-found]  # it stands beside this file

__all__ = ["pytest_configure", "pytest_load_initial_conftests"]
