"""Claims about what checks showed: a topic, and a word that calls it good.

Topics and predicates are found apart and linked where nothing but a list, a place or a dash stands between them, so
that "lint, types and all 12 tests pass" makes three claims, and "the tests pass a flag to the linter" makes none.
"""

import re
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.judgement.sayings.denials import denied, is_new, is_of_errors
from verify_lsp.judgement.sayings.said import CheckClaim, Said
from verify_lsp.judgement.sayings.topics import NUMBER, WORD, Topic, number_of, topics_in

_MARK = r"<clean:[^<>]*>"
_ADVERBS = (
    r"(?:(?:now|still|also|all|both|again|successfully|currently|fully|completely|just|each|then|too|reliably|consistently|definitely"
    r"|probably|likely|presumably|apparently|hopefully|supposedly|clean and)\s+)*"
)
_GOOD = r"(?:(?:all )?passing|(?:all )?green|clean|successful|happy|error[- ]free|in place and (?:all )?passing)"
_IS = (
    r"(?:is|are|be|remains?|remained|stays?|stayed|comes? (?:back|out)|came (?:back|out)"
    r"|(?:has|have) (?:all )?been)"
)
_SAYS = (
    r"(?:reports?|reported|shows?|showed|finds?|found|gives?|gave|has|had|have|returns?|returned|yields?|raises?|raised"
    r"|produces?|produced|says?|said|with|comes? back with|came back with|and (?:got|found|saw|had|there (?:are|were))"
    r"|(?:exit|complete|finish|end)(?:s|ed|es)? with)"
)
_MODAL = (
    r"(?:should|ought to|may|might|seems? to|appears? to|could|would|will|must|can|needs? to|ha(?:s|ve) to|shall|to)"
)
_HEDGING = re.compile(r"should|ought to|may|might|(?:seem|appear)s? to")
_DOUBT = re.compile(r"\b(?:probably|likely|presumably|apparently|hopefully|supposedly)\b")
# What may follow a predicate. "The tests pass a flag" goes on with its object, and so says nothing about a result.
_AFTER = (
    r"(?![\w-])(?=\s*(?:$|[.,;:!?()\]\u2026\u2013\u2014]|-\s|<(?:ok|clean)|\d|(?:now|again|locally|successfully|cleanly|too|as well"
    r"|as expected|as before|without|across|after|including|and|but|so|for|under|when|both|here|consistently|everywhere"
    r"|afterwards|while|because|since|except|unless|if|once|until|yet|today|unchanged|untouched|end[- ]to[- ]end|i|with(?! (?:a|an|the) )"
    r"|in(?! (?:a|an|its|their|that|those|some|as|order) )|on(?! (?:to|the) )|against|throughout)\b))"
)
_PREDICATE = re.compile(
    rf"(?:(?<=[\s>()])|^)(?:(?P<modal>{_MODAL})\s+)?(?P<adverbs>{_ADVERBS})"
    rf"(?:(?P<verb>pass(?:es|ed|ing)?|succeed(?:s|ed)?|continues? to pass|keeps? passing|(?:have|has)\s+{_ADVERBS}(?:passed|succeeded)"
    rf"|{_IS}\s+{_ADVERBS}{_GOOD}|(?:run|runs|ran|completes?|completed|finish(?:es|ed)?|exits?|exited)\s+{_ADVERBS}"
    r"(?:green|clean(?:ly)?|successfully|(?:with )?(?:code |status )?0(?!\.?\d)))"
    rf"|(?P<says>(?:(?:run|runs|ran)\s+)?{_SAYS}\s+(?:{_MARK}|nothing(?! else)\b)|(?:{_IS}\s+)?{_MARK})"
    rf"|(?P<result>clean|green|passing|successful|success|<ok>|ok|okay)){_AFTER}"
)
_GAP = re.compile(
    r"(?:\s+(?P<place>(?:in|for|of|under|from|on|across|covering|around|against)"
    rf"(?:\s+(?!(?:and|or|but|that|which)\b)(?:{WORD}|<tests:\d+>)){{1,5}}?"
    r"|(?:(?:that|which)\s+)?(?:i|we)\s+(?:wrote|added|created|updated|changed|touched|modified|fixed|ran)))?"
    r"(?:\s*\([^()]{0,40}\))?\s*(?P<sign>:|\(|-{1,2}|\u2013|\u2014|->|\u2192|,)?\s*"
)
_SEPARATOR = re.compile(r"\s*(?:,\s*(?:and\s+)?|and\s+|&\s*|\+\s*|/\s*|as well as\s+|plus\s+)(?:the\s+|all\s+)?\s*")
_OWNS = re.compile(r"\s*(?::|-{1,2}|\u2013|\u2014|->|\u2192|says?|reports?|prints?)\s*")
_PRONOUN = re.compile(
    r"(?:^|[\s,;:\u2013\u2014-])(?:and\s+|now\s+)?(?:they|these|those|both|all)(?:\s+of\s+(?:them|these|those|which))?\s*"
)
_PLACE_AFTER = re.compile(
    r"\s+(?:for|in|under|of|from|on|against|across)\s+"
    r"(?!\d|total|under|about|less|~|all\b|both\b|ci\b|the (?:whole|full|entire))"
)
_RATIO_AFTER = re.compile(rf"\s*\(?({NUMBER})\s*/\s*({NUMBER})\)?")


def said_of_checks(text: str, spans: Sequence[str]) -> Iterator[Said]:
    """Find the claims about checks in a neutral sentence, see `denials.neutral`."""
    topics = tuple(topics_in(text, spans))
    for found in _PREDICATE.finditer(text):
        if found["modal"] is None or _HEDGING.fullmatch(found["modal"]) or _DOUBT.search(found[0]):
            yield from (_said(topic, found, text) for topic in _subjects(text, topics, found))
    yield from denied(text, spans)
    yield from _counted(text, topics)
    yield from _verbs(text)


def _subjects(text: str, topics: Sequence[Topic], predicate: re.Match[str]) -> list[Topic]:
    """The topics that a predicate is about: the list that ends before it, or what a pronoun stands for."""
    is_of_code = predicate["verb"] is not None and predicate["verb"].endswith("clean")
    # Clean tests are well written, a clean linter found nothing.
    about = [topic for topic in topics if not (is_of_code and topic.kind == "tests-pass")]
    before = [topic for topic in about if topic.end <= predicate.start()]
    if not before:
        return []
    last = before[-1]
    gap = _GAP.fullmatch(text, last.end, predicate.start())
    if gap is not None and _linked(gap, predicate):
        if last.kind == "all-checks":
            return _meant_by_all(text, before, last, gap)
        last = attrs.evolve(last, scoped=last.scoped or gap["place"] is not None)
        return [*_listed(text, before[:-1], last), last]
    # The adverb "all" may itself be the pronoun: "ran the tests, all pass".
    by_pronoun = predicate["result"] is None and any(
        _ends_in_pronoun(text, last.end, end) for end in (predicate.start(), predicate.end("adverbs"))
    )
    return [*_listed(text, before[:-1], last), last] if by_pronoun else []


def _meant_by_all(text: str, before: Sequence[Topic], last: Topic, gap: re.Match[str]) -> list[Topic]:
    """Leave out "everything in it passes"; take "ruff: all checks passed" for a word about ruff."""
    if gap["place"]:
        return []
    owner = before[-2] if len(before) > 1 else None
    return [owner] if owner and _OWNS.fullmatch(text, owner.end, last.start) else [last]


def _linked(gap: re.Match[str], predicate: re.Match[str]) -> bool:
    """A bare "clean" needs a colon or a dash before it; a whole predicate needs none, and no comma."""
    if predicate["result"]:
        return gap["sign"] is not None or predicate["result"] == "<ok>"
    return gap["sign"] != "," or "all" in predicate["adverbs"] or predicate["says"] is not None


def _ends_in_pronoun(text: str, start: int, end: int) -> bool:
    return any(found.end() == end for found in _PRONOUN.finditer(text, start, end))


def _listed(text: str, earlier: Sequence[Topic], last: Topic) -> list[Topic]:
    listed: list[Topic] = []
    for topic in reversed(earlier):
        if not _SEPARATOR.fullmatch(text, topic.end, last.start):
            break
        listed.insert(0, topic)
        last = topic
    return listed


def _said(topic: Topic, predicate: re.Match[str], text: str) -> Said:
    ratio = _RATIO_AFTER.match(text, predicate.end())
    count = topic.count
    if topic.kind == "tests-pass" and count is None and ratio and ratio[1] == ratio[2]:
        count = number_of(ratio[1])
    is_placed = topic.kind == "tests-pass" and _PLACE_AFTER.match(text, predicate.end()) is not None
    denial = predicate["says"] or ""
    return Said(
        topic.kind,
        topic.start,
        predicate.start(),
        predicate.end(),
        count=count,
        every=topic.every or "all" in predicate["adverbs"],
        scoped=topic.scoped or is_placed,
        new=is_new(denial),
        errors_only=is_of_errors(denial),
        hedged=predicate["modal"] is not None or _DOUBT.search(predicate[0]) is not None,
        names=topic.names,
    )


_PASSED = re.compile(
    rf"(?<![\w./-])(?P<count>{NUMBER})(?:\s*/\s*(?P<of>{NUMBER}))?\s+(?:pass(?:ed|ing)|green)(?![\w-])(?!\s+(?:all|the|its|an?|to|on|through|by|it|them|this|that|their)\b)"
    rf"(?P<rest>(?:,?\s*(?:and\s+)?(?:{NUMBER}\s+[a-z]+|{_MARK}))*\s*(?:in\s+[\d.]+\s?m?s)?)"
)
_NOT_OF_TESTS = re.compile(r"(?:suites|files?|\b(?:of|from|to))\s*[:(]?\s*$")
_OF_TESTS = re.compile(r"\b(?:tests?|specs|suite)\b")
_LIKE_A_SUMMARY = re.compile(r"\d (?:skipped|xfailed|xpassed|deselected|warnings?|pending|todo)\b|\d\s?m?s$|<clean")


def _counted(text: str, topics: Sequence[Topic]) -> Iterator[Said]:
    """Find "12 passed" where tests were named, or where it reads like the summary of a test run."""
    about_tests = [topic for topic in topics if topic.kind == "tests-pass"]
    for found in _PASSED.finditer(text):
        is_part = found["of"] and found["of"] != found["count"]
        within = any(topic.start <= found.start() < topic.end for topic in topics)
        if is_part or within or _NOT_OF_TESTS.search(text[: found.start()]):
            continue
        if about_tests or _OF_TESTS.search(text) or _LIKE_A_SUMMARY.search(found["rest"]):
            yield Said(
                "tests-pass",
                found.start(),
                found.start(),
                found.end(),
                count=number_of(found["count"]),
                scoped=any(topic.scoped for topic in about_tests),
                names=tuple(name for topic in about_tests for name in topic.names),
            )


_VERB = re.compile(
    r"(?<![\w<])(?:code|codebase|project|crate|package|workspace|app|application|everything|it|modules?|typescript|rust|library|repo"
    r"|sources?|all of it|<(?:path|name|types|build):\d+>)(?:\s+(?:now|still|also|all|again))*\s+"
    rf"(?:(?P<modal>{_MODAL})\s+)?(?:now\s+|still\s+|also\s+)?"
    r"(?:(?P<compile>compiles?|compiled)|(?P<build>builds)|(?P<types>type-?check(?:s|ed)?)|(?P<lint>lint(?:s|ed)?))"
    rf"(?:\s+(?:cleanly|successfully|fine|clean|again|now|(?:with\s+)?{_MARK}))*"
    r"(?=\s*(?:$|[.,;:!)\u2013\u2014]|-\s|<ok>|(?:and|but|so|locally|on (?:linux|windows|macos|node|python|stable))\b))"
)
# Most things that build are about to build something.
_BUILDS_WELL = re.compile(rf"builds\s*(?:$|[.!]|(?:cleanly|successfully|fine|again|{_MARK}|with {_MARK}))")


def _verbs(text: str) -> Iterator[Said]:
    """Find "it compiles" and "the project type-checks cleanly"."""
    kinds: tuple[CheckClaim, ...] = ("compile", "build", "types", "lint")
    for found in _VERB.finditer(text):
        if found["modal"] is None or _HEDGING.fullmatch(found["modal"]):
            kind = next(kind for kind in kinds if found[kind])
            if kind == "build" and not _BUILDS_WELL.search(text, found.start()):
                continue
            yield Said(kind, found.start(), found.start(), found.end(), hedged=found["modal"] is not None)
