"""Denials of something bad, such as "no type errors".

They are claims by themselves, and no negation of what stands beside them. A sentence is made neutral by putting marks
in their place, which say what was denied: `<clean:+types+new>`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import get_args

from verify_lsp.judgement.sayings.said import CheckClaim, Said
from verify_lsp.judgement.sayings.tools import LINTERS, TEST_TOOLS, TYPE_CHECKERS, tools_in

_BAD = (
    r"(?:errors?|failures?|fails|failed|warnings?|issues?|problems?|regressions?|violations?|complaints?|findings?|diagnostics?"
    r"|offen[cs]es?|(?:failing|failed|broken)(?: (?:tests?|specs?|cases?|checks?))?|vulnerabilit(?:y|ies))"
)
_WORD = (
    r"(?:(?!(?:and|or|but|nor|that|which|to|of|in|for|with|is|are|was|were|tests? (?:fail|pass)\w*)\b)"
    r"(?:[\w./+#&'-]+|<\w+:\d+>)\s+)"
)
_OR = r"(?:\s*,\s*(?:or\s+|and\s+|nor\s+)?|\s+(?:or|and|nor)\s+|\s*/\s*)(?:no\s+|0\s+|zero\s+)?"
_DENIAL = re.compile(
    r"(?<![\w.,-])(?:no|zero|0|without(?: any)?|free of(?: any)?|not a single|not any|none of the)\s+"
    rf"(?P<what>{_WORD}{{0,4}}?{_BAD}\b(?:{_OR}{_WORD}{{0,2}}?{_BAD}\b)*)(?![\w-])"
    r"|(?<![\w.,-])(?:no|0|zero|none of the)\s+(?P<tests>(?:[\w-]+\s+){0,2}?tests?)\s+(?:have\s+|has\s+)?fail(?:s|ed|ing|ures?)?\b"
    r"|\bnothing\s+(?:is |was |has )?(?:fails?|failed|failing|broken|broke)\b"
    r"|\bnone (?:of them )?(?:fails?|failed|failing)\b"
    r"|\b(?:0|zero|none)\s+remaining\b|\bno longer (?:fails?|failing|crash(?:es)?|errors?)\b"
)
_TOPICS: tuple[tuple[CheckClaim, re.Pattern[str]], ...] = (
    ("lint", re.compile(rf"\b(?:lint\w*|{LINTERS})\b|<lint:")),
    ("types", re.compile(rf"\b(?:types?|typing|type-?check\w*|typescript|{TYPE_CHECKERS})\b|<types:")),
    ("build", re.compile(r"\bbuild\b|<build:")),
    ("compile", re.compile(r"\bcompil\w+\b|\bsyntax\b")),
    ("tests-pass", re.compile(rf"\b(?:tests?|specs?|{TEST_TOOLS})\b|<tests:")),
    ("diagnostics", re.compile(r"\b(?:diagnostics?|lsp|editor|ide|language server)\b")),
    ("security", re.compile(r"\b(?:security|vulnerabilit\w+|cves?)\b")),
)
_GOES_ON = re.compile(
    r"\s+(?:are|is|were|was|get|gets|slip|can|could|will|would|should|may|from being)\b"
    r"(?!\s+(?:\w+\s+)?(?:reported|found|left|introduced|present|shown|there|detected|remaining)\b)"
)
_NEW = re.compile(r"\b(?:new|additional|introduced|further)\b")
_ERRORS = re.compile(r"\berrors?\b")
_LESS = re.compile(r"\b(?:warnings?|issues?|problems?|findings?|violations?|complaints?)\b")
_COMMAND = re.compile(r"<(?:tests|lint|types|build):(\d+)>")
_MARK = re.compile(r"<clean:\+([^<>]*)>")


def neutral(marked: str) -> str:
    """Return the sentence with its denials replaced by marks."""
    return _DENIAL.sub(_mark, marked)


def denied(text: str, spans: Sequence[str]) -> Iterator[Said]:
    """Find the claims that denials make by themselves in a neutral sentence."""
    for found in _MARK.finditer(text):
        if _GOES_ON.match(text, found.end()):
            continue  # "No lint errors are hidden" is about hiding.
        tags = found[1].split("+")
        names = [tag.removeprefix("tool=") for tag in tags if tag.startswith("tool=")]
        names += [spans[int(tag.removeprefix("span="))] for tag in tags if tag.startswith("span=")]
        for kind in (known for known in get_args(CheckClaim) if known in tags):
            yield Said(
                kind,
                found.start(),
                found.start(),
                found.end(),
                every=kind == "tests-pass",
                new="new" in tags,
                errors_only="error" in tags,
                names=tuple(names),
            )


def is_new(mark: str) -> bool:
    """Say whether a mark, or words around it, denies only what is new."""
    return "+new" in mark


def is_of_errors(mark: str) -> bool:
    """Say whether a mark, or words around it, denies errors and nothing less."""
    return "+error" in mark


def _mark(found: re.Match[str]) -> str:
    words = found["what"] or found["tests"] or ""
    tags: list[str] = [kind for kind, pattern in _TOPICS if pattern.search(words)]
    tags += ["new"] if _NEW.search(words) else []
    tags += ["error"] if _ERRORS.search(words) and not _LESS.search(words) else []
    tags += [f"tool={tool}" for tool in tools_in(words)]
    tags += [f"span={number}" for number in _COMMAND.findall(words)]
    return f"<clean:+{'+'.join(tags)}>"
