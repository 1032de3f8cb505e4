"""Whether a text still means what it meant before a comment was put into it. Where that is not certain, it does not."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from posixpath import basename, splitext
from typing import Any

from verify_lsp.syntax.languages import Language, language_of

_LARGEST = 1 << 18
"""Characters up to which a text is parsed for this."""

_COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
_WHOLE = frozenset({"string", "template_string"})
"""What must stay as it is to the character: before Python 3.12 the braces of an f-string have no room for a comment."""

_MARKUP = frozenset({".html", ".htm", ".md", ".markdown", ".vue", ".svelte", ".astro"})
_MARKUP_PAIRS = re.compile(
    r"(?P<end></)?\b(?:script|style|pre|textarea|code)\b[^<>]*>|(?P<open><!--)|(?P<close>-->)", re.IGNORECASE
)
_FENCES = re.compile(r"^(?:```|~~~|---\s*$)", re.MULTILINE)
_HEREDOC = re.compile(r"<<[-~]?\s?(['\"`]?)([A-Za-z_]\w*)\1")
_SIMPLE_COMMENT = re.compile(r"^[ \t]*(?:#|//|--|;).*$", re.MULTILINE)
_ESCAPED = re.compile(r"\\.", re.DOTALL)
_QUOTED_ON_ONE_LINE = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`")
_PAIRS = (("/*", "*/"), ("{-", "-}"), ("[[", "]]"), ("=begin", "=end"), ("define ", "endef"))


def means_the_same(path: str, before: str, after: str, offset: int) -> bool:
    """Return whether `after`, which is `before` with a comment put in at `offset`, means the same."""
    if len(before) > _LARGEST or "\0" in before:
        return False
    extension = splitext(path)[1].lower()
    if extension in _MARKUP:
        return _is_between_elements(before[:offset], extension)
    said = _said_by(path, extension)
    if said is None:
        return _is_between_statements(basename(path).lower(), before[:offset])
    return bool(said(before) == said(after))


def _said_by(path: str, extension: str) -> Callable[[str], Any] | None:
    """Return what tells one text of this kind from another that says something else; None where nothing can."""
    if (language := language_of(path)) is not None:
        return partial(_tokens, language)
    return {".yml": _events, ".yaml": _events, ".toml": _table, ".xml": _elements, ".svg": _elements}.get(extension)


@lru_cache(maxsize=2)
def _tokens(language: Language, text: str) -> tuple[tuple[str, bytes], ...]:
    """Return what a text consists of beside its comments; several findings of one text ask for the same."""
    from verify_lsp.syntax.trees import parse

    data = text.encode("utf-8", "surrogatepass")
    cursor = parse(language, data).walk()
    found: list[tuple[str, bytes]] = []
    while True:
        node = cursor.node
        is_comment = node is None or node.type in _COMMENTS
        if node is not None and not is_comment and (node.child_count == 0 or node.type in _WHOLE):
            found.append((node.type, data[node.start_byte : node.end_byte]))
        if not is_comment and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return tuple(found)


def _events(text: str) -> list[tuple[Any, ...]]:
    """Return what a YAML text says, as far as it can be read, and what ends it there."""
    import yaml  # type: ignore[import-untyped]  # PyYAML brings no types.

    found: list[tuple[Any, ...]] = []
    try:
        for event in yaml.parse(text.removeprefix("\ufeff"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            parts = (getattr(event, name, None) for name in ("value", "anchor", "tag", "implicit", "style"))
            found.append((type(event).__name__, *parts))
    except (yaml.YAMLError, ValueError) as error:
        found.append((getattr(error, "problem", None) or str(error),))
    return found


def _table(text: str) -> str:
    """Return what a TOML text says; of one that cannot be read, what is wrong with it, wherever."""
    import tomllib

    try:
        return repr(tomllib.loads(text.removeprefix("\ufeff").replace("\r\n", "\n")))
    except (ValueError, RecursionError) as error:
        return re.sub(r"line \d+", "line", str(error))


def _elements(text: str) -> list[tuple[Any, ...]]:
    """Return the elements of an XML text and the words between them; a list that equals no other where it is broken."""
    from xml.parsers.expat import ExpatError, ParserCreate

    found: list[tuple[Any, ...]] = []
    parser = ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: found.append((name, sorted(attributes.items())))
    parser.EndElementHandler = lambda name: found.append((name,))
    parser.CharacterDataHandler = lambda words: found.append(("", words))
    parser.ProcessingInstructionHandler = lambda target, data: found.append(("?", target, data))
    try:
        parser.Parse(text.removeprefix("\ufeff").encode("utf-8", "surrogatepass"), True)
    except (ExpatError, ValueError):
        return [(object(),)]
    return list(_words(found))


def _words(found: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Put together what a comment parted, and leave out what only indents elements."""
    words = ""
    for one in [*found, ("end",)]:
        if len(one) > 1 and one[0] == "":
            words += one[1]
            continue
        if words.strip():
            yield ("", words)
        words = ""
        yield one


def _is_between_elements(above: str, extension: str) -> bool:
    """Return whether no tag, script, fenced or front part is open after `above`."""
    if above.rfind("<") > above.rfind(">"):
        return False
    depth = 0
    for found in _MARKUP_PAIRS.finditer(above):
        opens = found["open"] is not None or (
            found["close"] is None and above[found.start() - 1 : found.start()] == "<"
        )
        closes = found["close"] is not None or found["end"] is not None
        depth += -1 if closes else opens
    return depth == 0 and (extension in {".html", ".htm"} or len(_FENCES.findall(above)) % 2 == 0)


def _is_between_statements(name: str, above: str) -> bool:
    """Return whether no quote, block or here-document can be open after `above`."""
    plain = _ESCAPED.sub("", _SIMPLE_COMMENT.sub("", above))
    left = _QUOTED_ON_ONE_LINE.sub("", plain)
    if any(left.count(quote) % 2 for quote in ('"', "'", "`", "$$")):
        return False
    if any(above.count(begin) > above.count(end) for begin, end in _PAIRS):
        return False
    if name.endswith(".php") and above.count("<?") <= above.count("?>"):
        return False
    lines = [line.strip() for line in above.split("\n")]
    if any(line in {"__END__", "__DATA__"} for line in lines):
        return False
    return all(
        re.search(rf"^[ \t]*{found[2]}\b", above[found.end() :], re.MULTILINE) for found in _HEREDOC.finditer(plain)
    )
