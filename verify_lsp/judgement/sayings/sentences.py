"""The sentences of a message, with code, paths and quotations replaced by marks that patterns can name."""

import re
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.judgement.sayings.blocks import Block, blocks_of
from verify_lsp.judgement.sayings.languages import is_english
from verify_lsp.judgement.sayings.spans import kind_of_code, kind_of_word

_READ_CHARACTERS = 20_000
_SENTENCE_LIMIT = 600

_TICKS = re.compile(r"`+")
_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\([^()\s]{0,500}(?:\s+\"[^\"]{0,200}\")?\)")
_ADDRESS = re.compile(r"\bhttps?://[^\s<>()]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,300}>|<!--.{0,300}?-->")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|(?<![\w'])'[^'\n]{2,200}'(?!\w)|\u201c[^\u201d]{1,400}\u201d|\u00ab[^\u00bb]{1,400}\u00bb"
)
_PATH = re.compile(
    r"(?<![\w./@-])(?:[\w.@-]{1,80}/){0,12}[\w@-][\w.@-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w/-])"
    r"|(?<![\w./@-])(?:[\w.@-]{1,80}/){1,12}(?![\w/.])"
)
_GOOD_SIGN = re.compile("[\u2705\u2714\u2713\u2611\U0001f7e2\U0001f389]\ufe0f?")
_BAD_SIGN = re.compile("[\u274c\u2717\u2718\u26a0\U0001f534\U0001f6ab]\ufe0f?")
_EMPHASIS = re.compile(r"\*+|~~|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")
_APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'"})
_MARK = re.compile("\ue000([a-z]+):(\\d+)\ue001")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_ENDS = re.compile(r"(?P<end>(?<![/\s.!?\u2026])[.!?\u2026]+[\"')\]]*)\s+(?=\S)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|cf|incl|resp|no|fig|ca|al)|^\d{1,3}|\b[A-Za-z])\.$", re.IGNORECASE
)


@attrs.frozen
class Sentence:
    """One sentence.

    Attributes:
        text: As it was said, without the emphasis of Markdown.
        marked: In lower case, with marks for what is not words: `<tests:0>` for a command that runs tests, likewise
            `lint`, `types`, `build`, `path`, `name`, `code` and `quote`, and `<ok>` and `<bad>` for signs.
        spans: What stands behind the marks, by their numbers.
        aside: Why it was not examined; None when it was.
    """

    text: str
    marked: str
    spans: tuple[str, ...]
    aside: str | None = None


def sentences_of(message: str) -> tuple[Sentence, ...]:
    """Return the sentences of `message`. Only those near its end, in English, and of the agent's own are examined."""
    return tuple(sentence for block in blocks_of(message) for sentence in _sentences_of(block))


def _sentences_of(block: Block) -> Iterator[Sentence]:
    aside: str | None = "far from the end" if block.from_end > _READ_CHARACTERS else block.aside
    if aside is not None:
        texts = [block.text] if aside == "table" else list(_split(block.text))
        yield from (Sentence(text[:_SENTENCE_LIMIT], "", (), aside) for text in texts)
        return
    marker = _Marker([], [])
    for marked in _split(marker.mark(_PRIVATE.sub("", block.text))):
        if any(character.isalnum() for character in marked):
            yield _sentence(marked, marker)


def _sentence(marked: str, marker: "_Marker") -> Sentence:
    text = _MARK.sub(lambda found: marker.originals[int(found[2])], marked)
    words = _MARK.sub(r"<\1:\2>", marked.replace("<", " ").replace(">", " ")).lower()
    words = " ".join(_BAD_SIGN.sub(" <bad> ", _GOOD_SIGN.sub(" <ok> ", words)).split())
    aside = None
    if len(text) > _SENTENCE_LIMIT:
        aside = "too long"
    elif not is_english(_MARK.sub(" ", marked)):
        aside = "other language"
    return Sentence(text[:_SENTENCE_LIMIT], "" if aside else words, tuple(marker.contents), aside)


def _split(text: str) -> Iterator[str]:
    start = 0
    for found in _ENDS.finditer(text):
        if not _ABBREVIATION.search(text[max(start, found.start() - 8) : found.start() + 1]):
            yield text[start : found.end("end")].strip()
            start = found.end()
    yield text[start:].strip()


@attrs.frozen
class _Marker:
    """Replaces what is not words by marks, and remembers what stood there."""

    originals: list[str]
    contents: list[str]

    def mark(self, text: str) -> str:
        text = "".join(self._without_code(text))
        text = _ADDRESS.sub(lambda found: self._put("address", found[0], found[0]), _LINK.sub(r"\1", text))
        text = _TAG.sub(" ", text.translate(_APOSTROPHES))
        text = _QUOTED.sub(lambda found: self._put("quote", found[0], found[0][1:-1]), text)
        text = _PATH.sub(self._path, text)
        return " ".join(_EMPHASIS.sub("", text).split())

    def _put(self, kind: str, original: str, content: str) -> str:
        # An original may hold marks already: a quotation with code in it.
        shown = _MARK.sub(lambda found: self.originals[int(found[2])], original)
        self.originals.append(shown)
        self.contents.append(content)
        return f"\ue000{kind}:{len(self.originals) - 1}\ue001"

    def _path(self, found: re.Match[str]) -> str:
        kind = kind_of_word(found[0])
        return found[0] if kind is None else self._put(kind, found[0], found[0])

    def _without_code(self, text: str) -> Iterator[str]:
        """A run of backticks opens code that the next run of the same length closes."""
        runs = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
        closing = _next_of_same_length(runs)
        start = index = 0
        while index < len(runs):
            close = closing[index]
            if close is None:
                index += 1
                continue
            content = text[runs[index][1] : runs[close][0]].strip()
            yield text[start : runs[index][0]]
            yield self._put(kind_of_code(content), text[runs[index][0] : runs[close][1]], content)
            start, index = runs[close][1], close + 1
        yield text[start:]


def _next_of_same_length(runs: Sequence[tuple[int, int]]) -> list[int | None]:
    latest: dict[int, int] = {}
    following: list[int | None] = [None] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        following[index] = latest.get(length)
        latest[length] = index
    return following
