"""Which of many possible mutants are tried: one a line, spread over the functions that the change touches."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import zip_longest

from verify_lsp.model.mutant import Mutant


def select_mutants(candidates: Iterable[Mutant], limit: int, rank: Mapping[str, int]) -> tuple[Mutant, ...]:
    """Return at most `limit` mutants, in the order of their places.

    Of each line the most telling mutant is a candidate. Files take turns, and in each its functions in the order of
    the text; what runs when a file is loaded comes after all functions, since each such mutant takes a run of its own.

    Args:
        rank: Operators by how telling they are, the lowest first.
    """
    lines: dict[tuple[str, int], list[Mutant]] = defaultdict(list)
    for mutant in candidates:
        lines[mutant.path, mutant.line].append(mutant)
    best = [min(of_line, key=lambda mutant: (rank[mutant.operator], mutant.column)) for of_line in lines.values()]
    called = _in_turns([mutant for mutant in best if not mutant.at_import], rank)
    loaded = _in_turns([mutant for mutant in best if mutant.at_import], rank)
    return tuple(sorted((called + loaded)[:limit], key=_place))


def _in_turns(mutants: list[Mutant], rank: Mapping[str, int]) -> list[Mutant]:
    functions: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
    for mutant in sorted(mutants, key=_place):
        functions[mutant.path, mutant.function].append(mutant)
    files: dict[str, list[list[Mutant]]] = defaultdict(list)
    for (path, _), queue in functions.items():
        files[path].append(sorted(queue, key=lambda mutant: (rank[mutant.operator], mutant.line)))

    # With many functions in the first file, those of the last, of another project perhaps, would have no turn at all.
    queues = [queue for turn in zip_longest(*files.values()) for queue in turn if queue is not None]
    return [mutant for turn in zip_longest(*queues) for mutant in turn if mutant is not None]


def _place(mutant: Mutant) -> tuple[str, int, int]:
    return mutant.path, mutant.line, mutant.column
