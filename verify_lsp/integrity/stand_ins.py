"""A stand-in for the whole module that a test file is about."""

import re
from collections.abc import Iterator
from posixpath import basename

from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.files.file_kinds import is_test
from verify_lsp.model.change import Change, FileChange

_SCRIPT = re.compile(
    r"\b(?:jest|vi)\.(?:mock|doMock|unstable_mockModule)\(\s*(?:import\()?\s*['\"`](?P<module>[^'\"`]+)['\"`]"
)
_PYTHON = re.compile(r"\bsys\.modules\[\s*['\"](?P<module>[\w.]+)['\"]\s*\]\s*=")
_ACTUAL = re.compile(r"importActual|requireActual|importOriginal|spy:\s*true")


def modules_replaced(change: Change) -> Iterator[Sign]:
    """Yield a sign for each test file that was there and now replaces the module that its name says it tests."""
    for file in change.files:
        if not is_test(file.path) or file.change == "added" or file.after is None or _ACTUAL.search(file.after):
            continue
        had = {found["module"] for line in file.removed_lines for found in _found(line.text)}
        for line in file.added_lines:
            for found in _found(line.text):
                if found["module"] not in had and _stem(found["module"]) == _subject(file):
                    message = f"`{found['module']}`, which this file tests, is replaced by a stand-in as a whole."
                    yield Sign("integrity.subject-mocked", file.path, line.line, message, line.text.strip()[:110])


def _found(text: str) -> Iterator[re.Match[str]]:
    yield from _SCRIPT.finditer(text[:1_000])
    yield from _PYTHON.finditer(text[:1_000])


def _subject(file: FileChange) -> str:
    """Return what a test file is about by its name: `shop` for `shop.test.ts` and `test_shop.py`."""
    name = basename(file.path).partition(".")[0]
    return name.removeprefix("test_").removesuffix("_test")


def _stem(module: str) -> str:
    """Return the last name of a module: `shop` for `../src/shop.js` and for `app.shop`."""
    last = re.sub(r"\.[cm]?[jt]sx?$", "", basename(module))
    return last.rpartition(".")[2]
