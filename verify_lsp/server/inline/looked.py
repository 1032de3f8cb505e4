"""What the last look at a text found."""

import attrs

from verify_lsp.inspection.inspect import Found


@attrs.frozen
class Looked:
    """A text, and what was found in it.

    Attributes:
        wrong: What is wrong with the text itself.
        rules: What rules say of its new lines; None while they have not been asked.
        saved: Whether the text is what stands on disk; of one that is being typed, rules say less.
    """

    text: str
    wrong: tuple[Found, ...]
    rules: tuple[Found, ...] | None = None
    saved: bool = True

    @property
    def found(self) -> tuple[Found, ...]:
        """All that is known."""
        return (*self.wrong, *(self.rules or ()))
