"""Compares the tests of a change, before and after: what is gone, and what is weaker."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import attrs

from verify_lsp.integrity.cases import Case, Check, Reading
from verify_lsp.integrity.compare import compare
from verify_lsp.integrity.pairs import Paired, pair
from verify_lsp.integrity.setting import Setting
from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.line_map import LineMap
from verify_lsp.model.change import FileChange

_NAMED = 3


@attrs.frozen
class ReadFile:
    """A changed test file with what both sides hold."""

    file: FileChange
    before: Reading
    after: Reading


def pair_files(files: Sequence[ReadFile]) -> Paired:
    """Pair the tests of all files, as one that moved to another file is still there."""
    before = [case for read in files for case in read.before.cases]
    after = [case for read in files for case in read.after.cases]
    paired, touched = pair(before, after), _Touched.of(files)
    may_differ = [was.marks != now.marks or touched.before(was) or touched.after(now) for was, now in paired.pairs]
    return attrs.evolve(
        paired,
        pairs=tuple(each for each, differs in zip(paired.pairs, may_differ, strict=True) if differs),
        same=tuple(now for (_, now), differs in zip(paired.pairs, may_differ, strict=True) if not differs),
    )


def signs_of(files: Sequence[ReadFile], setting: Setting) -> Iterator[Sign]:
    """Yield the signs, one for each place."""
    found = [sign for before, after in setting.paired.pairs for sign in compare(before, after, setting)]
    yield from _once(found)
    gone = tuple(_gone(files, setting))
    yield from gone
    alone = tuple(_changed_alone(setting, {sign.path for sign in (*found, *gone)}))
    if alone and not setting.source_changed:
        yield from alone


@attrs.frozen
class _Touched:
    """Which lines of which file changed: a test that none of them is in need not be read."""

    removed: dict[str, list[int]]
    added: dict[str, list[int]]

    @classmethod
    def of(cls, files: Sequence[ReadFile]) -> "_Touched":
        removed = {read.file.path: sorted(line.line for line in read.file.removed_lines) for read in files}
        added = {read.file.path: sorted(line.line for line in read.file.added_lines) for read in files}
        return cls(removed, added)

    def before(self, case: Case) -> bool:
        return _any_within(self.removed.get(case.path, []), case)

    def after(self, case: Case) -> bool:
        return _any_within(self.added.get(case.path, []), case)


def _any_within(lines: list[int], case: Case) -> bool:
    index = bisect_left(lines, case.line)
    return index < len(lines) and lines[index] <= case.end_line


def _once(signs: Sequence[Sign]) -> Iterator[Sign]:
    """One sign for each rule and line: a mark on a class is about all of its tests."""
    groups: dict[tuple[str, str, int], list[Sign]] = defaultdict(list)
    for sign in signs:
        groups[sign.rule, sign.path, sign.line].append(sign)
    for (rule, _, _), group in groups.items():
        first = group[0]
        if rule == "integrity.test-skipped" and len(group) > 1:
            message = f"{len(group)} tests had to pass before and are held back now, on every machine."
            yield attrs.evolve(first, message=message, tests=len(group))
        else:
            yield first


def _changed_alone(setting: Setting, named: set[str]) -> Iterator[Sign]:
    """The plain nudge: old assertions differ, and no code does. New tests, and mere layout, are none of it."""
    changed: dict[str, list[int]] = defaultdict(list)
    for before, after in setting.paired.pairs:
        if after.path in named:
            continue
        texts = Counter(check.text for check in after.body.checks)
        old = [check for check in before.body.checks if not texts[check.text] and not setting.gained[check.text]]
        was, now = Counter(map(_meaning, old)), Counter(map(_meaning, after.body.checks))
        if was - now and texts - Counter(check.text for check in before.body.checks):
            changed[after.path].append(after.line)
    for path, lines in changed.items():
        number = f"{len(lines)} tests" if len(lines) > 1 else "a test"
        message = f"Assertions of {number} that stood here before are different now, and no code changed with them."
        yield Sign("integrity.test-changed-alone", path, min(lines), message)


def _meaning(check: Check) -> tuple[str, int, str]:
    """What an assertion says, the same in the words of another framework."""
    return (min(check.claims, default=""), check.strength, check.expected if check.literal else "")


def _gone(files: Sequence[ReadFile], setting: Setting) -> Iterator[Sign]:
    known = {read.file.path: read for read in files}
    by_file: dict[str, list[Case]] = defaultdict(list)
    for case in setting.paired.gone:
        if case.is_test and not setting.is_of_dropped_code(case) and not setting.is_absorbed(case):
            by_file[case.path].append(case)
    for path, cases in by_file.items():
        names = ", ".join(f"`{case.name}`" for case in cases[:_NAMED])
        more = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
        verb, of = ("is", "A test is") if len(cases) == 1 else ("are", f"{len(cases)} tests are")
        message = f"{of} gone, and nothing here does what {'it' if verb == 'is' else 'they'} did: {names}{more}."
        line = _line_after(known[path].file, cases[0].line)
        yield Sign("integrity.test-removed", path, line, message, None, setting.quiet, len(cases))


def _line_after(file: FileChange, line: int) -> int:
    """Return where, in the text after, a line stood that is gone: the last line above it that was kept."""
    if file.after is None:
        return 1
    lines = LineMap.of(file)
    above = (lines.to_new(number) for number in range(line, max(line - 2_000, 0), -1))
    return next((number for number in above if number is not None), 1)
