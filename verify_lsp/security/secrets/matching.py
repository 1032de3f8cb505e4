"""Holds rules about secrets against the places that their anchors led to."""

import re
from collections.abc import Iterator
from posixpath import basename

from verify_lsp.judgement.files.file_kinds import is_lock_file
from verify_lsp.security.match import Hit, Match
from verify_lsp.security.patterns import compiled_bytes, found
from verify_lsp.security.rule import Assigned, Secret
from verify_lsp.security.secrets.checks import CHECKS, Answer, entropy
from verify_lsp.security.secrets.placeholders import is_placeholder, may_be_password, may_be_token
from verify_lsp.security.source import Source

_BEFORE, _AFTER = 256, 4_200
_WIDEST = 900
_NAME = r"(?P<name>[\w.-]{1,80}+)"
_GIVEN = r"[\"'\])]{0,2}\s{0,8}+(?:\??:\s{0,4}+[A-Za-z][\w.\[\], |]{0,60}?\s{0,4}=|:=|=>|\?=|[:=])\s{0,8}+"
_QUOTED = re.compile(
    _NAME
    + _GIVEN
    + r"(?:[a-zA-Z@$]{0,2}|\(\s{0,4})(?P<quote>[\"'`])(?P<value>[^\"'`\n]{4,512}+)(?P=quote)(?!\s{0,4}[+%.]\s{0,4}\w)"
)
_ESCAPED = re.compile(_NAME + r"\\[\"']\s{0,4}+[:=]\s{0,4}+\\[\"'](?P<value>[^\"'\\\n]{4,512}+)\\[\"']")
_BARE = re.compile(
    _NAME + r"[\"']?\s{0,8}+(?:=|:\s)\s{0,8}+(?P<value>[^\s\"'`#;,&|]{4,512}+)\s{0,8}(?:$|(?<=\s)\#|[;,])", re.MULTILINE
)
_CONNECTION = re.compile(_NAME + r"\s?=\s?(?P<value>[^;\"'\s&]{4,128}+)(?=[;\"'&]|$)")
_CONNECTION_START = re.compile(r"(?:[Pp]assword|PASSWORD|[Pp]wd|PWD)\s?=\s?[^\s\"']")
_NAME_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-"
_IS_GIVEN = re.compile(rb"[\w.-]{0,80}+[\"'\])\\]{0,3}\s{0,8}+[:=?]")
_BARE_KINDS = frozenset({"env", "config", "yaml", "shell", "dockerfile"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TEMPLATE = re.compile(r"(?i)(?:^|[._-])(?:example|sample|template|dist|tmpl|tpl|default|defaults|schema)(?:[._-]|$)")
_TRANSLATION = re.compile(r"(?:^|/)(?:locales?|i18n|lang|langs|languages|translations?|messages|l10n)/", re.IGNORECASE)
_Seen = set[tuple[str, int]]


def secret_matches(source: Source, hit: Hit, matcher: Secret) -> Iterator[Match]:
    """Yield the secret that stands at an anchor."""
    offset = hit.offset
    pattern = compiled_bytes(matcher.pattern)
    earliest = max(offset - _BEFORE, 0)
    begin = max(source.data.rfind(b"\n", earliest, offset) + 1, earliest)
    end = min(len(source.data), offset + _AFTER)
    match = pattern.search(source.data, begin, end)
    while match is not None and not match.start() <= offset < match.end():
        match = pattern.search(source.data, match.start() + 1, end) if match.start() < offset else None
    if match is None:
        return
    start, stop = match.span(1) if match.re.groups else match.span()
    if start < 0 or start > offset + len(hit.word) + 64:
        return
    secret = source.slice(start, stop)
    answer = _judged(source, matcher, secret, offset)
    if answer == "no" or (answer == "likely" and _is_example_place(source)):
        return
    aside = (
        "" if answer == "real" or matcher.check != "github" else " (its checksum does not hold, so it may be made up)"
    )
    yield Match(hit.rule, start, stop, ((start, stop),), secrets=((start, stop),), shown=matcher.shown, aside=aside)


def _judged(source: Source, matcher: Secret, secret: str, offset: int) -> Answer:
    if matcher.check not in {"private-key", "hash"} and is_placeholder(secret):
        return "no"
    if entropy(secret) < matcher.entropy:
        return "no"
    if matcher.context is not None:
        line = source.line_of(offset)
        first, last = max(line - 1, 1), min(line + 1, len(source.starts))
        near = source.slice(max(source.line_span(first)[0], offset - 400), min(source.line_span(last)[1], offset + 400))
        if not found(matcher.context, near):
            return "no"
    return CHECKS[matcher.check](secret) if matcher.check else "likely"


def _is_example_place(source: Source) -> bool:
    """Whether a text is there to show something: there, a shape without proof is an example."""
    return source.is_test or "prose" in source.kinds or _is_unlikely_place(source)


def _is_unlikely_place(source: Source) -> bool:
    return is_lock_file(source.path) or bool(
        _TEMPLATE.search(basename(source.path)) or _TRANSLATION.search(source.path)
    )


def assigned_matches(source: Source, hit: Hit, matcher: Assigned, seen: _Seen) -> Iterator[Match]:
    """Yield the password or token that is given to the name at an anchor."""
    rule, offset = hit.rule, hit.offset
    if not _IS_GIVEN.match(source.data, offset) or _is_example_place(source):
        return
    before = source.data[max(offset - 80, 0) : offset]
    begin = offset - len(before) + len(before.rstrip(_NAME_BYTES))
    if (rule.id, begin) in seen:
        return
    seen.add((rule.id, begin))
    text = source.slice(begin, _line_end(source.data, offset, begin + _WIDEST))
    for pattern in _patterns(source, text):
        match = pattern.match(text)
        if match is not None:
            start = begin + len(text[: match.start("value")].encode())
            end = start + len(match["value"].encode())
            if _is_given(matcher, match["name"], match["value"]):
                yield Match(rule, begin, end, ((start, end),), secrets=((start, end),), shown=0)
            return


def _line_end(data: bytes, offset: int, limit: int) -> int:
    """Return where the line of an offset ends, without its line end, or the limit."""
    end = data.find(b"\n", offset, limit + 1)
    if end < 0:
        if len(data) > limit:
            return limit
        end = len(data)
    return end - 1 if data[end - 1 : end] == b"\r" else end


def _patterns(source: Source, text: str) -> list["re.Pattern[str]"]:
    patterns = [_QUOTED]
    if '\\"' in text:
        patterns.append(_ESCAPED)
    if source.kinds & _BARE_KINDS:
        patterns.append(_BARE)
    if _CONNECTION_START.match(text):
        patterns.append(_CONNECTION)
    return patterns


def _is_given(matcher: Assigned, name: str, value: str) -> bool:
    words = _words(name)
    if not found(matcher.name, words) or (matcher.name_unless and found(matcher.name_unless, words)):
        return False
    judge = may_be_password if found(r"(?:pass|pwd|pw)", words.rsplit("_", 1)[-1]) else may_be_token
    return judge(value, name=name)


def _words(name: str) -> str:
    """Return a name in lower case with its words parted by underscores: `clientSecret` is `client_secret`."""
    last = re.split(r"[.\[\"']", name.rstrip("]\"'"))[-1]
    return re.sub(r"[\W_]+", "_", _CAMEL.sub("_", last)).lower().strip("_")
