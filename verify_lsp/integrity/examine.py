"""Looks at a change for signs of a green that was not earned."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from verify_lsp.integrity.around import dropped_names, is_explained, source_changed
from verify_lsp.integrity.collected import left_out_by_name
from verify_lsp.integrity.configuration import is_configuration, relaxed
from verify_lsp.integrity.languages.reading import read, reads
from verify_lsp.integrity.pipelines import is_pipeline, made_lenient
from verify_lsp.integrity.rules import by_id
from verify_lsp.integrity.setting import Setting
from verify_lsp.integrity.sign import Sign
from verify_lsp.integrity.silenced import silenced
from verify_lsp.integrity.snapshots import rewritten
from verify_lsp.integrity.stand_ins import modules_replaced
from verify_lsp.integrity.tests_seen import ReadFile, pair_files, signs_of
from verify_lsp.judgement.files.declared_tests import declares_tests
from verify_lsp.judgement.files.file_kinds import is_code, is_generated, is_test, is_vendored
from verify_lsp.judgement.files.protected import PROTECTED, protected_class
from verify_lsp.judgement.suppressions import split, suppressions_in, unused_problems
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import SEVERITIES, Problem, Severity

_LARGEST = 1_500_000
_ASKS = re.compile(r"skip|xfail|ignore|todo|cfg|build", re.IGNORECASE)
_RUST_TEST = re.compile(r"#\[(?:\w+::)*(?:test|rstest)\b|cfg\(test\)")


@attrs.frozen
class Examined:
    """What was seen.

    Attributes:
        problems: Those that no comment suppresses, and comments of ours that suppress nothing.
        signs: All signs, for counting.
        tests: How many changed files with tests were compared.
        replaced: How many tests are gone for a reason that was seen: another does the same, or their code is gone.
        asked: True when a new line may skip a test under a condition.
        settings: How many files of settings and pipelines were looked at.
        code: How many files of code with new lines were looked at for suppressions.
        silenced: How many comments that silence a checker are new.
        suppressed: How many signs a comment covers.
        gaps: What could not be looked at, in plain words.
    """

    problems: tuple[Problem, ...]
    signs: tuple[Sign, ...] = ()
    tests: int = 0
    replaced: int = 0
    asked: bool = False
    settings: int = 0
    code: int = 0
    silenced: int = 0
    suppressed: int = 0
    gaps: tuple[str, ...] = ()


def examine(change: Change, elsewhere: Callable[[str, str], bool] | None = None) -> Examined:
    """Return the signs in a change, and what of it could not be looked at.

    Args:
        elsewhere: Says whether an unchanged file declares a test, by the path it had and by its name; see
            `elsewhere.declared_elsewhere`. Without it, only the files of the change are known.
    """
    compared, gaps = _read_all(change)
    known = {each.file.path: each for each in compared}
    setting = Setting(
        pair_files(compared),
        partial(source_changed, change, known),
        is_explained(change, known),
        dropped_names(change, known),
        elsewhere or (lambda _path, _name: False),
    )
    quieted = silenced(change)
    signs = (*signs_of(compared, setting), *_beside_tests(change), *quieted.signs)
    problems, suppressed = _told(change, signs)
    settings = sum(is_pipeline(file.path) or is_configuration(file.path) for file in change.files)
    code = sum(bool(file.added_lines) and is_code(file.path) for file in change.files)
    gone = sum(case.is_test for case in setting.paired.gone)
    named = sum(sign.tests for sign in signs if sign.rule == "integrity.test-removed")
    return Examined(
        problems,
        signs,
        tests=len(compared),
        replaced=max(gone - named, 0),
        asked=any(_ASKS.search(line.text) for read in compared for line in read.file.added_lines),
        settings=settings,
        code=code,
        silenced=quieted.added,
        suppressed=suppressed,
        gaps=gaps,
    )


def _beside_tests(change: Change) -> Iterator[Sign]:
    yield from left_out_by_name(change)
    yield from modules_replaced(change)
    yield from rewritten(change)
    yield from relaxed(change)
    for file in change.files:
        if is_pipeline(file.path):
            yield from made_lenient(file)
    if any(is_code(file.path) for file in change.files):
        yield from _instructions(change)


def _instructions(change: Change) -> Iterator[Sign]:
    for file in filter(tells_agents, change.files):
        if file.change != "added" and (file.added_lines or file.removed_lines):
            line = file.added_lines[0].line if file.added_lines else 1
            message = "What coding agents are told to do changed together with code."
            yield Sign("integrity.agent-instructions", file.path, line, message)


def tells_agents(file: FileChange) -> bool:
    """Say whether a file is read by coding agents as instructions."""
    found = protected_class(file, acts=True)
    return found is not None and found.about == PROTECTED[0].about


def _read_all(change: Change) -> tuple[tuple[ReadFile, ...], tuple[str, ...]]:
    compared: list[ReadFile] = []
    gaps: list[str] = []
    for file in change.files:
        if not _may_hold_tests(file):
            continue
        found = _read(file) if reads(file.path) else f"tests in {file.path} are in a language that is not compared"
        if isinstance(found, str):
            gaps.append(found)
        else:
            compared.append(found)
            gaps += [f"tests that a macro makes in {file.path} were not compared"] if _changed_unread(found) else []
    return tuple(compared), tuple(gaps)


def _changed_unread(read: ReadFile) -> bool:
    sides = ((read.before, read.file.removed_lines), (read.after, read.file.added_lines))
    return any(
        first <= line.line <= last for reading, lines in sides for first, last in reading.unread for line in lines
    )


def _may_hold_tests(file: FileChange) -> bool:
    if file.binary or not (file.added_lines or file.removed_lines) or is_vendored(file.path):
        return False
    if not is_code(file.path) or is_generated(file):
        return False
    if is_test(file.path):
        # A script that tests call is no test, whatever its language.
        return reads(file.path) or declares_tests(file.path)
    return file.path.endswith(".rs") and _holds_rust_tests(file)


def _holds_rust_tests(file: FileChange) -> bool:
    return any(text is not None and _RUST_TEST.search(text) for text in (file.before, file.after))


def _read(file: FileChange) -> ReadFile | str:
    if (file.before is None and file.change != "added") or (file.after is None and file.change != "deleted"):
        return f"the whole text of {file.path} is not known, so that its tests were not compared"
    if max(len(file.before or ""), len(file.after or "")) > _LARGEST:
        return f"{file.path} is too large to be compared"
    try:
        before, after = read(file.path, file.before), read(file.path, file.after)
    except RecursionError:
        return f"{file.path} is nested too deeply to be compared"
    if before is None or after is None:
        return f"{file.path} does not parse {'before' if before is None else 'after'} the change, so that its tests were not compared"
    return ReadFile(file, before, after)


def _told(change: Change, signs: Sequence[Sign]) -> tuple[tuple[Problem, ...], int]:
    problems: list[Problem] = []
    suppressed = 0
    for file in change.files:
        own = [_problem(sign) for sign in signs if sign.path == file.path]
        said = suppressions_in(file.path, file.after) if file.after is not None else ()
        told = split(own, said)
        added = {line.line for line in file.added_lines}
        idle = [each for each in told.unused if each.line in added]
        problems += (*told.kept, *unused_problems(file.path, idle, by_id().__contains__))
        suppressed += len(told.suppressed)
    return tuple(problems), suppressed


def _problem(sign: Sign) -> Problem:
    rule = by_id()[sign.rule]
    return Problem(
        path=sign.path,
        line=sign.line,
        severity=_quieter(rule.severity, sign.quiet),
        rule=sign.rule,
        message=sign.message,
        suggestion=rule.advice,
        evidence=sign.evidence,
    )


def _quieter(severity: Severity, steps: int) -> Severity:
    return SEVERITIES[min(SEVERITIES.index(severity) + steps, len(SEVERITIES) - 1)]
