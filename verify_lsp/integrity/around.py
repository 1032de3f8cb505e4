"""What a change did beside its tests: did code change what it does, and which names are gone from it?"""

import re
from collections.abc import Sequence

from verify_lsp.integrity.cases import Reading
from verify_lsp.integrity.tests_seen import ReadFile
from verify_lsp.judgement.files.behaviour import behavioural_lines, cannot_be_read
from verify_lsp.judgement.files.file_kinds import is_code, is_documentation, is_test
from verify_lsp.model.change import Change, FileChange, Line

_NAME = re.compile(r"[A-Za-z_]\w{2,}")


def source_lines(file: FileChange, read: ReadFile | None) -> tuple[Line, ...]:
    """Return the changed lines of code that can change what it does; none for a test file."""
    if is_test(file.path) or not is_code(file.path):
        return ()
    lines = behavioural_lines(file)
    if read is None:
        return lines
    removed = {id(line) for line in file.removed_lines}
    return tuple(
        line for line in lines if not (read.before if id(line) in removed else read.after).is_test_line(line.line)
    )


def source_changed(change: Change, reads: dict[str, ReadFile]) -> bool:
    """Say whether code that is no test changed what it does."""
    return any(
        (is_code(file.path) and not is_test(file.path) and cannot_be_read(file))
        or bool(source_lines(file, reads.get(file.path)))
        for file in sorted(change.files, key=lambda file: len(file.after or file.before or ""))
    )


def is_explained(change: Change, reads: dict[str, ReadFile]) -> bool:
    """Say whether anything changed that a test may depend on, beside the bodies of tests and prose."""
    for file in change.files:
        read = reads.get(file.path)
        if read is None:
            if not is_documentation(file.path):
                return True
        elif _outside_tests(file.removed_lines, read.before) or _outside_tests(file.added_lines, read.after):
            return True
    return False


def dropped_names(change: Change, reads: dict[str, ReadFile]) -> frozenset[str]:
    """Return the names in removed code that no changed file of code has any more."""
    code = [file for file in change.files if is_code(file.path) and not is_test(file.path)]
    gone = {
        name
        for file in code
        for line in file.removed_lines
        if not _is_in_tests(reads.get(file.path), line)
        for name in _NAME.findall(line.text)
    }
    if not gone:
        return frozenset()
    kept = {name for file in code if file.after is not None for name in _NAME.findall(file.after)}
    names = {name for file in code if file.change == "deleted" for name in _NAME.findall(file.path)}
    return frozenset((gone | names) - kept)


def _is_in_tests(read: ReadFile | None, line: Line) -> bool:
    return read is not None and read.before.is_test_line(line.line)


def _outside_tests(lines: Sequence[Line], reading: Reading) -> bool:
    spans = [(case.line, case.end_line) for case in reading.cases if case.is_test]
    return any(line.text.strip() and not any(first <= line.line <= last for first, last in spans) for line in lines)
