"""Test runners that can be told to write a report: how to tell them, and how to run just some tests."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import attrs

from verify_lsp.model.command import RESULTS
from verify_lsp.toolchains.node.testing.reports import (
    SEPARATOR,
    read_jest_report,
    read_mocha_report,
    read_node_report,
)
from verify_lsp.toolchains.node.testing.script import NODE_VALUED
from verify_lsp.toolchains.node.testing.tally import Tally

Version = tuple[int, ...]
Selection = Callable[[tuple[str, ...]], tuple[str, ...] | None]
"""From test ids to the whole argv that runs these and as few others as can be; None where nothing can be chosen."""

BROWSER_RUNNERS = frozenset({"playwright", "cypress", "wdio", "nightwatch", "testcafe", "detox"})
PACKAGES = {"vitest": "vitest", "jest": "jest", "mocha": "mocha", "react-scripts": "react-scripts"}

_JEST_WRAPPERS = frozenset({"react-scripts", "craco", "react-app-rewired", "tsdx", "dts"})
_COVERAGE_WRAPPERS = frozenset({"c8", "nyc"})
_PATTERN_LIMIT = 20_000
_MOCHA_WITH_REPORT_FILE = (9, 2)
_VITEST_SINCE = {"--coverage.enabled=false": (1, 0), "--includeTaskLocation": (3, 0)}


@attrs.frozen
class Invocation:
    """A known runner inside a script.

    Attributes:
        runner: "vitest", "jest", "mocha", "node:test", or the name of one that is run as it is.
        start: The words that start it: `node node_modules/jest/bin/jest.js`, `react-scripts test`.
        rest: Its own options and arguments.
    """

    runner: str
    start: tuple[str, ...]
    rest: tuple[str, ...]

    @property
    def wrapped(self) -> bool:
        """Whether another program starts the runner, and sets it up in its own way: `react-scripts test`."""
        return self.runner == "jest" and len(self.start) == 2 and self.start[1] == "test"


@attrs.frozen
class Plan:
    """How to run a runner so that it writes a report.

    Attributes:
        report: Name of the report in the run's private folder.
        read: Reads the report; paths become relative to the folder given.
    """

    argv: tuple[str, ...]
    report: str
    read: Callable[[str, Path], Tally | None]
    only: Selection
    support: Mapping[str, str] = attrs.field(factory=dict)


def find_invocation(words: tuple[str, ...]) -> Invocation:
    """Tell which runner `words` start. Coverage wrappers go: they would write into the user's tree."""
    words = _without_coverage(words)
    program = _program(words[0])
    match (program, *words[1:]):
        case ("vitest" | "jest" | "mocha" | "_mocha", *_):
            return Invocation(program.removeprefix("_"), words[:1], words[1:])
        case (name, "test", *_) if name in _JEST_WRAPPERS:
            return Invocation("jest", words[:2], words[2:])
        case ("node" | "tsx", *_):
            return _under_node(program, words)
        case _:
            return Invocation(program, words[:1], words[1:])


def plan_for(invocation: Invocation, version: Version | None) -> Plan | None:
    """Return how to get a report out of `invocation`; None when it must run as it is.

    Args:
        version: The runner's version where it is known.
    """
    match invocation.runner:
        case "vitest":
            return _vitest(invocation, version)
        case "jest":
            return _jest(invocation)
        case "mocha":
            return _mocha(invocation) if version is None or version >= _MOCHA_WITH_REPORT_FILE else None
        case "node:test":
            return _node_test(invocation)
        case _:
            return None


def _vitest(invocation: Invocation, version: Version | None) -> Plan | None:
    rest = invocation.rest
    if rest[:1] and rest[0] in {"run", "watch", "dev"}:
        rest = rest[1:]
    elif rest[:1] and rest[0] in {"related", "bench", "list", "init", "typecheck"}:
        return None
    kept = _without(
        rest,
        flags=r"--watch|-w|--no-watch|--run|--ui|--open|--coverage(\.[\w.]+)?",
        valued=r"--reporter|--outputFile(\.\w+)?|--coverage\.(provider|reporter|reportsDirectory|include|exclude)",
    )
    report = "vitest.json"
    options = ["run", "--reporter=default", "--reporter=json", f"--outputFile.json={RESULTS}/{report}"]
    options += [option for option, since in _VITEST_SINCE.items() if version is None or version >= since]
    argv = (*invocation.start, *options, *kept)

    def only(ids: tuple[str, ...]) -> tuple[str, ...] | None:
        if _has_option(kept, "-t", "--testNamePattern"):
            return None
        names, files = _selected(ids)
        pattern = () if names is None else (f"--testNamePattern={names}",)
        return None if names == "" else (*argv, *pattern, *(files if _only_options(kept) else ()))

    return Plan(argv, report, read_jest_report, only)


def _jest(invocation: Invocation) -> Plan:
    kept = _without(
        invocation.rest,
        flags=r"--watch|--watchAll|--no-watch(All)?|--json|--ci|--coverage|--collectCoverage|--notify|-o|--onlyChanged",
        valued=r"--outputFile|--coverageDirectory|--coverageReporters",
    )
    report = "jest.json"
    options = ("--json", f"--outputFile={RESULTS}/{report}", "--testLocationInResults")
    quiet = ("--ci", "--watchAll=false", "--coverage=false")
    argv = (*invocation.start, *options, *quiet, *kept)

    def only(ids: tuple[str, ...]) -> tuple[str, ...] | None:
        if _has_option(kept, "-t", "--testNamePattern"):
            return None
        names, files = _selected(ids)
        pattern = () if names is None else (f"--testNamePattern={names}",)
        by_path = ("--runTestsByPath", *files) if files and _only_options(kept) else ()
        return None if names == "" else (*argv, *pattern, *by_path)

    return Plan(argv, report, read_jest_report, only)


def _mocha(invocation: Invocation) -> Plan:
    kept = _without(
        invocation.rest,
        flags=r"--watch|-w|--parallel-watch",
        valued=r"--reporter|-R|--reporter-options?|-O|--watch-files|--watch-ignore",
    )
    report = "mocha.json"
    argv = (*invocation.start, "--reporter=json", f"--reporter-option=output={RESULTS}/{report}", *kept)

    def only(ids: tuple[str, ...]) -> tuple[str, ...] | None:
        if _has_option(kept, "-g", "--grep", "-f", "--fgrep", "-i", "--invert"):
            return None
        names, _ = _selected(ids)
        return (*argv, f"--grep={names}") if names else None

    return Plan(argv, report, read_mocha_report, only)


def _node_test(invocation: Invocation) -> Plan:
    kept = _without(
        invocation.rest,
        flags=r"--watch|--experimental-test-coverage|--test-coverage-[\w-]+",
        valued=r"--test-reporter|--test-reporter-destination|--watch-path",
    )
    report = "node-test.ndjson"
    options = (
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
        f"--test-reporter={RESULTS}/reporter.mjs",
        f"--test-reporter-destination={RESULTS}/{report}",
    )
    reporter = Path(__file__).with_name("node_reporter.mjs").read_text(encoding="utf-8")
    argv = (*invocation.start, *options, *kept)

    def only(ids: tuple[str, ...]) -> tuple[str, ...] | None:
        if _has_option(kept, "--test-name-pattern", "--test-skip-pattern", "--test-only"):
            return None
        names = _node_names(ids)
        return (*invocation.start, *options, f"--test-name-pattern={names}", *kept) if names else None

    return Plan(argv, report, read_node_report, only, {"reporter.mjs": reporter})


def _under_node(program: str, words: tuple[str, ...]) -> Invocation:
    """Read `node [options] file`: the options up to the file are node's own, or the file is a runner's."""
    at = 1
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--test":
            return Invocation("node:test", words[:1], words[1:])
        at += 2 if words[at] in NODE_VALUED else 1
    script = PurePosixPath(words[at]).parts if at < len(words) else ()
    runner = next((part for part in reversed(script) if _program(part) in {"vitest", "jest", "mocha", "_mocha"}), None)
    if "node_modules" in script and runner is not None:
        return Invocation(_program(runner).removeprefix("_"), words[: at + 1], words[at + 1 :])
    return Invocation(program, words[:1], words[1:])


def _without_coverage(words: tuple[str, ...]) -> tuple[str, ...]:
    if _program(words[0]) not in _COVERAGE_WRAPPERS:
        return words
    runners = {"vitest", "jest", "mocha", "_mocha", "node", "tsx", "ava", "tape", "tap"}
    start = next((at for at, word in enumerate(words) if at and _program(word) in runners), None)
    return words if start is None else words[start:]


def _program(word: str) -> str:
    return re.sub(r"\.(c?js|mjs|cmd|exe)$", "", PurePosixPath(word).name)


def _without(words: tuple[str, ...], *, flags: str, valued: str) -> tuple[str, ...]:
    """Drop options: `flags` take a value only after `=`, `valued` may also take the next word."""
    kept: list[str] = []
    skip_next = False
    for word in words:
        if skip_next and not word.startswith("-"):
            skip_next = False
            continue
        skip_next = re.fullmatch(valued, word) is not None
        if not skip_next and not re.fullmatch(f"(?:{flags}|{valued})(=.*)?", word):
            kept.append(word)
    return tuple(kept)


def _has_option(words: tuple[str, ...], *options: str) -> bool:
    return any(word.partition("=")[0] in options for word in words)


def _only_options(words: tuple[str, ...]) -> bool:
    """Words without a dash may be file patterns, which files of ours would only widen."""
    return all(word.startswith("-") and word != "--" for word in words)


def _selected(ids: tuple[str, ...]) -> tuple[str | None, tuple[str, ...]]:
    """Return a pattern for the full names of `ids`, and their files.

    The pattern is None when a whole file is meant, and empty when there is none that can be given.
    Runners join suites and title with a space, where an id has a separator.
    """
    files = tuple(dict.fromkeys(id_.partition(SEPARATOR)[0] for id_ in ids))
    names = [id_.partition(SEPARATOR)[2] for id_ in ids]
    if not ids:
        return "", ()
    if not all(names):
        return None, files
    pattern = rf"^\s*(?:{'|'.join(dict.fromkeys(map(_name_pattern, names)))})$"
    return (pattern if len(pattern) <= _PATTERN_LIMIT else ""), files


def _node_names(ids: tuple[str, ...]) -> str | None:
    """Return a pattern for the names of `ids`; None where a whole file is meant.

    Node 20 holds a pattern against a test's own name, later versions against the names of its suites as
    well, and a subtest runs only inside of its parent. So the pattern also takes what stands around a test,
    and what runs may be more than what was asked for.
    """
    names: dict[str, None] = {}
    for id_ in ids:
        titles = id_.split(SEPARATOR)[1:]
        if not titles:
            return None
        for depth, title in enumerate(titles):
            around = " ".join(map(_escaped, titles[:depth]))
            names[f"(?:{around} )?{_escaped(title)}" if around else _escaped(title)] = None
    pattern = f"^(?:{'|'.join(names)})$"
    return pattern if names and len(pattern) <= _PATTERN_LIMIT else None


def _name_pattern(name: str) -> str:
    hook = _MOCHA_HOOK.search(name)
    if hook:
        return _escaped(name[: hook.start()]) + ".*"
    return f"(?: |{SEPARATOR})".join(map(_escaped, name.split(SEPARATOR)))


_MOCHA_HOOK = re.compile(r' ?"(?:before|after) (?:all|each)" hook\b.*$')


def _escaped(text: str) -> str:
    """Escape for JavaScript, which does not know all of Python's escapes; `/` ends node's patterns."""
    return re.sub(r"[.*+?^${}()|\[\]\\/]", r"\\\g<0>", text)
