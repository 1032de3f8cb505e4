"""Which test is which, before and after: by name, by place, and by what it does."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Sequence

import attrs

from verify_lsp.integrity.cases import Case

_ALIKE = 0.6
_COMPARED = 40_000


@attrs.frozen
class Paired:
    """The tests of all changed files: those that are on both sides, and those that are on one.

    Attributes:
        pairs: Those that may differ.
        same: Those that no changed line is in, as they are now.
    """

    pairs: tuple[tuple[Case, Case], ...]
    gone: tuple[Case, ...]
    new: tuple[Case, ...]
    same: tuple[Case, ...] = ()

    @property
    def after(self) -> tuple[Case, ...]:
        """All that there is now."""
        return (*self.new, *(now for _, now in self.pairs), *self.same)


def pair(before: Sequence[Case], after: Sequence[Case]) -> Paired:
    """Pair the tests of two sides. A renamed or moved one is found by its name elsewhere, then by what it does."""
    left, right = list(before), list(after)
    pairs: list[tuple[Case, Case]] = []
    for key in (_by_place, _by_name, _by_last_name, _by_shape):
        pairs += _matched(left, right, key)
    pairs += _alike(left, right)
    return Paired(tuple(pairs), tuple(left), tuple(right))


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return how much two bags of words have in common, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _by_place(case: Case) -> Hashable:
    return (case.path, case.is_test, case.name)


def _by_name(case: Case) -> Hashable:
    return (case.is_test, case.name)


def _by_last_name(case: Case) -> Hashable:
    """A test that was put into a class, or taken out of one."""
    return (case.path, case.is_test, case.name.rpartition(".")[2].rpartition(" > ")[2])


def _by_shape(case: Case) -> Hashable:
    return (case.is_test, case.body.shape) if case.body.shape else None


def _matched(left: list[Case], right: list[Case], key: Callable[[Case], Hashable]) -> list[tuple[Case, Case]]:
    """Take out of both lists what has the same key, in order."""
    if not left or not right:
        return []
    waiting: dict[Hashable, deque[Case]] = defaultdict(deque)
    for case in left:
        known = key(case)
        if known is not None:
            waiting[known].append(case)
    pairs, rest = [], []
    for case in right:
        known = key(case)
        if known is not None and waiting.get(known):
            pairs.append((waiting[known].popleft(), case))
        else:
            rest.append(case)
    taken = {id(before) for before, _ in pairs}
    left[:] = [case for case in left if id(case) not in taken]
    right[:] = rest
    return pairs


def _alike(left: list[Case], right: list[Case]) -> list[tuple[Case, Case]]:
    """Take out what has most of its words in common, the likest first."""
    if len(left) * len(right) > _COMPARED:
        return []
    scores = [
        (score, i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if one.is_test == other.is_test and (score := likeness(one.body.words, other.body.words)) >= _ALIKE
    ]
    pairs: dict[int, int] = {}
    for _, i, j in sorted(scores, key=lambda each: (-each[0], each[1], each[2])):
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    found = [(left[i], right[j]) for i, j in pairs.items()]
    left[:] = [case for i, case in enumerate(left) if i not in pairs]
    right[:] = [case for j, case in enumerate(right) if j not in set(pairs.values())]
    return found
