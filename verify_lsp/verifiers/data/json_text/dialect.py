"""What the dialects of JSON allow."""

import attrs


@attrs.frozen
class Dialect:
    """A kind of JSON.

    Attributes:
        title: As people call it.
        comments: `//` and `/* */` are allowed.
        trailing_commas: A comma may stand before a closing bracket.
        extended: All that JSON5 adds: single quotes, bare keys, and more ways to write strings and numbers.
        may_be_empty: Programs that read such files take an empty one for `{}`.
    """

    title: str
    comments: bool = False
    trailing_commas: bool = False
    extended: bool = False
    may_be_empty: bool = False


STRICT = Dialect("JSON")
WITH_COMMENTS = Dialect("JSON with comments", comments=True, trailing_commas=True, may_be_empty=True)
JSON5 = Dialect("JSON5", comments=True, trailing_commas=True, extended=True)
