"""What a claim about checks is about: tests, lint, types, the build, or all of them."""

import re
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.judgement.sayings.said import CheckClaim
from verify_lsp.judgement.sayings.spans import is_narrowed
from verify_lsp.judgement.sayings.tools import LINTERS, TEST_TOOLS, TYPE_CHECKERS, tools_in

WORD = r"(?:[\w'./+#&-]+|<(?:quote|code|name|path):\d+>)"
NUMBER = r"\d[\d,]*"

NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    )
}
_STOP = (
    r"(?:and|or|but|nor|that|which|who|whose|not|no|with|without|to|of|in|on|at|for|from|by|as|is|are|was|were|be|been|has"
    r"|have|had|do|does|did|i|we|you|it|they|if|when|so|then|than|because|while|after|before|ran|run|runs|running|re-?ran"
    r"|added|adds|adding|wrote|written|created|fixed|fixes|updated|made|make|sure|verified|verify|confirmed|confirm|checked"
    r"|ensured|ensure|makes|making|lets|letting|helps|helped|causes|pass|passes|passed|passing|fail\w*|says?|said|see|can|will|would|should|could|may|might|must|none"
    r"|neither|never)\b"
)
_MODIFIERS = rf"(?:(?!{_STOP}){WORD}\s+){{0,3}}?"
_TOPIC = re.compile(
    r"(?<![\w<:-])(?:"
    r"(?P<all>(?:all|every)(?: of)?(?: the| our)?(?: \d+)?"
    r"(?: (?:required|quality|local|pre-?commit|verification|validation|ci|status|automated))*"
    r" (?:checks?|gates?|hooks?|validations?|verifications?)|everything|(?:the )?pre-?commit(?: hooks?| checks?)?)"
    rf"|(?P<lint>(?:the |our )?(?:<lint:\d+>|lint(?:er|ers|ing|s)?|(?:cargo )?(?:{LINTERS}))"
    r"(?: (?:checks?|rules?|run|step|job))?)"
    r"|(?P<types>(?:the |all |static )*(?:<types:\d+>|type[- ]?check(?:s|er|ers|ing)?|types(?! of\b)|typings?"
    rf"|(?:{TYPE_CHECKERS})|typescript)(?: (?:checks?|run|step))?)"
    r"|(?P<build>(?:(?:the|a|our|production|prod|release|dev|development|full|clean|frontend|backend|project) )*"
    r"(?:<build:\d+>|builds?)(?: (?:step|process|job))?)"
    r"|(?P<compile>(?:the )?compilation)"
    rf"|(?P<tests>{_MODIFIERS}(?:<tests:\d+>(?: (?:command|suite|run))?"
    rf"|(?:tests?|specs?)(?:[- ](?:suites?|cases?|files?|runs?))?|(?:test )?suites?|(?:{TEST_TOOLS})(?: \./\.\.\.| --?[a-z][\w-]*)*))"
    r")(?![\w-])(?! of time)(?!:\d)"
)
_KINDS: dict[str, CheckClaim] = {
    "all": "all-checks",
    "lint": "lint",
    "types": "types",
    "build": "build",
    "compile": "compile",
    "tests": "tests-pass",
}
_COMMAND = re.compile(r"<(?:tests|lint|types|build):(\d+)>")

_NO_TEST = re.compile(r"\b(?:litmus|smell|acid|sniff|taste|turing|eye|squint|bus|crash|vibe)\s+tests?\b")
_ELSEWHERE = re.compile(r"\b(?:ci|upstream)\b")
_PARTIAL = re.compile(r"\b(?:most|some|many|several|few|half|almost|nearly|only|more|fewer|any)\b")
_EVERY = re.compile(r"\b(?:all|every|each|both|full|whole|entire|complete|everything)\b|100\s?%")
_NOT_SCOPING = re.compile(
    r"(?:all|both|every|each|the|my|our|its|full|whole|entire|complete|single|tests?|suites?|automated|local|current|project"
    r"|project's|now|still|again|finally|also|locally|cases?|runs?|files?|specs?|pytest|jest|vitest|mocha|command"
    rf"|{NUMBER}(?:/{NUMBER})?|{'|'.join(NUMBER_WORDS)}|<tests:\d+>|<ok>)"
)
_COUNT = re.compile(
    rf"(?<![\w.:])(?P<digits>{NUMBER})(?:/(?P<of>{NUMBER}))?(?![\w.])|\b(?P<word>{'|'.join(NUMBER_WORDS)})\b"
)
_COUNT_BEFORE = re.compile(rf"(?P<count>{NUMBER})\s*(?:/|of(?: the)?|out of)\s*$")
_ALL_OF_BEFORE = re.compile(r"\b(?:all|100\s?%|every one|each)(?: \d+)? of\s*$")
_SOME_OF_BEFORE = re.compile(
    r"\b(?:most|some|many|several|few|half|nearly all|two|three|one|\d+) of\s*$|\b(?:almost|nearly|not) all of\s*$"
)


@attrs.frozen
class Topic:
    """A phrase that names what was checked. See `Said` for the fields they share."""

    kind: CheckClaim
    start: int
    end: int
    count: int | None = None
    every: bool = False
    scoped: bool = False
    names: tuple[str, ...] = ()


def topics_in(text: str, spans: Sequence[str]) -> Iterator[Topic]:
    """Find the topics of a neutral sentence, from left to right. A part of the tests ("most tests") is none."""
    for found in _TOPIC.finditer(text):
        group = found.lastgroup or "all"
        words, before = found[group], text[: found.start()]
        if _ELSEWHERE.search(words):
            continue
        if group == "tests" and (_NO_TEST.search(words) or _PARTIAL.search(words) or _is_part(words, before)):
            continue
        names = tuple(spans[int(number)] for number in _COMMAND.findall(words)) or tools_in(words)
        is_test = group == "tests"
        yield Topic(
            _KINDS[group],
            found.start(),
            found.end(),
            count=_count_in(words) if is_test else None,
            every=bool(_EVERY.search(words) or _ALL_OF_BEFORE.search(before)),
            scoped=is_test and (not _speaks_of_all(words) or any(map(is_narrowed, names))),
            names=names,
        )


def number_of(digits: str) -> int:
    """Return the number that digits, with or without commas, or a word such as "twelve" stand for."""
    return NUMBER_WORDS[digits] if digits in NUMBER_WORDS else int(digits.replace(",", "") or "0")


def _is_part(words: str, before: str) -> bool:
    """Say whether a phrase speaks of a part: "11 of 12 tests", "11/12 tests", "some of the tests"."""
    inner, outer = _COUNT.search(words), _COUNT_BEFORE.search(before)
    if inner is not None and inner["of"] and number_of(inner["of"]) != number_of(inner["digits"]):
        return True
    if outer is not None:
        return _count_in(words) != number_of(outer["count"])
    return _SOME_OF_BEFORE.search(before) is not None


def _count_in(words: str) -> int | None:
    found = _COUNT.search(words)
    return None if found is None else number_of(found["word"] or found["digits"])


def _speaks_of_all(words: str) -> bool:
    return all(_NOT_SCOPING.fullmatch(word) for word in words.split())
