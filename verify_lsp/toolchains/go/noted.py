"""What the switch package noted in a run: which tests reach which mutants."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.go.events import read_events

FOLDER = "reach"
"""Where notes lie, below the private folder of a run."""


def reaching_tests(result: CommandResult, folder: Path, module: str) -> dict[int, tuple[str, ...]]:
    """Return the tests that reach each mutant that is reached at all, as "package.TestName".

    What is reached outside of tests, by a process that a test started, or in code that runs once for all, counts for
    all tests of its package.

    Args:
        folder: The module's absolute folder, without links in it.
    """
    ran = {
        package.path: [test.name for test in package.tests if "/" not in test.name]
        for package in read_events(result.stdout).packages.values()
    }
    order = {f"{package}.{name}": at for package, names in ran.items() for at, name in enumerate(names)}
    reached: dict[int, set[str]] = {}
    for place, number, names in _notes(result.files):
        package = _package(place, folder, module)
        for name in names or ran.get(package, ()):
            if not name.startswith("Benchmark"):
                reached.setdefault(number, set()).add(f"{package}.{name}")
    return {
        number: _many_first(sorted(tests, key=lambda test: (order.get(test, len(order)), test)))
        for number, tests in sorted(reached.items())
    }


def all_reached(result: CommandResult) -> frozenset[int]:
    """Return the mutants that any process of a run has reached."""
    return frozenset(number for _, number, _ in _notes(result.files) if number > 0)


def surely_reached(result: CommandResult) -> frozenset[int]:
    """Return the mutants that were only ever reached while one single test ran, and by it."""
    notes = [(number, names) for _, number, names in _notes(result.files)]
    return frozenset(number for number, _ in notes) - {number for number, names in notes if len(names) != 1}


def up_to(noticed: str, tests: tuple[str, ...]) -> tuple[str, ...]:
    """Return of tests, in the order in which they run, the one that `noticed` names or lies in and those before it.

    Other packages have programs of their own. Where it is none of these, all are returned.
    """
    top = next((test for test in tests if noticed == test or noticed.startswith(f"{test}/")), None)
    if top is None:
        return tests
    package = top.rpartition(".")[0]
    return tuple(test for test in tests[: tests.index(top) + 1] if test.rpartition(".")[0] == package)


def _notes(files: Mapping[str, str]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield folder, number, and the tests that were running; none stand for all of the package."""
    for path, text in sorted(files.items()):
        if not path.startswith(f"{FOLDER}/"):
            continue
        running: dict[str, dict[str, None]] = {}
        for line in text.split("\n"):
            place, _, event = line.partition("\t")
            here = running.setdefault(place, {})
            if event.startswith("+"):
                here[event[1:]] = None
            elif event.startswith("-"):
                here.pop(event[1:], None)
            elif event.removeprefix("*").isdecimal():
                yield place, int(event.removeprefix("*")), () if event.startswith("*") else tuple(here)


def _package(place: str, folder: Path, module: str) -> str:
    path = Path(place)
    if path == folder or not path.is_relative_to(folder):
        return module
    return f"{module}/{path.relative_to(folder).as_posix()}"


def _many_first(tests: Iterable[str]) -> tuple[str, ...]:
    """The package with most of the tests comes first, as a failure is most likely there."""
    by_package: dict[str, list[str]] = {}
    for test in tests:
        by_package.setdefault(test.rpartition(".")[0], []).append(test)
    return tuple(test for group in sorted(by_package.values(), key=len, reverse=True) for test in group)
