"""Settings of the tools that check: thresholds that sank, tests that are left out, rules that were switched off."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from verify_lsp.integrity.sign import Sign
from verify_lsp.judgement.globs import matches_any
from verify_lsp.model.change import Change, FileChange

_CONFIGURATIONS = (
    *(
        "pyproject.toml",
        "setup.cfg",
        ".coveragerc",
        "pytest.ini",
        "tox.ini",
        "noxfile.py",
        "conftest.py",
        ".nycrc*",
        ".c8rc*",
    ),
    *("{jest,vitest,vite,karma,playwright,cypress}.config.*", "package.json", "{.,}codecov.{yml,yaml}", ".mocharc*"),
    *(".github/workflows/**", ".gitlab-ci*", "{Makefile,makefile,GNUmakefile}", "{.,}justfile", "tsconfig*.json"),
    *(
        "{.,}mypy.ini",
        "pyrightconfig.json",
        ".eslintrc*",
        "eslint.config.*",
        "{.,}ruff.toml",
        ".golangci.*",
        "Cargo.toml",
    ),
    *("nextest.toml", "vitest.workspace.*", "ava.config.*", ".taprc"),
)
_THRESHOLD = re.compile(
    r"(?P<key>fail[_-]under(?:[_-]lines)?|minimum_coverage|coverage_threshold)[\"']?\s*[=:\s]\s*[\"']?(?P<value>\d+(?:\.\d+)?)"
)
_METRIC = re.compile(r"\b[\"']?(?P<key>branches|functions|lines|statements)[\"']?\s*:\s*(?P<value>\d+(?:\.\d+)?)")
_METRIC_AREA = re.compile(r"coverageThreshold|thresholds|check-coverage|checkCoverage|\.nycrc|\.c8rc")
_TARGET = re.compile(r"^\s*(?P<key>target)\s*:\s*(?P<value>\d+(?:\.\d+)?)%?", re.MULTILINE)
_LEFT_OUT = re.compile(
    r"(?<![\w-])(?:-k[ =]+[\"'\\]*not\b|--deselect\b|--ignore(?:-glob)?[ =]|-m[ =]+[\"'\\]*not\b|collect_ignore(?:_glob)?\b"
    r"|testPathIgnorePatterns|testNamePattern|--testPathIgnorePatterns|-skip[ =]|-- --skip\b|--skip[ =]\w)"
)
_BOOLEAN = re.compile(
    r"^\s*[\"']?(?P<key>strict\w*|noImplicit\w+|noUnused\w+|noUnchecked\w+|disallow_\w+|check_untyped_defs|warn_\w+|xfail_strict|fail_on_\w+|failOnWarning)"
    r"[\"']?\s*[=:]\s*(?P<value>true|false)\b",
    re.IGNORECASE | re.MULTILINE,
)
_IGNORES = re.compile(
    r"^\s*(?P<key>ignore_errors|passWithNoTests)[\"']?\s*[=:]\s*(?P<value>true)\b", re.IGNORECASE | re.MULTILINE
)
_RULE = re.compile(r"[\"'](?P<key>@?[\w/-]+)[\"']\s*:\s*\[?\s*[\"']?(?P<value>error|warn|off|0|1|2)\b")
_HOOK = re.compile(
    r"^\s*def (?P<name>pytest_(?:collection_modifyitems|ignore_collect|runtest_makereport|report_teststatus|sessionfinish|runtest_call))\("
)
_OUTCOME = re.compile(
    r"mark\.(?:skip|xfail)|items\[:\]|items\.(?:remove|clear)|deselect|outcome\s*=|exitstatus\s*=|return True|passed"
)
_OMITTED = re.compile(
    r"^\s*[\"']?(?P<key>omit|coveragePathIgnorePatterns|exclude_also|exclude_lines)[\"']?\s*[=:]", re.MULTILINE
)
_KEY = re.compile(r"^\s*(?:\"(?P<quoted>\w+)\"\s*:|(?P<key>[\w.-]+)\s*=)")
_LEVELS = {"off": 0.0, "0": 0.0, "warn": 1.0, "1": 1.0, "error": 2.0, "2": 2.0, "false": 0.0, "true": 1.0}


def is_configuration(path: str) -> bool:
    """Say whether a file holds settings of tools that check."""
    return matches_any(path, _CONFIGURATIONS)


def relaxed(change: Change) -> Iterator[Sign]:
    """Yield the signs of all files of settings. A setting that moved to another file is none."""
    files = [file for file in change.files if is_configuration(file.path) and not file.binary]
    for file in files:
        if file.before is None or file.after is None:
            continue
        others = "\n".join(other.after or "" for other in files if other is not file)
        yield from _sunk(file, file.before, file.after, others)
        yield from _uncounted(file, file.before, file.after)
        yield from _left_out(file)
        yield from _switched_off(file, file.before, file.after)
    for file in files:
        if file.path.rpartition("/")[2] == "conftest.py":
            yield from _hooked(file)


def _hooked(file: FileChange) -> Iterator[Sign]:
    before = file.before or ""
    for line in file.added_lines:
        found = _HOOK.match(line.text)
        if found is None or found["name"] in before:
            continue
        following = "\n".join((file.after or "").split("\n")[line.line : line.line + 30])
        if _OUTCOME.search(following.partition("\ndef ")[0]):
            message = f"`{found['name']}` decides now which tests run, or what their outcome is."
            yield Sign("integrity.runner-hooked", file.path, line.line, message, line.text.strip()[:110])


def _sunk(file: FileChange, before: str, after: str, others: str) -> Iterator[Sign]:
    patterns = [_THRESHOLD]
    if _METRIC_AREA.search(before + file.path):
        patterns.append(_METRIC)
    if "codecov" in file.path:
        patterns.append(_TARGET)
    for pattern in patterns:
        was, now = _values(pattern, before), _values(pattern, after)
        elsewhere = _values(pattern, others)
        for key, values in was.items():
            yield from _lower(file, key, values, now.get(key, []), moved=key in elsewhere)


def _uncounted(file: FileChange, before: str, after: str) -> Iterator[Sign]:
    for found in _OMITTED.finditer(after):
        if not _OMITTED.search(before):
            line = after.count("\n", 0, found.start("key")) + 1
            message = f"Some code is left out of the coverage now: `{found['key']}`."
            yield Sign("integrity.coverage-lowered", file.path, line, message, quiet=1)
            return


def _lower(
    file: FileChange, key: str, was: Sequence[tuple[float, int]], now: Sequence[tuple[float, int]], *, moved: bool
) -> Iterator[Sign]:
    if not now and not moved and max(value for value, _ in was) > 0:
        message = f"The coverage that is asked for is gone: `{key}` was {was[0][0]:g}."
        yield Sign("integrity.coverage-lowered", file.path, 1, message)
    for (old, _), (new, line) in zip(was, now, strict=False):
        if new < old and len(was) == len(now):
            message = f"Less coverage is asked for than before: `{key}` went from {old:g} to {new:g}."
            yield Sign("integrity.coverage-lowered", file.path, line, message)


def _left_out(file: FileChange) -> Iterator[Sign]:
    removed = [line.text for line in file.removed_lines]
    before = sum(len(_LEFT_OUT.findall(text)) for text in removed)
    lines = (file.after or "").split("\n")
    for line in file.added_lines:
        found = _LEFT_OUT.search(line.text[:1_000])
        if found is None:
            continue
        if before > 0:
            before -= 1
            continue
        if (
            _is_option(found.group())
            and not _is_given(lines, line.line)
            and not _extends(line.text, found.group(), removed)
        ):
            # A command that is new may choose its tests.
            continue
        message = f"Some tests are left out of the run now: `{found.group().strip()}`."
        # A marker may be for tests that came with it; a name or a path is of one that was there.
        quiet = int(found.group().startswith("-m"))
        yield Sign("integrity.run-narrowed", file.path, line.line, message, line.text.strip()[:110], quiet)


def _is_option(found: str) -> bool:
    return found.startswith("-")


def _is_given(lines: Sequence[str], number: int) -> bool:
    """Say whether a line belongs to the options that pytest always gets."""
    for above in range(number, max(number - 40, 0), -1):
        key = _KEY.match(lines[above - 1])
        if key is not None:
            return key["key"] == "addopts"
    return False


def _extends(text: str, option: str, removed: Sequence[str]) -> bool:
    """Say whether a line is an older one with an option added to it."""
    head = re.sub(r"\W+", "", text.partition(option)[0])
    return any(len(head) > 3 and re.sub(r"\W+", "", old).startswith(head) for old in removed)


def _switched_off(file: FileChange, before: str, after: str) -> Iterator[Sign]:
    for pattern in (_BOOLEAN, _RULE):
        was, now = _values(pattern, before), _values(pattern, after)
        for key, values in was.items():
            later = now.get(key, [])
            if len(values) != len(later):
                continue
            for (old, _), (new, line) in zip(values, later, strict=True):
                if new < old:
                    message = f"A check is less strict than before: `{key}`."
                    yield Sign("integrity.check-relaxed", file.path, line, message)
    added, had = _values(_IGNORES, after), _values(_IGNORES, before)
    for key, values in added.items():
        if len(values) > len(had.get(key, [])):
            message = f"A check is less strict than before: `{key}` is on now."
            yield Sign("integrity.check-relaxed", file.path, values[-1][1], message)


def _values(pattern: re.Pattern[str], text: str) -> dict[str, list[tuple[float, int]]]:
    found: dict[str, list[tuple[float, int]]] = defaultdict(list)
    for match in pattern.finditer(text[:400_000]):
        value = match["value"].lower()
        number = _LEVELS[value] if pattern in {_BOOLEAN, _RULE, _IGNORES} else float(value)
        found[match["key"]].append((number, text.count("\n", 0, match.start("key")) + 1))
    return found
