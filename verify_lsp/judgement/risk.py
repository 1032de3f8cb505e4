"""How much a mistake in this change would cost, and why: 0, 1 or 2, with a plain reason for every step up."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname

import attrs

from verify_lsp.judgement.files.behaviour import behavioural_lines, cannot_be_read
from verify_lsp.judgement.files.declared_tests import count_tests, declares_tests
from verify_lsp.judgement.files.file_kinds import LOCK_FILES, is_code, is_generated, is_lock_file, is_test, is_vendored
from verify_lsp.judgement.files.manifests import new_dependencies
from verify_lsp.judgement.files.protected import protected_class
from verify_lsp.judgement.globs import matches_any
from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import CheckKind, Finding
from verify_lsp.model.report import Check, RiskTier
from verify_lsp.settings.settings import Settings

_LARGE_LINES = 400
_VERY_LARGE_LINES = 800
_MANY_FILES = 20
_FEWEST_MUTANTS = 5
_LOW_MUTATION_SCORE = 0.6
_LOW_COVERAGE = 0.5
_NAMED = 5
_REASON_LIMIT = 400


def risk_tier(
    change: Change,
    checks: Sequence[Check],
    settings: Settings,
    *,
    protected_before: tuple[str, ...] = (),
    unverified: tuple[str, ...] | None = None,
) -> tuple[RiskTier, tuple[str, ...]]:
    """Return the tier of a change and the reasons for it, the gravest first.

    What was not verified is added to the reasons and never lowers the tier, as a check that did not look found no
    danger and no safety either.

    Args:
        change: What was verified.
        checks: The checks, ended.
        settings: Those that hold; their `protected_paths` add to the built-in classes.
        protected_before: The protected paths as the base had them, so that a change cannot shrink the list.
        unverified: What stays unverified, see `facts.unverified`; None to tell it from the checks alone.
    """
    by_kind = {check.kind: check for check in checks}
    globs = (*settings.protected_paths, *protected_before)
    acting = {file.path: _Acting.of(file) for file in change.files}
    grave = (*_protected(change, acting, globs), *_lock_files(change, acting), *_missing(by_kind), *_critical(by_kind))
    raised = (
        *_size(change, acting),
        *_failed_tests(by_kind),
        *_new_dependencies(change, by_kind),
        *_deleted_tests(change),
        *_errors(checks),
        *_unnoticed(by_kind),
    )
    tier: RiskTier = 2 if grave else 1 if raised else 0
    gaps = _gaps(checks) if unverified is None else unverified
    reasons = (one_line(reason, _REASON_LIMIT) for reason in (*grave, *raised, *gaps))
    return tier, tuple(dict.fromkeys(reasons))


@attrs.frozen
class _Acting:
    """Whether a changed file can change behaviour, and by how many lines; found out once, as it may need a parser."""

    acts: bool
    lines: int

    @classmethod
    def of(cls, file: FileChange) -> "_Acting":
        lines = len(behavioural_lines(file))
        return cls(lines > 0 or cannot_be_read(file), lines)


def _protected(change: Change, acting: Mapping[str, _Acting], globs: tuple[str, ...]) -> Iterator[str]:
    """One reason a file, a few files a class; the rest of a class is counted."""
    classes: dict[str, list[str]] = defaultdict(list)
    for file in change.files:
        if matches_any(file.path, globs) or (file.old_path and matches_any(file.old_path, globs)):
            classes["is on this workspace's list of protected paths"].append(_named(file))
        elif protected := protected_class(file, acts=acting[file.path].acts):
            classes[protected.about].append(_named(file))
    for about, names in classes.items():
        yield from (f"{name} {about}" for name in names[:_NAMED])
        if len(names) > _NAMED:
            yield f"{_count(len(names) - _NAMED, 'more file')} of the same kind: each {about}"


def _named(file: FileChange) -> str:
    return f"{file.path} (before: {file.old_path})" if file.change == "renamed" and file.old_path else file.path


def _lock_files(change: Change, acting: Mapping[str, _Acting]) -> Iterator[str]:
    code = next((file.path for file in change.files if is_code(file.path) and acting[file.path].acts), None)
    for file in change.files:
        if not is_lock_file(file.path):
            continue
        if not _has_manifest(file.path, change):
            yield f"{file.path} says which packages get installed, and changed without the file it is made from"
        elif code:
            yield f"{file.path} says which packages get installed, and changed together with code such as {code}"


def _has_manifest(lock: str, change: Change) -> bool:
    """A workspace's lock file is made from the manifests of its members as well."""
    folder = dirname(lock)
    below = folder + "/" if folder else ""
    names = LOCK_FILES[basename(lock)]
    return any(basename(file.path) in names and file.path.startswith(below) for file in change.files)


def _missing(by_kind: Mapping[CheckKind, Check]) -> Iterator[str]:
    check = by_kind.get("dependencies")
    if check is None:
        return
    missing = check.metrics.get("missing")
    critical = [finding for finding in check.findings if _is_new_and_critical(finding)]
    if critical:
        yield from (
            f"{_where(finding)} asks for a package in doubt: {finding.message}" for finding in critical[:_NAMED]
        )
    elif missing:
        yield f"{_count(int(missing), 'new package')} could not be found where packages come from"


def _critical(by_kind: Mapping[CheckKind, Check]) -> Iterator[str]:
    check = by_kind.get("security")
    critical = [finding for finding in check.findings if _is_new_and_critical(finding)] if check else []
    yield from (f"{_where(finding)} matches a critical security rule ({finding.rule})" for finding in critical[:_NAMED])
    if len(critical) > _NAMED:
        yield f"{_count(len(critical) - _NAMED, 'more place')} match critical security rules"


def _is_new_and_critical(finding: Finding) -> bool:
    return finding.severity == "critical" and not finding.preexisting


def _where(finding: Finding) -> str:
    return f"{finding.path} line {finding.line}" if finding.path else "The change"


@attrs.frozen
class _Size:
    """How much of a change is people's work, and how many lines are not."""

    lines: int
    files: int
    left_out: int


def _size(change: Change, acting: Mapping[str, _Acting]) -> Iterator[str]:
    size = _measure(change, acting)
    aside = (
        f"; {_count(size.left_out, 'line')} of generated, vendored or lock files not counted" if size.left_out else ""
    )
    if size.lines > _LARGE_LINES:
        bound = _VERY_LARGE_LINES if size.lines > _VERY_LARGE_LINES else _LARGE_LINES
        word = "very large" if bound == _VERY_LARGE_LINES else "large"
        yield f"the change is {word}: {size.lines} lines that can change behaviour, more than {bound}{aside}"
    if size.files > _MANY_FILES:
        yield f"the change touches {size.files} files, more than {_MANY_FILES}{aside}"


def _measure(change: Change, acting: Mapping[str, _Acting]) -> _Size:
    own = [file for file in change.files if not _is_made_elsewhere(file)]
    others = [file for file in change.files if _is_made_elsewhere(file)]
    return _Size(
        lines=sum(acting[file.path].lines for file in own),
        files=len(own),
        left_out=sum(len(file.added_lines) + len(file.removed_lines) for file in others),
    )


def _is_made_elsewhere(file: FileChange) -> bool:
    return is_lock_file(file.path) or is_vendored(file.path) or is_generated(file)


def _failed_tests(by_kind: Mapping[CheckKind, Check]) -> Iterator[str]:
    check = by_kind.get("tests")
    if check is None or check.status != "fail":
        return
    failed = check.metrics.get("failed_new") or check.metrics.get("failed")
    yield f"{_count(int(failed), 'test')} failed" if failed else f"the tests failed: {check.summary}"


def _new_dependencies(change: Change, by_kind: Mapping[CheckKind, Check]) -> Iterator[str]:
    named = [(file.path, names) for file in change.files if (names := new_dependencies(file))]
    for path, names in named:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"{path} asks for packages it did not ask for before: {', '.join(names[:_NAMED])}{more}"
    check = by_kind.get("dependencies")
    counted = check.metrics.get("deps") if check else None
    if counted and not named:
        yield f"the change uses {_count(int(counted), 'package')} that it did not use before"


def _deleted_tests(change: Change) -> Iterator[str]:
    deleted = {file.path for file in change.files if file.change == "deleted"}
    for count in count_tests(change):
        fewer = count.removed - count.added
        if fewer > 0 and count.path in deleted:
            yield f"{count.path} was deleted, and with it {_count(fewer, 'test')}"
        elif fewer > 0:
            yield f"{count.path} has {_count(fewer, 'test')} fewer than before"
    for path in sorted(deleted):
        # Tests that are not told one by one: the file is all there is to go by.
        if is_test(path) and is_code(path) and not declares_tests(path):
            yield f"{path}, a file of the tests, was deleted"


def _errors(checks: Sequence[Check]) -> Iterator[str]:
    for check in checks:
        if check.status == "error":
            yield f"the check {check.kind} did not work, so that what it looks at stays unverified"


def _unnoticed(by_kind: Mapping[CheckKind, Check]) -> Iterator[str]:
    """Lines that tests do not reach, or reach without noticing a fault in them."""
    mutation, tests = by_kind.get("mutation"), by_kind.get("tests")
    if mutation is not None:
        score = mutation.metrics.get("score")
        counted = [mutation.metrics.get(name) for name in ("killed", "survived", "no_coverage")]
        mutants = sum(int(count or 0) for count in counted)
        if score is not None and score < _LOW_MUTATION_SCORE and (mutants >= _FEWEST_MUTANTS or not mutants):
            of = f", of {mutants} tried" if mutants else ""
            yield f"the tests notice {score:.0%} of the faults put into changed lines{of}; less than {_LOW_MUTATION_SCORE:.0%}"
    for check in (tests, mutation):
        covered = check.metrics.get("changed_line_coverage") if check else None
        if covered is not None and covered < _LOW_COVERAGE:
            yield f"the tests reach {covered:.0%} of the changed lines; less than {_LOW_COVERAGE:.0%}"


def _gaps(checks: Sequence[Check]) -> Iterator[str]:
    for check in checks:
        if check.status in {"skipped", "error"}:
            yield f"not verified: {check.kind}, because {check.reason or check.summary}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
