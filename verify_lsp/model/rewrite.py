"""A rewrite: the edits that take one finding away, exact to the character."""

import attrs


@attrs.frozen
class TextEdit:
    """Replaces the part of a text from `start` to `end` by `new_text`.

    Attributes:
        start: 0-based, in code points from the beginning of the text, a byte order mark included.
        end: Exclusive; equal to `start` where something is only inserted.
    """

    start: int
    end: int
    new_text: str


@attrs.frozen
class Rewrite:
    """What certainly mends one finding: safe to apply without a look at the result.

    Attributes:
        title: What it does, in the imperative: "Remove the trailing comma".
        edits: In the order of the text, without overlaps; they count for the very text the finding was found in.
    """

    title: str
    edits: tuple[TextEdit, ...]


def rewritten(text: str, rewrite: Rewrite) -> str:
    """Return `text` with the edits made.

    Raises:
        ValueError: When the edits overlap, are out of order, or lie outside of `text`.
    """
    pieces: list[str] = []
    done = 0
    for edit in rewrite.edits:
        if not done <= edit.start <= edit.end <= len(text):
            message = f"no such place in the text: {edit.start} to {edit.end}"
            raise ValueError(message)
        pieces += (text[done : edit.start], edit.new_text)
        done = edit.end
    return "".join((*pieces, text[done:]))
