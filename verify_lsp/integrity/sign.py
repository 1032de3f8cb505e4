"""What the comparison saw at one place."""

import attrs


@attrs.frozen
class Sign:
    """One sign.

    Attributes:
        rule: The id of the rule that knows its severity and its page.
        line: 1-based, in the text after the change.
        message: What was seen, in neutral words.
        quiet: How much lower its severity is than the rule's: 1 where the code changed as well, so that the change
            of the test has an ordinary explanation.
        evidence: What stood there before, and what stands there now.
        tests: How many tests it is about.
    """

    rule: str
    path: str
    line: int
    message: str
    evidence: str | None = None
    quiet: int = 0
    tests: int = 0
