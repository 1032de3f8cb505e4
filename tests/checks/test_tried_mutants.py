"""What a report keeps of a mutant."""

import attrs

from tests.harness.mutation import prepared
from verify_lsp.checks.tried_mutants import tried_mutants
from verify_lsp.model.mutant import Mutant, MutantResult

MUTANT = Mutant("shop.py", 2, 8, 2, 9, "boundary", "<", "<=", function="price")


def told(tmp_path, root, result):
    owner = prepared(tmp_path, {"shop.py": "x = 1\n"}, "shop.py").projects[0]
    return tried_mutants(attrs.evolve(owner, project=attrs.evolve(owner.project, root=root)), [result])[0]


def test_its_path_is_relative_to_the_workspace(tmp_path):
    assert told(tmp_path / "a", "web/api", MutantResult(MUTANT, "survived")).path == "web/api/shop.py"
    assert told(tmp_path / "b", ".", MutantResult(MUTANT, "survived")).path == "shop.py"


def test_names_of_tests_are_bounded_and_hold_nothing_that_acts(tmp_path):
    names = tuple(f"test_{n}\x1b[31m\n{'x' * 999}" for n in range(20))
    one = told(tmp_path, ".", MutantResult(MUTANT, "survived", tests=20, covered_by=names, killed_by="a\nb"))

    assert (one.tests, len(one.covered_by), one.killed_by) == (20, 10, "a b")
    assert all(len(name) <= 300 and name.isprintable() for name in one.covered_by)
