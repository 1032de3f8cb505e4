"""What else a change did, which may explain what it did to the tests."""

from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from functools import cached_property

import attrs

from verify_lsp.integrity.cases import Case
from verify_lsp.integrity.elsewhere import own_name
from verify_lsp.integrity.pairs import Paired, likeness

_ABSORBED = 0.7


@attrs.frozen
class Setting:
    """What surrounds a test that changed.

    Attributes:
        paired: The tests of the whole change.
        code_changed: Says whether code that is no test changed what it does; it takes a while, and is asked once.
        explained: True when anything changed that a test may depend on: code, data, settings, packages.
        dropped: Names that the code had before the change and has nowhere after it, as far as changed files go.
        elsewhere: Says whether a file that did not change declares a test, by the path it had and by its name.
    """

    paired: Paired
    code_changed: Callable[[], bool]
    explained: bool
    dropped: frozenset[str]
    elsewhere: Callable[[str, str], bool] = lambda _path, _name: False

    @cached_property
    def source_changed(self) -> bool:
        """True when code that is no test changed what it does."""
        return self.code_changed()

    @property
    def quiet(self) -> int:
        """How much lower a sign is that a change of code may explain."""
        return int(self.source_changed)

    @cached_property
    def gained(self) -> Counter[str]:
        """The assertions that some test has now and did not have before."""
        total: Counter[str] = Counter()
        for case in self.paired.new:
            total.update(check.text for check in case.body.checks)
        for before, after in self.paired.pairs:
            if before.body.shape != after.body.shape:
                now = Counter(check.text for check in after.body.checks)
                total += now - Counter(check.text for check in before.body.checks)
        return total

    @cached_property
    def grown(self) -> tuple[tuple[AbstractSet[str], AbstractSet[str]], ...]:
        """The words of each test that grew, all of them and those that it gained."""
        return tuple(
            (set(after.body.words), gained)
            for before, after in self.paired.pairs
            if after.is_test and (gained := set(after.body.words - before.body.words))
        )

    @cached_property
    def fresh_words(self) -> AbstractSet[str]:
        """The words of new tests, and those that tests gained."""
        found: set[str] = set()
        for case in self.paired.new:
            found.update(case.body.words if case.is_test else ())
        for before, after in self.paired.pairs:
            found.update(after.body.words - before.body.words if after.is_test else ())
        return found

    @cached_property
    def asserting(self) -> frozenset[str]:
        """The helpers that assert something now."""
        return frozenset(
            own_name(case.path, case.name) for case in self.paired.after if not case.is_test and case.body.checks
        )

    @cached_property
    def shapes(self) -> frozenset[str]:
        """What the tests do that stay or are new."""
        return frozenset(case.body.shape for case in self.paired.after if case.is_test)

    def is_absorbed(self, case: Case) -> bool:
        """Say whether what a test did that is gone is done by another: one like it, a table, a split, a merger."""
        if case.body.shape in self.shapes or self._has_double(case):
            return True
        words = set(case.body.words)
        if not words or len(words & self.fresh_words) >= _ABSORBED * len(words):
            return bool(words)
        return any(
            not words.isdisjoint(gained) and len(words & now) >= _ABSORBED * len(words) for now, gained in self.grown
        )

    def _has_double(self, case: Case) -> bool:
        """Say whether a test of that name stays which does about the same, here or in a file that did not change."""
        return any(
            other.is_test and other.name == case.name and likeness(other.body.words, case.body.words) >= _ABSORBED
            for other in self.paired.after
        ) or self.elsewhere(case.path, case.name)

    def is_of_dropped_code(self, case: Case) -> bool:
        """Say whether a test speaks of code that the change took away."""
        return not self.dropped.isdisjoint(case.body.words)
