"""Where the grammar of YAML 1.2.2 knows better than the parser, which reads YAML 1.1.

What the parser refuses and the grammar has is no error. What the parser reads and the grammar forbids is told where no
doubt is left; a text that the grammar refuses for anything else counts as right.
"""

import re

import attrs

from verify_lsp.model.rewrite import rewritten
from verify_lsp.verifiers.data.places import Complaint, Span, replacing
from verify_lsp.verifiers.data.yaml_text.events import Events
from verify_lsp.verifiers.data.yaml_text.grammar.stream import Opinion, opinion
from verify_lsp.verifiers.data.yaml_text.grammar.tokens import Reason

_LENGTH_LIMIT = 300_000
"""Characters: the grammar takes as long as the parser does, at most a second for this many."""

# Every text that is refused for one of `_WORDS` has one of these, or quotes or brackets over several lines. Each begins
# with a character that is looked for quickly.
_DOUBTFUL = tuple(
    map(
        re.compile,
        (
            r"%",
            r"\t",
            r"\#(?<=[\"'\[\]{},:|>\d+\-]\#)",
            r"-\s*[,\]}]",
            r"\n +\r?\n",
        ),
    )
)
# YAML 1.1 has directives between two documents without a `...`.
_OF_OLDER_YAML = re.compile(r"^%YAML[ \t]+1\.[01]\b", re.MULTILINE)
_KNOWN = re.compile(r"%(?:YAML|TAG)[ \t]")
_WORDS: dict[Reason, Complaint] = {
    "comment": Complaint(
        "yaml.comment",
        "A comment begins with a space before its `#`.",
        "Put a space before the `#`, or the whole text in quotes.",
    ),
    "bracket-indent": Complaint(
        "yaml.indentation",
        "A line within brackets is indented, with spaces, further than the key or `-` that they belong to.",
        "Indent it.",
    ),
    "quote-indent": Complaint(
        "yaml.quote-indentation",
        "A further line of a text in quotes is indented, with spaces, further than its key or `-`: "
        "readers of YAML 1.2 refuse this.",
        "Indent it.",
        severity="medium",
    ),
    "late-directive": Complaint(
        "yaml.directive",
        "A line that begins with `%` may stand before the `---` of a document alone, not within one.",
        "End the document above with a line of `...`.",
    ),
    "directive": Complaint(
        "yaml.directive",
        "Each `%` directive stands once, in a form that YAML has, before a `---`.",
        "Mend it, or remove the line.",
    ),
    "leading": Complaint(
        "yaml.block-text",
        "This blank line has more spaces than the first line with a text below it.",
        "Remove its spaces.",
    ),
    "tab": Complaint("yaml.tab", "A tab stands where YAML counts spaces.", "Use spaces, or leave the line empty."),
    "plain": Complaint("yaml.character", "A `-` alone is no text within brackets.", "Put it in quotes."),
}


def is_newer_yaml(text: str) -> bool:
    """Tell whether a text that the parser refuses is YAML 1.2 from its first to its last character."""
    return len(text) <= _LENGTH_LIMIT and opinion(text).accepted


def newer(offset: int) -> tuple[Span, Complaint]:
    """Return what is said of YAML 1.2 that the parser refuses at `offset`."""
    return Span(offset, offset), Complaint(
        "yaml.version",
        "This is YAML 1.2, and readers of YAML 1.1, such as PyYAML, refuse it.",
        "Write it in another way if one of them is to read the file.",
        severity="low",
    )


def forbidden(text: str, events: Events) -> tuple[Span, Complaint] | None:
    """Return what the standard forbids for certain in a text that the parser reads, or None."""
    if len(text) > _LENGTH_LIMIT or not (events.spread or any(each.search(text) for each in _DOUBTFUL)):
        return None
    seen = opinion(text)
    complaint = certain(text, seen)
    if complaint is None:
        return None
    if complaint.rule == "yaml.comment":
        complaint = _with_space(text, seen.offset, complaint)
    return Span(seen.offset, min(seen.offset + 1, len(text))), complaint


def certain(text: str, seen: Opinion) -> Complaint | None:
    """Return the words for what the grammar refuses, None where a person is not told of it."""
    if seen.reason is None:
        return None
    if seen.reason == "plain" and not text.startswith("-", seen.offset):
        return None
    if seen.reason == "late-directive" and (_OF_OLDER_YAML.search(text) or not _KNOWN.match(text, seen.offset)):
        return None
    return _WORDS.get(seen.reason)


def _with_space(text: str, offset: int, complaint: Complaint) -> Complaint:
    """Add the space where that is all that is wrong."""
    rewrite = replacing("Put a space before the comment", Span(offset, offset), " ")
    return attrs.evolve(complaint, rewrite=rewrite) if opinion(rewritten(text, rewrite)).accepted else complaint
