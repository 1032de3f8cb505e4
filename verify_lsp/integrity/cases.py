"""What a test file holds, whatever its language: tests, the assertions in them, and what keeps them from running."""

from collections import Counter
from collections.abc import Callable, Mapping
from enum import IntEnum
from functools import cached_property
from typing import Literal

import attrs


class Strength(IntEnum):
    """How much an assertion says of a value: a stronger one rules out more of what could be wrong."""

    NOTHING = 0
    TRUTH = 1
    TYPE = 2
    BOUND = 3
    EXACT = 4


@attrs.frozen
class Check:
    """One assertion.

    Attributes:
        text: Its normal form, the same for two that differ by layout alone.
        shown: As it is written, on one line and bounded.
        claims: How much it says of which value, by the value's normal form; the foremost value comes first.
        expected: The normal form of the value that it is held against; empty without one.
        literal: True when that value is written out in the test.
        tolerance: How far off a value may be, by the name of the measure; a larger number lets more pass.
        swallowed: True where its failure is caught, so that the test goes on.
        conditions: The normal forms of the conditions that it stands under, the outermost first.
    """

    text: str
    shown: str
    line: int
    claims: Mapping[str, Strength]
    expected: str = ""
    literal: bool = False
    tolerance: Mapping[str, float] = attrs.field(factory=dict)
    swallowed: bool = False
    conditions: tuple[str, ...] = ()

    @property
    def strength(self) -> Strength:
        """What it says at most."""
        return max(self.claims.values(), default=Strength.NOTHING)


@attrs.frozen
class Mark:
    """What keeps a test from running, or all others: a decorator, a call, a suffix. `shown` is its text.

    One of kind "asked" asks the machine, and keeps the test from running on some.
    """

    kind: Literal["skip", "only", "asked"]
    line: int
    shown: str


@attrs.frozen
class Body:
    """What a test does.

    Attributes:
        shape: Its normal form as a whole.
        words: Its names and literals, with how often each stands there.
        calls: What it calls, by dotted names.
        mocked: What it puts a stand-in for, by dotted names, with the line.
        skips: Statements that end it before it did anything, whatever the machine.
        rows: How many rows of a table its parameters have; 0 without a table.
        acts: False when nothing is left but a placeholder.
    """

    shape: str
    words: Counter[str]
    calls: frozenset[str]
    checks: tuple[Check, ...]
    mocked: Mapping[str, int] = attrs.field(factory=dict)
    skips: tuple[Mark, ...] = ()
    rows: int = 0
    acts: bool = True


@attrs.frozen
class Case:
    """A test, or a helper of tests that may assert something.

    Attributes:
        name: With what it stands in: `TestCart.test_total`.
        marks: What keeps it from running, its own and those of what it stands in.
        read: Reads the body, which is only done where a test has changed.
    """

    path: str
    name: str
    line: int
    end_line: int
    marks: tuple[Mark, ...]
    read: Callable[[], Body] = attrs.field(eq=False, repr=False)
    is_test: bool = True

    @cached_property
    def body(self) -> Body:
        """What it does."""
        return self.read()

    @property
    def skips(self) -> tuple[Mark, ...]:
        """All that keeps it from running."""
        return (*(mark for mark in self.marks if mark.kind == "skip"), *self.body.skips)


@attrs.frozen
class Reading:
    """What one side of a file holds.

    Attributes:
        spans: Lines that belong to tests in a file of code, first and last.
        unread: Lines that hold tests in a form that is not read: what a macro makes tests of.
    """

    cases: tuple[Case, ...]
    spans: tuple[tuple[int, int], ...] = ()
    unread: tuple[tuple[int, int], ...] = ()

    def is_test_line(self, line: int) -> bool:
        """Say whether a line of a file of code belongs to its tests."""
        return any(first <= line <= last for first, last in self.spans)
