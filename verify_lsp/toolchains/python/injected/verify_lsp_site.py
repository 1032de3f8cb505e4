# ruff: noqa: PTH100, PTH120
# The functions of os.path are the least that a test can have replaced under our feet.
"""Laid out as `sitecustomize.py`: every Python that the tests start knows of the mutants too.

A `sitecustomize` of the environment's own is run as if this one were not there. Python 3.8 and newer.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec

from verify_lsp_origins import Trouble  # type: ignore[import-not-found]  # it stands beside this file at run time


def follow() -> None:
    """Run the next `sitecustomize` on the path, in this one's place."""
    here = os.path.realpath(os.path.dirname(os.path.abspath(__file__)))
    path = [entry for entry in sys.path if os.path.realpath(entry) != here]
    spec = PathFinder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        return
    module = module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


with Trouble():
    import verify_lsp_mutants  # type: ignore[import-not-found]  # it stands beside this file at run time

    verify_lsp_mutants.start()
follow()
