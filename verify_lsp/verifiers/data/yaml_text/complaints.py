"""What is said of a YAML text that is wrong, in words that tell what to do."""

import re

from verify_lsp.verifiers.data.places import Complaint, Span, line_of
from verify_lsp.verifiers.data.yaml_text.events import SyntaxFault

_CONFLICT_MARKER = re.compile(r"^(?:<{7}|={7}|>{7})(?= |\r?$)", re.MULTILINE)
_AS_SAID = {
    "did not find expected comment or line break": (
        "yaml.block-text",
        "Nothing but a comment may follow the `|` or `>` of a block text on its line",
        "Put the text on the lines below, indented, or put it in quotes instead.",
    ),
    "mapping values are not allowed": (
        "yaml.colon",
        "A colon with a space after it begins a value here, where none can stand",
        "Put a text that holds `: ` in quotes, or mend the indentation of this line or the one above.",
    ),
    "did not find expected key": (
        "yaml.indentation",
        "This does not fit into the mapping that it stands in",
        "Give every key of a mapping the same indentation, and put texts with special characters in quotes.",
    ),
    "did not find expected '-' indicator": (
        "yaml.indentation",
        "This does not fit into the list that it stands in",
        "Give every `-` of a list the same indentation.",
    ),
    "block sequence entries are not allowed": (
        "yaml.indentation",
        "A list item cannot begin here",
        "Put the `-` on a line of its own, indented like the others of its list.",
    ),
    "did not find expected <document start>": (
        "yaml.indentation",
        "The document is over before this",
        "Mend the indentation, or begin another document with `---`.",
    ),
    "found unknown escape character": (
        "yaml.escape",
        "No such escape exists in a text in double quotes",
        "A backslash itself is `\\\\`; or use single quotes, where it stands for itself.",
    ),
    "did not find expected ',' or": (
        "yaml.bracket",
        "A comma or the closing bracket is missing before this",
        "Add it, or put texts that hold `{`, `[` or `: ` in quotes.",
    ),
}


def of_fault(text: str, fault: SyntaxFault) -> tuple[Span, Complaint]:
    """Return where `fault` is best shown, and in which words."""
    offset = min(fault.offset, len(text))
    began = fault.context_offset
    marker = _CONFLICT_MARKER.search(text)
    if marker is not None and line_of(text, marker.start()) <= line_of(text, offset):
        message = "A merge conflict was left here."
        return Span(*marker.span()), Complaint("yaml.conflict", message, "Keep one side and remove the markers.")
    if began is not None and (unfinished := _unfinished(text, fault, began)) is not None:
        return Span(began, began + 1), unfinished
    if fault.open_bracket is not None and offset >= len(text.rstrip()):
        bracket = Span(fault.open_bracket, fault.open_bracket + 1)
        message = f"The `{text[bracket.start : bracket.end]}` that opens here is never closed."
        return bracket, Complaint("yaml.bracket", message, "Close it.")
    return Span(offset, min(offset + 1, len(text))), _worded(text, fault, offset)


def disallowed(character: str) -> Complaint:
    """A character that YAML does not have, whatever stands around it."""
    return Complaint("yaml.character", f"The character U+{ord(character):04X} may not stand in YAML.", "Remove it.")


def repeated(name: str, first_line: int) -> tuple[str, str]:
    """Return what is said of a key that stands twice, and what to do."""
    if name == "<<":
        return (
            f"`<<` stands in this mapping already, on line {first_line}: one of the two is lost.",
            "Merge both at once: `<<: [*first, *second]`.",
        )
    shown = name if len(name) <= 40 else name[:39] + "…"
    return (
        f'The key "{shown}" stands in this mapping already, on line {first_line}: only one of the two counts.',
        "Remove one of the two.",
    )


def undefined(name: str) -> Complaint:
    """An alias to nothing."""
    message = f"No anchor `&{name}` stands before this `*{name}` in the document."
    return Complaint("yaml.undefined-alias", message, "Put a text that begins with `*` in quotes.")


def unquoted_placeholder() -> Complaint:
    """Ansible reads YAML before it renders, so a bare placeholder is a mapping."""
    message = "A value that begins with `{{` is a mapping to YAML, before anything is rendered."
    return Complaint("yaml.unquoted-template", message, 'Put the whole value in quotes: `"{{ … }}"`.')


def _worded(text: str, fault: SyntaxFault, offset: int) -> Complaint:
    if _after_quote(text, fault, offset):
        return _QUOTE
    if "cannot start any token" in fault.problem or "tab character" in fault.problem:
        return _character(text, offset)
    for words, (rule, message, suggestion) in _AS_SAID.items():
        if words in fault.problem:
            return Complaint(rule, f"{message}{_since(text, fault)}.", suggestion)
    problem = fault.problem[:1].upper() + fault.problem[1:]
    return Complaint("yaml.syntax", f"{problem or 'This is no YAML'}{_since(text, fault)}.")


_QUOTE = Complaint(
    "yaml.quote",
    "The text in quotes is over before this.",
    "Within single quotes an apostrophe is doubled (`''`), within double quotes a quote is `\\\"`; or quote the whole value.",
)


def _after_quote(text: str, fault: SyntaxFault, offset: int) -> bool:
    """A value that goes on behind its closing quote is no question of indentation."""
    before = text[text.rfind("\n", 0, offset) + 1 : offset].rstrip(" ")
    return "did not find expected" in fault.problem and before.endswith(("'", '"'))


def _unfinished(text: str, fault: SyntaxFault, began: int) -> Complaint | None:
    """What was begun and never ended is shown where it began: where it was missed may be far below."""
    if "quoted scalar" in fault.context and ("end of stream" in fault.problem or "document indicator" in fault.problem):
        return Complaint("yaml.unclosed-string", "The quote that opens here is never closed.", "Close it.")
    if "alias" in fault.context or "anchor" in fault.context:
        mark, what = text[began : began + 1], "an alias" if "alias" in fault.context else "an anchor"
        message = f"`{mark}` begins {what}, whose name must follow at once."
        return Complaint("yaml.alias", message, f"Put a text that begins with `{mark}` in quotes.")
    if "simple key" in fault.context and "':'" in fault.problem:
        word = text[began : began + 40].partition("\n")[0].rstrip("\r")
        message = f"`{word}` is neither a `key: value` nor a list item."
        return Complaint("yaml.colon", message, "Add the colon and a space, or mend the indentation.")
    return None


def _character(text: str, offset: int) -> Complaint:
    character = text[offset : offset + 1]
    if character == "\t" or "\t" in text[text.rfind("\n", 0, offset) + 1 : offset + 1]:
        return Complaint("yaml.tab", "A tab stands where YAML counts spaces.", "Indent with spaces.")
    return Complaint("yaml.character", f"A bare text cannot begin with `{character}`.", "Put it in quotes.")


def _since(text: str, fault: SyntaxFault) -> str:
    if fault.context_offset is None or not fault.context.startswith("while parsing"):
        return ""
    what = fault.context.removeprefix("while parsing ").replace("block ", "").replace("flow ", "")
    return f" ({what} that begins on line {line_of(text, fault.context_offset)})"
