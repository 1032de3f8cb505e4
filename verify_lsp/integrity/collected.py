"""Test files that got a name by which the runner no longer finds them."""

import re
from collections.abc import Iterator
from posixpath import basename

from verify_lsp.integrity.languages.reading import read, reads
from verify_lsp.integrity.sign import Sign
from verify_lsp.model.change import Change, FileChange

_COLLECTED = re.compile(
    r"^test_[^/]*\.py$|_test\.py$|^tests?\.py$|\.(?:test|spec)\.[cm]?[jt]sx?$|_test\.go$|^[^/]*\.bats$", re.IGNORECASE
)


def left_out_by_name(change: Change) -> Iterator[Sign]:
    """Yield a sign for each file of tests that was renamed to something that is not taken for tests."""
    for file in change.files:
        if file.change != "renamed" or file.old_path is None or file.before is None or not reads(file.old_path):
            continue
        if not is_collected(file.old_path) or is_collected(file.path) or "__tests__/" in file.path:
            continue
        tests = _number_of_tests(file)
        if tests:
            message = f"`{basename(file.old_path)}` has a name now that the test runner does not look for: {tests} tests may no longer run."
            yield Sign("integrity.test-removed", file.path, 1, message, f"{file.old_path} → {file.path}", 0, tests)


def is_collected(path: str) -> bool:
    """Say whether runners find tests in a file by its name."""
    return _COLLECTED.search(basename(path)) is not None


def _number_of_tests(file: FileChange) -> int:
    reading = read(file.old_path or file.path, file.before)
    return sum(case.is_test for case in reading.cases) if reading is not None else 0
