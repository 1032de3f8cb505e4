"""docs/judgement.md says what the code does."""

from pathlib import Path
from typing import get_args

from verify_lsp.judgement import risk
from verify_lsp.judgement.files.protected import PROTECTED
from verify_lsp.judgement.sayings.guards import Guard
from verify_lsp.judgement.sayings.said import CheckClaim, DeedClaim

DOCS = (Path(__file__).parents[2] / "docs" / "judgement.md").read_text("utf-8")


def test_every_class_of_protected_paths_is_listed():
    assert not [protected.about for protected in PROTECTED if f"| {protected.about} |" not in DOCS]


def test_every_kind_of_claim_and_every_guard_is_listed():
    named = (*get_args(CheckClaim), *get_args(DeedClaim), *get_args(Guard))
    assert not [name for name in named if f"`{name}`" not in DOCS]


def test_the_thresholds_are_the_ones_that_hold():
    assert f"more than {risk._LARGE_LINES} (large) or {risk._VERY_LARGE_LINES} (very large)" in DOCS
    assert f"more than {risk._MANY_FILES} files" in DOCS
    assert f"fewer than {risk._LOW_MUTATION_SCORE * 100:g} % of at least {risk._FEWEST_MUTANTS} deliberate" in DOCS
