"""The shape of a rule: data that says what to look for and what to say of it. Patterns are RE2, so that no text is slow."""

from typing import Literal

import attrs

from verify_lsp.model.finding import Severity

Kind = Literal["literal", "dynamic", "built", "tainted"]
"""What an expression is: `literal` is the same on each run; `dynamic` is not; `built` is a text put together from
parts that are not literal, and were not made harmless; `tainted` comes from a request."""


@attrs.frozen
class Arg:
    """A condition on an argument of a call.

    Attributes:
        at: Positions from 0 and names; the first that is given is looked at. `*` stands for each of them.
        text: Must match the whole argument, written on one line.
        kind: What the argument must be.
        absent: Holds when none of `at` is given, and no unpacking may bring it.
    """

    at: tuple[int | str, ...]
    text: str | None = None
    kind: Kind | None = None
    absent: bool = False


@attrs.frozen
class Call:
    """A call, a construction, or a Go composite literal.

    Attributes:
        callee: Must match the whole dotted name, imports resolved: `subprocess.run`, `?.execute` after an expression.
        when: All must hold.
        unless: None may hold.
        statement: Must be found in the statement, or in the name of the function around it.
        statement_unless: Must not be found there.
        outside: Callees of calls around it, by pattern, within which it is no finding.
        receiver: Must match what the name before the last dot was bound to; None where that does not matter.
    """

    callee: str
    when: tuple[Arg, ...] = ()
    unless: tuple[Arg, ...] = ()
    statement: str | None = None
    statement_unless: str | None = None
    outside: str | None = None
    receiver: str | None = None


@attrs.frozen
class Bind:
    """A value bound to a name: an assignment, a keyword argument, a property, an attribute of an element.

    Attributes:
        name: Must match the whole dotted name: `verify`, `app.config.DEBUG`.
        value: Must match the whole value, written on one line.
        kind: What the value must be.
        inside: Must match the callee of the call that it is an argument of; None where that does not matter.
    """

    name: str
    value: str | None = None
    kind: Kind | None = None
    inside: str | None = None
    statement: str | None = None
    statement_unless: str | None = None


@attrs.frozen
class Text:
    """A logical line: continuation lines are joined.

    Attributes:
        pattern: Must be found in it, at the anchor.
        unless: Must not be found in it.
        within: Where it has to stand: in code (neither comment nor string), or anywhere but in a comment.
    """

    pattern: str
    unless: str | None = None
    within: Literal["code", "uncommented", "any"] = "uncommented"


@attrs.frozen
class Entry:
    """A key and its value in YAML, Terraform or a Dockerfile.

    Attributes:
        key: Must be found in the path of keys, joined by dots and closed by one: `jobs.build.steps.run.`
        value: Must be found in the value.
        unless: Must not be found in the value.
        block: Must be found in the block around it: the lines of the same parent.
        block_unless: Must not be found there.
    """

    key: str
    value: str
    unless: str | None = None
    block: str | None = None
    block_unless: str | None = None


@attrs.frozen
class Secret:
    """A secret by its shape.

    Attributes:
        pattern: Its first group, or else the whole, is the secret.
        check: The name of a test in `secrets.checks` that real ones pass.
        shown: How many characters of it may be shown: its fixed prefix.
        entropy: Bits a character that it has at least.
        context: Must be found near it, in the same line or the two around it.
        live: False for what may well be meant for the public; reported in code that tests too otherwise.
    """

    pattern: str
    check: str | None = None
    shown: int = 4
    entropy: float = 0.0
    context: str | None = None


@attrs.frozen
class Assigned:
    """A password, token or key in plain text, known by the name that it is given to.

    Attributes:
        name: Must be found in the name, lower case, words parted by underscores.
        name_unless: Must not be found there.
    """

    name: str
    name_unless: str | None = None


@attrs.frozen
class Guard:
    """Something that protected, and was taken away.

    Attributes:
        pattern: Must be found in the code of a removed line.
        replaced: What takes its place where it is found in an added line of the same file; None for `pattern`.
    """

    pattern: str
    replaced: str | None = None


Matcher = Call | Bind | Text | Entry | Secret | Assigned | Guard


@attrs.frozen
class Rule:
    """A rule.

    Attributes:
        languages: As `kinds.kinds_of` names them; empty for every text.
        anchors: One of these texts stands wherever the rule applies; a quick search for them comes first.
        after: Matches right after the anchor wherever the rule applies, so that the search passes by what merely holds
            an anchor; a bounded number of bytes at most. None where anything may follow.
        match: The ways to break the rule.
        suggestion: What to do instead.
        file: Must be found in the file; None where that does not matter.
        file_unless: Must not be found there.
        rewrite: The name of the safe rewrite in `rewrites.registry`; None without one.
        in_tests: What it counts in tests and their fixtures; None for the same as elsewhere.
        behind: Rules that say more of the same line, so that this one stays silent beside them.
        bad: Texts that break the rule, and `good` texts close to them that do not. «…» stands for a made-up secret, see
            `samples.filled`; a first line `#! NAME` gives the file's name.
    """

    id: str
    title: str
    severity: Severity
    languages: tuple[str, ...]
    anchors: tuple[str, ...]
    match: tuple[Matcher, ...]
    message: str
    suggestion: str
    cwe: tuple[str, ...]
    description: str = ""
    after: str | None = None
    file: str | None = None
    file_unless: str | None = None
    rewrite: str | None = None
    in_tests: Severity | Literal["off"] | None = "low"
    behind: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()
    good: tuple[str, ...] = ()

    @property
    def fixable(self) -> bool:
        """Whether a safe rewrite may be offered."""
        return self.rewrite is not None

    @property
    def url(self) -> str:
        """The rule's page, relative to the project's documentation."""
        return f"docs/rules/{self.id}.md"
