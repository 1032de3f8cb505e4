"""Which tests a change adds and takes away, by the lines that declare them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from posixpath import splitext

import attrs

from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.model.change import Change, FileChange, Line

_LINE_LIMIT = 400
_SCRIPT = re.compile(
    r"^\s*(?:it|test|specify)(?:\.(?:only|skip|concurrent|sequential|failing|todo|fails|each\([^)]*\)))*"
    r"\s*\(\s*(?P<quote>['\"`])(?P<name>.+?)(?P=quote)"
)
_ATTRIBUTE = re.compile(r"^\s*#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b(?P<name>)")
_ANNOTATION = re.compile(
    r"^\s*@(?:Test|ParameterizedTest|RepeatedTest)\b(?P<name>)|^\s*\[(?:Fact|Theory|Test|TestMethod)\b"
)
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    ".py": re.compile(r"^\s*(?:async\s+)?def\s+(?P<name>test\w*)\s*\("),
    ".go": re.compile(r"^func\s+(?P<name>(?:Test|Fuzz|Example|Benchmark)\w*)\s*\("),
    ".rs": _ATTRIBUTE,
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts"), _SCRIPT),
    **dict.fromkeys((".java", ".kt", ".scala", ".cs"), _ANNOTATION),
    ".rb": re.compile(r"^\s*(?:it|specify|test|scenario)\s+(?P<quote>['\"])(?P<name>.+?)(?P=quote)|^\s*def\s+test_\w+"),
    ".ex": re.compile(r"^\s*test\s+\"(?P<name>[^\"]+)\""),
    ".exs": re.compile(r"^\s*test\s+\"(?P<name>[^\"]+)\""),
    ".php": re.compile(r"^\s*(?:public\s+)?function\s+(?P<name>test\w+)\s*\("),
    ".swift": re.compile(r"^\s*func\s+(?P<name>test\w*)\s*\("),
}


@attrs.frozen
class TestCount:
    """How many tests of a file appeared and went. A test that only moved is neither."""

    __test__ = False

    path: str
    added: int
    removed: int


def count_tests(change: Change) -> tuple[TestCount, ...]:
    """Return the counts of every file in which a test was declared or ceased to be."""
    added = {file.path: _declared(file, file.added_lines) for file in change.files}
    removed = {file.path: _declared(file, file.removed_lines) for file in change.files}
    all_added, all_removed = sum(added.values(), Counter()), sum(removed.values(), Counter())
    counts = (
        TestCount(
            file.path,
            (added[file.path] - all_removed).total(),
            (removed[file.path] - all_added).total(),
        )
        for file in change.files
    )
    return tuple(count for count in counts if count.added or count.removed)


def declares_tests(path: str) -> bool:
    """Say whether this module can tell the tests of such a file one by one."""
    return splitext(path)[1].lower() in _PATTERNS


def _declared(file: FileChange, lines: Iterable[Line]) -> Counter[str]:
    """Tests by name. Where the declaring line has no name, the file's path stands in, so that only counts matter."""
    extension = splitext(file.path)[1].lower()
    pattern = _PATTERNS.get(extension)
    # A function called test_… outside the tests is a test in Rust alone.
    if pattern is None or not (extension == ".rs" or is_test(file.path)):
        return Counter()
    found = (pattern.search(line.text[:_LINE_LIMIT]) for line in lines)
    return Counter((match["name"] or file.path) for match in found if match)
