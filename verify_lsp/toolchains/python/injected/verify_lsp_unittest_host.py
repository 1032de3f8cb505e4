"""The part of our unittest runner that lets a run be forked before it loads what mutants are in.

Everything here must work with Python 3.8.
"""

from __future__ import annotations

from collections.abc import Callable

from verify_lsp_forks import Visit, let_go  # type: ignore[import-not-found]  # it stands beside this file at run time
from verify_lsp_loading import Host  # type: ignore[import-not-found]  # likewise
from verify_lsp_mutants import Files  # type: ignore[import-not-found]  # likewise


class RunHost(Host):  # type: ignore[misc]  # its base is only known at run time
    """Hands a fork of the run over to who listens to its result.

    Args:
        listen: Is given what a fork is for.

    Attributes:
        numbers: Which test is the how manieth to run, by its id, once that is known.
    """

    def __init__(self, files: Files, listen: Callable[[Visit], None]) -> None:
        super().__init__(files)
        self._listen = listen
        self.numbers: dict[str, int] = {}

    def place_of(self, test: str, path: str) -> tuple[int, int] | None:  # noqa: ARG002  # all have the same order here
        """Return when a test runs among all."""
        number = self.numbers.get(test)
        return None if number is None else (0, number)

    def prepare(self) -> None:
        """Leave the run's output to the process that it belongs to."""
        let_go([1, 2])

    def enter(self, visit: Visit) -> None:
        """Have what happens to the tests told of."""
        self._listen(visit)
