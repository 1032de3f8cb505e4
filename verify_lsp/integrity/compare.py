"""Holds a test before the change against the same test after it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from verify_lsp.integrity.cases import Body, Case, Check, Strength
from verify_lsp.integrity.pairs import likeness
from verify_lsp.integrity.said import EMPTY
from verify_lsp.integrity.setting import Setting
from verify_lsp.integrity.sign import Sign

_REWRITTEN = 0.5
_SHORT = 16
_NOT_LAST = re.compile(r"^.*[.:]")
_ENVIRONMENT = re.compile(
    r"platform|version|\bos\.|environ|getenv|\bsys\.|GOOS|GOARCH|runtime\.|process\.|windows|linux|darwin|macos|\bPY\d?"
    r"|pypy|\bCI\b|cfg!|has_|_\d+(?:_\d+)?\b|supports?|available|installed|node|feature|debug|__debug__|is_async|backend|\bnil\b|\berr\b",
    re.IGNORECASE,
)
_ASSERTS = re.compile(r"assert|expect|check|verif|should|require|must|ensure|validate|compare|matches", re.IGNORECASE)
_AFFIRMS = re.compile(r"[tT]ruthy|toBeDefined|NotNil|NotEmpty|\bok\(|assertTrue|is_some|is_ok|\.exist|isTrue")
_WORD = re.compile(r"""\w*"(?:[^"\\]|\\.)*"|\w*'(?:[^'\\]|\\.)*'|\w+(?:\.\d+)?""")
_EXPECTS_FAILURE = re.compile(r"xfail|expectedFailure|\.fail|should_panic")
_LEVELS = {
    Strength.NOTHING: "nothing",
    Strength.TRUTH: "a truth check",
    Strength.TYPE: "a type check",
    Strength.BOUND: "a bound",
    Strength.EXACT: "an exact value",
}


def compare(before: Case, after: Case, setting: Setting) -> Iterator[Sign]:
    """Yield the signs of one test."""
    if after.is_test:
        yield from _held_back(before, after, setting)
    was, now = before.body, after.body
    if after.skips and not before.skips:
        return
    if was.shape == now.shape and was.mocked == now.mocked and was.rows == now.rows:
        return
    if was.acts and not now.acts and (was.checks or was.calls):
        message = f"`{after.name}` does nothing any more: its body is a placeholder now."
        yield Sign("integrity.test-emptied", after.path, after.line, message, _first(was.checks), setting.quiet, 1)
        return
    yield from _mocked(was, now, after, setting)
    yield from _rows_gone(was, now, after, setting)
    short = min(was.words.total(), now.words.total()) < _SHORT
    if short or likeness(was.words, now.words) >= _REWRITTEN or len(now.checks) < len(was.checks):
        yield from _asserted(before, after, setting)


def _held_back(before: Case, after: Case, setting: Setting) -> Iterator[Sign]:
    if after.skips and not before.skips:
        mark = after.skips[0]
        yield Sign(
            "integrity.test-skipped",
            after.path,
            mark.line,
            f"`{after.name}` {_held(mark.shown)}.",
            mark.shown,
            # One that asked the machine before, and asks no more, did not run everywhere then.
            quiet=max(setting.quiet, int(any(each.kind == "asked" for each in before.marks))),
            tests=1,
        )
    known = Counter(mark.shown for mark in before.marks)
    for mark in after.marks:
        if mark.kind == "only" and not known[mark.shown]:
            message = "Only what is marked here runs now; the other tests of the file are left out."
            yield Sign("integrity.test-narrowed", after.path, mark.line, message, mark.shown, tests=1)


def _held(shown: str) -> str:
    if _EXPECTS_FAILURE.search(shown):
        return "had to pass before and is expected to fail now"
    return "ran before and is skipped now, on every machine"


def _rows_gone(was: Body, now: Body, after: Case, setting: Setting) -> Iterator[Sign]:
    """A row of a table is a test without a name."""
    lost = set(was.words - now.words)
    if not 0 < now.rows < was.rows or not lost or not lost.isdisjoint(setting.dropped):
        return
    if len(lost & setting.fresh_words) < len(lost) / 2:
        message = f"The table of `{after.name}` has {now.rows} rows and had {was.rows} before."
        yield Sign("integrity.rows-removed", after.path, after.line, message, None, setting.quiet, was.rows - now.rows)


def _mocked(was: Body, now: Body, after: Case, setting: Setting) -> Iterator[Sign]:
    for target, line in now.mocked.items():
        owner, _, name = target.rpartition(".")
        called = {name, f"{owner.rpartition('.')[2]}.{name}"} & was.calls & now.calls
        if target in was.mocked or not called:
            continue
        message = f"`{target}` is replaced by a stand-in here, and it is what this test calls: it no longer runs."
        yield Sign("integrity.subject-mocked", after.path, line, message, target, setting.quiet)


def _asserted(before: Case, after: Case, setting: Setting) -> Iterator[Sign]:
    lost, gained = list(before.body.checks), list(after.body.checks)
    pairs: list[tuple[Check, Check]] = []
    for same in (_same_text, _same_value, _same_subject, _same_expectation):
        pairs += _taken(lost, gained, same)
    hollow = [check for check in gained if check.strength is Strength.NOTHING]
    pairs += [(was, now) for was, now in zip(lost, hollow, strict=False)] if len(lost) >= len(hollow) else []
    matched = {id(was) for was, _ in pairs}
    for was, now in pairs:
        yield from _weakened(was, now, (before, after), setting)
    lost = [check for check in lost if id(check) not in matched and check.strength > Strength.NOTHING]
    fuller = [check for check in gained if check.strength > Strength.NOTHING]
    yield from _removed((before, after), lost, fuller, setting)


def _weakened(was: Check, now: Check, cases: tuple[Case, Case], setting: Setting) -> Iterator[Sign]:
    path, evidence = cases[1].path, f"before: {was.shown}\nnow: {now.shown}"
    if now.swallowed and not was.swallowed:
        message = "A failure of this assertion is caught now, so that the test passes all the same."
        yield Sign("integrity.assertion-swallowed", path, now.line, message, evidence, setting.quiet, 1)
        return
    added = Counter(now.conditions) - Counter(was.conditions)
    if len(now.conditions) > len(was.conditions) and added and not any(map(_ENVIRONMENT.search, added)):
        message = f"This assertion is made only under a condition now: `{_short(next(iter(added)))}`."
        yield Sign("integrity.assertion-conditional", path, now.line, message, evidence, setting.quiet, 1)
        return
    strong, weak = _strengths(was, now)
    if weak < strong and not (was.expected in EMPTY and weak is Strength.TRUTH and not _is_affirmed(now)):
        became = "something that is always true" if weak is Strength.NOTHING else _LEVELS[weak]
        message = f"This assertion is weaker than before: `{_short(was.shown)}` became {became}."
        yield Sign("integrity.assertion-weakened", path, now.line, message, evidence, setting.quiet, 1)
    elif wider := [name for name, value in now.tolerance.items() if value > was.tolerance.get(name, value)]:
        message = f"This assertion lets more pass than before: {', '.join(wider)} is wider."
        yield Sign("integrity.tolerance-widened", path, now.line, message, evidence, setting.quiet, 1)
    elif _is_expectation_alone(was, now, cases, setting):
        message = f"The expected value changed, and nothing that it depends on: `{_short(was.expected)}` became `{_short(now.expected)}`."
        yield Sign("integrity.expected-changed", path, now.line, message, evidence, 0, 1)


def _is_affirmed(check: Check) -> bool:
    """Say whether a truth check is of the value itself, where its being empty was asserted before."""
    return check.text in check.claims or _AFFIRMS.search(check.text) is not None


def _strengths(was: Check, now: Check) -> tuple[Strength, Strength]:
    """Return what both say of the same value, the foremost that both speak of."""
    shared = next((name for name in was.claims if name in now.claims), None)
    if shared is None:
        # They expect the same, of a value that has another name now.
        return was.strength, now.strength
    return was.claims[shared], now.claims[shared]


def _is_expectation_alone(was: Check, now: Check, cases: tuple[Case, Case], setting: Setting) -> bool:
    if setting.explained or was.expected == now.expected or not (was.literal and now.literal):
        return False
    before, after = cases[0].body, cases[1].body
    if was.strength is not Strength.EXACT or len(before.checks) != len(after.checks):
        return False
    return next(iter(was.claims)) == next(iter(now.claims)) and _given(before) == _given(after)


def _given(body: Body) -> Counter[str]:
    """The words of a test apart from its assertions."""
    return body.words - Counter(word for check in body.checks for word in _WORD.findall(check.text))


def _removed(
    cases: tuple[Case, Case], lost: Sequence[Check], gained: Sequence[Check], setting: Setting
) -> Iterator[Sign]:
    before, after = cases
    fresh = [check.text for check in after.body.checks if check.text not in {each.text for each in before.body.checks}]
    gone = [
        check
        for check in lost
        if not setting.gained[check.text]
        and not _mentions(check, setting.dropped)
        and not any(next(iter(check.claims)) in text for text in fresh)
    ]
    if len(gone) <= len(gained) or after.body.rows > before.body.rows or _hands_over(before.body, after.body, setting):
        return
    left = [check for check in after.body.checks if check.strength > Strength.NOTHING]
    evidence = "\n".join(f"before: {check.shown}" for check in gone[:3])
    if not left:
        message = f"`{after.name}` asserts nothing any more."
        yield Sign("integrity.assertions-gone", after.path, after.line, message, evidence, setting.quiet, 1)
    else:
        number = len(gone) - len(gained)
        what, whose = ("An assertion is", "its") if number == 1 else (f"{number} assertions are", "their")
        message = f"{what} gone from `{after.name}`, with nothing in {whose} place."
        yield Sign("integrity.assertion-removed", after.path, after.line, message, evidence, setting.quiet, 1)


def _mentions(check: Check, names: frozenset[str]) -> bool:
    return bool(names) and not names.isdisjoint(re.findall(r"\w+", check.text))


def _hands_over(was: Body, now: Body, setting: Setting) -> bool:
    """Say whether the test calls something new that asserts in its place."""
    fresh = {_NOT_LAST.sub("", name) for name in now.calls - was.calls}
    return any(name in setting.asserting or _ASSERTS.search(name) for name in fresh)


def _taken(lost: list[Check], gained: list[Check], same: Callable[[Check, Check], bool]) -> list[tuple[Check, Check]]:
    pairs: list[tuple[Check, Check]] = []
    for was in tuple(lost):
        partner = next((index for index, now in enumerate(gained) if same(was, now)), None)
        if partner is not None:
            pairs.append((was, gained.pop(partner)))
            lost.remove(was)
    return pairs


def _same_text(was: Check, now: Check) -> bool:
    return was.text == now.text


def _same_value(was: Check, now: Check) -> bool:
    return was.expected == now.expected and bool(was.claims) and next(iter(was.claims)) in now.claims


def _same_subject(was: Check, now: Check) -> bool:
    return bool(was.claims) and any(name in now.claims for name in was.claims)


def _same_expectation(was: Check, now: Check) -> bool:
    return was.literal and now.literal and was.expected == now.expected


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= 60 else line[:59] + "…"


def _first(checks: Sequence[Check]) -> str | None:
    return "\n".join(f"before: {check.shown}" for check in checks[:3]) or None
