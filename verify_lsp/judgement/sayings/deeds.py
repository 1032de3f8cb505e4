"""Claims about what was done to files: each kind with the words it is made in."""

import re
from collections.abc import Iterator, Sequence

from verify_lsp.judgement.sayings.said import DeedClaim, Said
from verify_lsp.judgement.sayings.topics import NUMBER_WORDS, number_of

_PATHS = r"<path:\d+>(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:the\s+)?<path:\d+>)*"
_THINGS = r"<(?:path|name|code):\d+>(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)(?:the\s+)?<(?:path|name|code):\d+>)*"
_FEW_WORDS = r"(?:(?:a|an|the|new|small|simple|short|separate|dedicated|additional|extra|file|files|module|script|helper|tests?|unit|regression|integration|component"
_FEW_WORDS += r"|config|configuration|migration|class|package|document|page|fixture|at|called|named|in|under)\s+){0,6}"
_OLD_WORDS = r"(?:(?:the|a|an|all|unused|old|dead|legacy|obsolete|deprecated|stale|redundant|duplicate|now-unused|no-longer-used|file|files"
_OLD_WORDS += r"|function|functions|method|class|import|imports|package|module|field|flag|option|parameter|argument|constant|variable|helper)\s+){0,5}"
_ENDS = r"(?=\s*(?:$|[.,;:!?)\u2013\u2014]|-\s|(?:and|with|which|that|for|so|as well|too|because|since|as|after)\b))"
_TESTS_GO_ON = r"(?=\s*(?:$|[.,;:!?)(\u2013\u2014]|-\s|<|(?:for|to|that|which|covering|in|and|with|around|of|verifying|checking|where|so|too|as|under|at)\b))"

_PATTERNS: tuple[tuple[DeedClaim, re.Pattern[str]], ...] = (
    (
        "created-file",
        re.compile(
            rf"\b(?:created|added|wrote|generated|introduced)\s+{_FEW_WORDS}(?P<names>{_PATHS})(?!\s+(?:to|into)\s)"
            r"(?!\s+(?:support|handling|option|flag|field|entry|section|parsing|integration|dependency|rule|check|validation)\b)"
            rf"|\bnew file:?\s+(?P<new>{_PATHS})"
        ),
    ),
    (
        "updated-file",
        re.compile(
            rf"\b(?:updated|modified|edited|changed|refactored|rewrote|adjusted|extended|simplified|patched)\s+{_FEW_WORDS}(?P<names>{_PATHS})"
        ),
    ),
    (
        "updated-file",
        re.compile(
            r"\b(?:added|moved|put|changed|replaced|raised|lowered|renamed|implemented|extracted|inserted|registered|documented|fixed)\s+(?:[^.;:<>]|<(?:name|code|quote):\d+>){1,80}?"
            rf"\s(?:to|in|into)\s+(?:the\s+)?(?P<names>{_PATHS})"
        ),
    ),
    ("removed", re.compile(rf"\b(?:removed|deleted|dropped)\s+{_OLD_WORDS}(?P<names>{_THINGS})")),
    (
        "added-tests",
        re.compile(
            r"\b(?:added|wrote|created|introduced|implemented)\s+(?:(?!(?:and|or|but|to|that|which|no|any|the)\b)[\w'-]+\s+|<(?:name|code|quote):\d+>\s+){0,4}?"
            rf"(?:tests?(?: cases?| coverage| suites?)?|specs)\b(?!-){_TESTS_GO_ON}"
            r"|\bnew\s+(?:[\w-]+\s+){0,2}?tests?(?: cases?)?\s+(?:cover|verify|check|exercise|assert)s?\b"
            r"|\btests?\s+(?:were|was|have been|has been)\s+(?:added|written|created)\b"
        ),
    ),
    (
        "dependency-added",
        re.compile(
            r"\b(?:added|installed|introduced|pulled in)\s+(?:(?:a|the|new)\s+)*(?:dependency\s+(?:on\s+)?)?(?P<names><(?:name|code):\d+>)\s+"
            r"(?:as\s+(?:(?:a|an|new|dev|runtime|direct|optional|peer|development)\s+)*dependency|(?:to|in)\s+(?:the\s+)?(?:[\w']+\s+){0,2}"
            r"(?:dependencies|requirements)|(?:to|in)\s+(?:the\s+)?<path:\d+>)"
            r"|\badded\s+(?:(?:a|the|new)\s+)*dependency\s+(?:on\s+)?(?P<on><(?:name|code):\d+>)"
        ),
    ),
    (
        "no-new-dependencies",
        re.compile(
            r"\b(?:no|without(?: adding)?(?: any)?|zero)\s+(?:(?:new|additional|extra|external|third-party|runtime)\s+)+(?:dependenc(?:y|ies)|packages?|librar(?:y|ies))\b"
        ),
    ),
    (
        "nothing-else-changed",
        re.compile(
            r"\bno other (?:files?|code|changes?)\s+(?:(?:were|was|have been|has been|are|is)\s+)?(?:changed|modified|touched|affected|edited|made)\b"
            r"|\b(?:changed|touched|modified) nothing else\b|\bleft (?:everything|all) else (?:untouched|unchanged|as (?:it )?(?:is|was))\b|\bnothing else (?:(?:was|is|has been)\s+)?(?:changed|touched|modified|edited)\b"
            rf"|\bonly\s+(?:changed|touched|modified|edited|updated)\s+{_FEW_WORDS}(?P<names>{_PATHS}){_ENDS}"
        ),
    ),
    (
        "refactor-only",
        re.compile(
            r"\bno\s+(?:(?:functional|behaviou?r(?:al)?|logic|semantic|runtime|observable)(?:\s+or\s+|/)?\s*)+\s?changes?\b"
            r"|\b(?:behaviou?r|functionality)\s+(?:is|remains|stays|was)\s+(?:unchanged|the same|identical|preserved)\b"
            r"|\b(?:pure|purely a)\s+refactor(?:ing)?\b|\brefactor(?:ing)?[- ]only\b|\b(?:does|did|do)(?:n't| not) change (?:any )?(?:existing )?behaviou?r\b"
        ),
    ),
    (
        "docs-only",
        re.compile(
            r"\bonly\s+(?:the\s+)?(?:comments?|docs?|documentation|docstrings?|formatting|whitespace|readme)(?:\s+(?:and|or)\s+(?:comments?|docs?|documentation|docstrings?|formatting|whitespace))?"
            r"\s+(?:(?:was|were|is|are|has been|have been)\s+)?(?:changed|changes|touched|affected|modified|updated)\b"
            r"|\bonly\s+(?:changed|touched|updated|edited)\s+(?:the\s+)?(?:comments?|docs?|documentation|docstrings?|formatting|whitespace)\b"
            r"|\b(?:comments?|docs?|documentation|formatting|whitespace)[- ]only\s+(?:change|commit|edit|diff|update)s?\b"
        ),
    ),
    (
        "committed",
        re.compile(
            r"(?:^|\b(?:i|i've|we|and|also|then|have|changes|all changes are|everything is|changes are|changes have been|has been|work is)\s+)(?:committed|pushed)\b"
            r"(?=\s*(?:$|[.,;:!)]|(?:the|all|everything|to|these|as|with|it|this|my|changes?|and|in|on|both)\b|<))"
            r"|\b(?:the\s+)?(?:git\s+)?(?:working )?tree is clean\b"
        ),
    ),
    (
        "all-occurrences",
        re.compile(
            r"\b(?:updated|replaced|renamed|changed|migrated|converted|fixed|adjusted)\s+(?:all|every)\s+(?:(?!(?:and|or|tests?)\b)(?:[\w'-]+|<\w+:\d+>)\s+){0,3}?"
            r"(?:call ?sites?|callers?|occurrences?|usages?|uses|references?|imports?|instances?|places|consumers?)\b"
            r"|\b(?:all|every)\s+(?:(?!(?:and|or|tests?)\b)(?:[\w'-]+|<\w+:\d+>)\s+){0,3}?(?:call ?sites?|callers?|occurrences?|usages?|references?|imports?|consumers?)"
            r"\s+(?:(?:is|are|was|were|has been|have been)\s+)(?:now\s+)?(?:updated|replaced|renamed|changed|migrated|converted|adjusted)\b"
        ),
    ),
    (
        "no-breaking-change",
        re.compile(
            r"\bno\s+breaking\s+changes?\b|\b(?:is|are|remains?|stays?|fully|kept|keeps)\s+(?:fully\s+)?backwards?[- ]compatible\b"
            r"|\b(?:does|do|did)(?:n't| not)\s+break\s+(?:any|existing|the|backwards?)\b|\bno\s+(?:downstream|side)[- ](?:impact|effects?)\b"
        ),
    ),
    (
        "performance",
        re.compile(
            r"\b\d+(?:\.\d+)?\s*(?:x|\u00d7|%|percent|times)\s+(?:faster|quicker|less memory|smaller|speed-?up)|\b(?:is|are|runs?)\s+(?:now\s+)?(?:(?:much|significantly|noticeably|about)\s+)?faster\b(?! to\b)"
        ),
    ),
    (
        "verified-manually",
        re.compile(
            r"(?<!are )(?<!is )(?<!be )\bmanually\s+(?:verified|tested|checked|confirmed)\b"
            r"|(?<!are )(?<!is )(?<!be )\b(?:verified|tested|checked|confirmed)\s+(?:(?!(?:by|in)\b)[\w'<>:-]+\s+){0,4}?(?:manually|by hand|in (?:the|a|my) browser|end[- ]to[- ]end)\b"
        ),
    ),
    (
        "fixed-bug",
        re.compile(
            r"\b(?:fixe[sd]|resolve[sd]|solve[sd])\s+(?:(?!(?:and|or|but|all|tests?)\b)(?:[\w'#/-]+|<\w+:\d+>)\s+){0,5}?(?:bugs?|issues?|problems?|crash(?:es)?|regressions?|race conditions?|(?:memory )?leaks?|deadlocks?)\b"
            r"|\b(?:the|this|that)\s+(?:\w+\s+){0,2}?(?:bug|issue|problem|crash|regression|race condition|leak|deadlock)\s+(?:is|has been|was)\s+(?:now\s+)?(?:fixed|resolved|solved|gone)\b"
        ),
    ),
)
_MARK = re.compile(r"<\w+:(\d+)>")
_COUNT = re.compile(rf"\b(\d{{1,4}}|{'|'.join(NUMBER_WORDS)})\s+(?:new\s+)?(?:[\w-]+\s+){{0,2}}?tests?\b")


def said_of_deeds(text: str, spans: Sequence[str]) -> Iterator[Said]:
    """Find the claims about deeds in a neutral sentence, see `denials.neutral`."""
    for kind, pattern in _PATTERNS:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            marks = _MARK.findall(groups.get("names") or groups.get("on") or groups.get("new") or "")
            count = _COUNT.search(found[0]) if kind == "added-tests" else None
            yield Said(
                kind,
                found.start(),
                found.start(),
                found.end(),
                count=number_of(count[1]) if count else None,
                names=tuple(spans[int(number)] for number in marks),
            )
