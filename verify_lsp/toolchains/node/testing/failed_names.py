"""Names of failed tests in what runners print for people."""

import re

from verify_lsp.model.testrun import TestCase
from verify_lsp.toolchains.node.testing.reports import case_id

_LIMIT = 500

_VITEST = re.compile(r"^ FAIL +(?P<path>[^\s>|][^\n>]*?)(?::(?P<line>\d+):\d+)? > (?P<name>[^\n]+?)[ ]*$", re.MULTILINE)
_JEST = re.compile(r"^ +● (?!Console$)(?P<name>[^\n]* › [^\n]+?)[ ]*$", re.MULTILINE)
_TAP = re.compile(r"^not ok \d+ -? ?(?P<name>(?![^\n]*# (?:TODO|SKIP)\b)[^\n]+?)[ ]*$", re.MULTILINE | re.IGNORECASE)
_AVA = re.compile(r"^ +✘ \[fail\]: (?P<name>[^\n]+?)(?: \([\d.]+m?s\))?(?: ([^\n]+))?$", re.MULTILINE)
_BUN = re.compile(r"^\(fail\) (?P<name>[^\n]+?)(?: \[[\d.]+m?s\])?$", re.MULTILINE)
_DENO = re.compile(r"^(?P<name>[^\n]+?) => (?:\./)?(?P<path>[^\n:]+):(?P<line>\d+):\d+$", re.MULTILINE)
_MOCHA = re.compile(
    r"^ {2}\d+\) (?P<first>[^\n]+)\n(?P<more>(?: {7,}[^\n]+\n)*?)? {7,}(?P<last>[^\n]+):$", re.MULTILINE
)


def failed_cases(text: str) -> tuple[TestCase, ...]:
    """Return the failed tests that plain output names, each once. What is not named is not invented."""
    found: dict[str, TestCase] = {}
    for match in _VITEST.finditer(text):
        path, line = match["path"], match["line"]
        found.setdefault(*_case(path, *match["name"].split(" > "), path=path, line=int(line) if line else None))
    for match in _JEST.finditer(text):
        found.setdefault(*_case(*match["name"].split(" › ")))
    for match in _DENO.finditer(text):
        titles = match["name"].split(" ... ")
        found.setdefault(*_case(match["path"], *titles, path=match["path"], line=int(match["line"])))
    for pattern in (_TAP, _AVA, _BUN):
        for match in pattern.finditer(text):
            found.setdefault(*_case(match["name"]))
    for match in _MOCHA.finditer(text):
        middle = [line.strip() for line in match["more"].splitlines()]
        found.setdefault(*_case(match["first"].strip(), *middle, match["last"].strip()))
    return tuple(found.values())[:_LIMIT]


def _case(*names: str, path: str | None = None, line: int | None = None) -> tuple[str, TestCase]:
    id_ = case_id(*names)
    return id_, TestCase(id_, "failed", path, line)
