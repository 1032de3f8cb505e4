"""Verifies XML for being well-formed. Nothing outside of the text is read, and no entity is expanded in content."""

import re
from xml.parsers import expat

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, offset_of, problem_at
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before

_CONFLICT_MARKER = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)
_DECLARED = re.compile(rb"""^(?:\xef\xbb\xbf)?<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_AS_SAID: dict[str, tuple[str, str, str | None]] = {
    "junk after document element": (
        "xml.after-end",
        "Something stands after the end of the root element; a document has one root.",
        "Remove it, or put everything into one element.",
    ),
    "XML or text declaration not at start of entity": (
        "xml.declaration",
        "The XML declaration must be the very first thing in the file.",
        "Remove what stands before it, blank lines too.",
    ),
    "duplicate attribute": ("xml.attribute", "This attribute stands in the element already.", "Remove one of the two."),
    "undefined entity": (
        "xml.entity",
        "This entity is not defined; XML itself has only `&amp;`, `&lt;`, `&gt;`, `&quot;` and `&apos;`.",
        "Write the character itself, or its number: `&#160;`.",
    ),
    "unclosed CDATA section": ("xml.unclosed", "A CDATA section is never closed.", "Close it with `]]>`."),
    "unclosed token": ("xml.unclosed", "What begins here is never closed.", "Close the tag, comment or quote."),
}


@attrs.frozen
class _Fault:
    said: str
    line: int
    column: int
    open_tags: tuple[tuple[str, int], ...]


def verify_xml(subject: Subject) -> Verdict:
    """Verify an XML file in whatever encoding it declares."""
    text = subject.text
    if subject.path.suffix.lower() == ".plist" and text.strip()[:1] not in {"<", "\ufeff", ""}:
        return Verdict(skipped="not verified: a property list in another form than XML")
    if not text.strip("\ufeff \t\r\n"):
        complaint = Complaint("xml.empty", "The file is empty: XML needs one root element.", "Write the element.")
        return Verdict((problem_at(text, Span(0, 0), complaint),))
    fault = _read(subject)
    if fault is None:
        return Verdict()
    if (why := _unread(subject, fault)) is not None:
        return Verdict(skipped=why)
    offset = offset_of(text, fault.line, fault.column)
    if is_construct_before(text, offset):
        return Verdict(skipped=TEMPLATE)
    return Verdict((_problem(text, offset, fault),))


def _read(subject: Subject) -> _Fault | None:
    # What is not on disk is text already, whatever encoding it declares.
    parser = expat.ParserCreate(None if subject.data is not None else "utf-8")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    open_tags: list[tuple[str, int]] = []

    def opened(name: str, _attributes: object) -> None:
        open_tags.append((name, parser.CurrentLineNumber))

    parser.StartElementHandler = opened
    parser.EndElementHandler = lambda _name: open_tags.pop()
    # A default handler keeps entities in content from being expanded.
    parser.DefaultHandler = lambda _text: None
    data = subject.data if subject.data is not None else subject.text.encode("utf-8", "replace")
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        return _Fault(expat.ErrorString(error.code), error.lineno, error.offset + 1, tuple(open_tags))
    except (LookupError, ValueError):
        # Python's own answer to an encoding of several bytes a character, or to none at all.
        return _Fault("unknown encoding", 1, 1, ())
    return None


def _unread(subject: Subject, fault: _Fault) -> str | None:
    if "amplification" in fault.said:
        return "too complex: its entities would expand without bounds"
    if fault.said == "unknown encoding":
        return f"not verified: the declared encoding {_encoding(subject)} is not known here"
    return None


def _problem(text: str, offset: int, fault: _Fault) -> Problem:
    marker = _CONFLICT_MARKER.search(text, 0, min(offset + 8, len(text)))
    if marker is not None:
        message = "A merge conflict was left here."
        complaint = Complaint("xml.conflict", message, "Keep one side and remove the markers.")
        return problem_at(text, Span(*marker.span()), complaint)
    start = _where_it_begins(text, offset, fault)
    return problem_at(text, Span(start, min(max(start, offset) + 1, len(text))), _complaint(text, offset, fault))


def _where_it_begins(text: str, offset: int, fault: _Fault) -> int:
    """The parser names the place where it stopped: right behind a bare character, and within a closing tag."""
    if fault.said == "mismatched tag" and text[offset - 2 : offset] == "</":
        return offset - 2
    bare = "not well-formed" in fault.said and text[offset - 1 : offset] in {"&", "<"}
    return offset - 1 if bare and offset else offset


def _complaint(text: str, offset: int, fault: _Fault) -> Complaint:
    if fault.said == "mismatched tag" and fault.open_tags:
        name, line = fault.open_tags[-1]
        closing = re.match(r"/?\s*([^\s>]+)", text[offset:].lstrip("<"))
        shown = f"`</{closing[1][:60]}>`" if closing else "This tag"
        message = f"{shown} cannot close the `<{name[:60]}>` of line {line}."
        return Complaint("xml.mismatched-tag", message, f"Close it first with `</{name[:60]}>`.")
    if fault.said == "no element found" and fault.open_tags:
        name, line = fault.open_tags[-1]
        message = f"The file ends before the `<{name[:60]}>` of line {line} is closed."
        return Complaint("xml.unclosed", message, f"Close it with `</{name[:60]}>`.")
    if fault.said == "no element found":
        return Complaint("xml.empty", "There is no root element.", "Write one.")
    if fault.said in _AS_SAID:
        return Complaint(*_AS_SAID[fault.said])
    if "not well-formed" in fault.said:
        return _not_well_formed(text, offset)
    return Complaint("xml.syntax", f"This is not well-formed XML: {fault.said}.")


def _not_well_formed(text: str, offset: int) -> Complaint:
    before, character = text[offset - 1 : offset], text[offset : offset + 1]
    if before == "&" or character == "&":
        return Complaint("xml.ampersand", "A bare `&` may not stand here.", "Write `&amp;`.")
    if before == "<" or character == "<":
        return Complaint("xml.less-than", "A bare `<` may not stand here.", "Write `&lt;`, or mend the tag.")
    if character and ord(character) < 0x20:
        return Complaint("xml.character", f"The character U+{ord(character):04X} may not stand in XML.", "Remove it.")
    shown = f" at `{character}`" if character.isprintable() and character else ""
    message = f"This is not well-formed{shown}."
    return Complaint("xml.syntax", message, "Put attribute values in quotes, and mend the tag.")


def _encoding(subject: Subject) -> str:
    found = _DECLARED.match(subject.data or b"")
    return found[1].decode("ascii", "replace")[:40] if found else "of the file"
