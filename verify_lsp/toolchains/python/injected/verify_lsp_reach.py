# ruff: noqa: PTH118, PTH119, PTH120, PTH122, PTH123
# The functions of os.path are the least that a test can have replaced under our feet.
"""Notes which mutants each test reaches, and which of these tests is the most likely to notice one.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from verify_lsp_forks import CLOCK  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_mutants import CHILDREN, FOLDER, Files  # type: ignore[import-not-found]  # likewise


class Reach:
    """Which mutants each test reached, and how long it took.

    Args:
        file_of: A test's number to the file it stands in, or "".
    """

    def __init__(self, files: Files, file_of: Callable[[int], str]) -> None:
        self.files = files
        self._file_of = file_of
        self._distances: dict[tuple[str, str], int] = {}
        self.seconds: dict[int, float] = {}
        self.shared_seconds = 0.0
        self.outside: set[int] = set()
        self.in_children: dict[int, set[int]] = {}
        self._by_mutant: dict[int, dict[int, None]] = {}
        self._began = 0.0
        self._fixtures: list[set[int]] = []
        self._children_read = 0
        self.files.switches.note = None

    def loaded(self) -> None:
        """All tests are there and none has run: what was reached so far was reached when files were loaded."""
        self.outside |= self._taken()

    def begin(self) -> set[int]:
        """A test begins; return what was reached since the last one ended."""
        reached = self._taken()
        self._began = CLOCK[0]()
        return reached

    def end(self, test: int, lasting: set[int]) -> set[int]:
        """A test has ended; return what it reached.

        Args:
            lasting: Mutants reached by what it shares with other tests, whoever set that up.
        """
        self.seconds[test] = CLOCK[0]() - self._began
        in_children = self._taken_in_children()
        if in_children:
            self.in_children[test] = in_children
        reached: set[int] = self.files.switches.taken() | in_children | lasting
        for number in reached:
            self._by_mutant.setdefault(number, {})[test] = None
        return reached

    def begin_shared(self) -> None:
        """Something that several tests share is being set up."""
        self._fixtures.append(self.files.switches.taken())

    def end_shared(self, began: float) -> set[int]:
        """Return what was reached since; it counts for the test that runs as well."""
        reached: set[int] = self.files.switches.taken()
        before = self._fixtures.pop()
        self.files.switches.reached |= before | reached
        self.shared_seconds += CLOCK[0]() - began
        return reached

    def tests_of(self, number: int) -> list[int]:
        """Return the tests that reach a mutant, by their `rank`."""
        return sorted(self._by_mutant.get(number, ()), key=lambda test: self.rank(number, test))

    def rank(self, number: int, test: int) -> tuple[int, float]:
        """Return what tells by `<` which test to try first: one in a file named for the mutant's, then a quick one."""
        place = self.files.path_of[number], self._file_of(test)
        if place not in self._distances:
            self._distances[place] = distance(place[1], place[0])
        return self._distances[place], self.seconds.get(test, 0.0)

    def _taken(self) -> set[int]:
        return self.files.switches.taken() | self._taken_in_children()  # type: ignore[no-any-return]  # both are sets

    def _taken_in_children(self) -> set[int]:
        path = os.path.join(FOLDER, CHILDREN)
        try:
            if os.stat(path).st_size == self._children_read:  # noqa: PTH116  # as above
                return set()
            with open(path, "rb") as opened:
                opened.seek(self._children_read)
                data = opened.read()
        except OSError:
            return set()
        self._children_read += len(data)
        return {int(word) for word in data.split()}


def distance(test: str, path: str) -> int:
    """Return how far the name of a test's file is from that of a file under test: 0 to 2.

    Args:
        test: The path of the test's file, perhaps with more after "::".
    """
    subject, _ = os.path.splitext(os.path.basename(path))
    if subject == "__init__":
        subject = os.path.basename(os.path.dirname(path))
    file = os.path.basename(test.split("::", 1)[0]).lower()
    subject = subject.lower().strip("_")
    return 0 if file in (f"test_{subject}.py", f"{subject}_test.py") else 1 if subject in file else 2
