"""How Go tests are tried with mutants: laid over the files by `go -overlay`, so that nothing is written beside them."""

import json
import os
import re
import signal
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.testrun import TestRun
from verify_lsp.toolchains.base import BuiltIn, Project
from verify_lsp.toolchains.go.module import go_environment, module_path, package_folder, reading_flags
from verify_lsp.toolchains.go.noted import FOLDER, reaching_tests, surely_reached, up_to
from verify_lsp.toolchains.go.noting_tests import importing, noting
from verify_lsp.toolchains.go.reaching import go_files, packages_that_reach
from verify_lsp.toolchains.go.settings import build_cache, go_setting, gopath, module_cache, settings_file
from verify_lsp.toolchains.go.switch_package import PACKAGE, SOURCE
from verify_lsp.toolchains.go.trial_output import HEADLINE, is_trial, read_trial

_KEEP = "keep.sh"
_PROGRAM = "mutants.test"
_TIMES = "times"
_LONGEST_PATTERN = 100_000


def built_in_mutants(
    project: Project, room: Path, timeout_s: float, parse: Callable[[CommandResult], TestRun]
) -> BuiltIn:
    """Return how mutants are tried in a module that `takes_overlay` speaks for.

    Args:
        room: The absolute private folder that holds texts and test programs.
        parse: Reads the whole suite's `go test -json`.
    """
    module = module_path(project.folder) or ""
    mutants = _Mutants(project, room.resolve(), module, timeout_s, packages_that_reach(project, module))
    tests = cache(mutants.tests)
    return BuiltIn(
        files=lambda texts: mutants.files(texts, tests()),
        build=(mutants.go("list", "-test", "-export", *reading_flags(), *mutants.packages),),
        blamed=mutants.blamed,
        survey=mutants.survey(),
        shown=mutants.go("test", *mutants.packages),
        reached=lambda result: reaching_tests(result, mutants.folder, module),
        counted=surely_reached,
        trial=mutants.trial,
        before=up_to,
        spent=lambda result: is_trial(result) and result.exit_code in _ENDED_FOR_TIME,
        parse=lambda result: read_trial(result) if is_trial(result) else parse(result),
    )


def blamed_places(result: CommandResult, folder: Path, bases: Iterable[Path]) -> tuple[tuple[str, int], ...]:
    """Return the places (path, line) that the compiler complains about, relative to the first base that holds them.

    Args:
        folder: Absolute; what is printed is relative to it. Like `bases`, without links in it.
    """
    found = re.findall(r"^(?:vet: )?(\S[^\n]*?\.go):(\d+)(?::\d+)?: ", result.stdout + result.stderr, re.MULTILINE)
    places = ((printed, (folder / printed).resolve(), int(line)) for printed, line in found)
    return tuple(dict.fromkeys((_relative(path, bases) or printed, line) for printed, path, line in places))


def _relative(path: Path, bases: Iterable[Path]) -> str | None:
    return next((path.relative_to(base).as_posix() for base in bases if path.is_relative_to(base)), None)


@attrs.frozen
class _Mutants:
    project: Project
    room: Path
    module: str
    timeout_s: float
    packages: tuple[str, ...]

    @property
    def folder(self) -> Path:
        return self.project.folder.resolve()

    def files(self, texts: Mapping[str, str], tests: Mapping[Path, str]) -> dict[Path, str]:
        """Return the room's files: each text, the switch package, and what tells Go where they belong."""
        switch = f"{self.module}/{PACKAGE}"
        sources = {self.folder / path: importing(text, switch) for path, text in texts.items()}
        laid = {**tests, **sources, self.folder / PACKAGE / "switch.go": SOURCE}
        places = {file: self._laid / file.relative_to(self.folder) for file in laid}
        replaced = {str(file): str(place) for file, place in places.items()}
        return {
            **{places[file]: text for file, text in laid.items()},
            self._overlay: json.dumps({"Replace": replaced}),
            self.room / _KEEP: _keep(self._programs),
            self._temporary / ".verify-lsp": "",
        }

    def tests(self) -> dict[Path, str]:
        """Return the module's test files that hold tests, each noting when its tests begin and end."""
        found = {}
        for file in go_files(self.folder):
            if not file.name.endswith("_test.go"):
                continue
            try:
                text = noting(file.read_text(encoding="utf-8"), f"{self.module}/{PACKAGE}")
            except (OSError, UnicodeDecodeError):
                continue
            if text is not None:
                found[file] = text
        return found

    def go(self, *words: str, **variables: str) -> Command:
        """Return a command of Go's, over the files of the room."""
        environment = {**self._environment(), **variables}
        return Command(("go", *words), self.project.root, environment, self.timeout_s)

    def survey(self) -> Command:
        """Return the whole suite; each test program is kept, and notes what it reaches."""
        keep = f"sh '{self.room / _KEEP}'"
        words = ("test", "-json", "-vet=off", "-count=1", "-exec", keep, *reading_flags(), *self.packages)
        command = self.go(*words, VERIFY_LSP_REACH=f"{RESULTS}/{FOLDER}", VERIFY_LSP_MUTANT="")
        return attrs.evolve(command, support={f"{FOLDER}/.verify-lsp": ""})

    def trial(self, number: int, tests: tuple[str, ...]) -> tuple[Command, ...]:
        """Return the kept programs of these tests; where none are named, the whole suite."""
        if not tests:
            words = ("test", "-json", "-vet=off", "-count=1", "-failfast", *reading_flags(), *self.packages)
            return (self.go(*words, VERIFY_LSP_MUTANT=str(number)),)
        by_package: dict[str, list[str]] = {}
        for test in tests:
            package, _, name = test.rpartition(".")
            by_package.setdefault(package, []).append(name)
        return tuple(self._program(number, package, names) for package, names in by_package.items())

    def blamed(self, result: CommandResult) -> tuple[tuple[str, int], ...]:
        """Return the places in the texts that the compiler complains about."""
        return blamed_places(result, self.folder, (self._laid, self.folder))

    def _program(self, number: int, package: str, names: list[str]) -> Command:
        sub = package_folder(package, self.module) or "."
        folder = self.folder / sub
        pattern = f"^({'|'.join(names)})$"
        kept = self._programs / folder.relative_to("/")
        words = (
            f"{kept}/{_PROGRAM}",
            "-test.v=test2json",
            "-test.failfast",
            "-test.paniconexit0",
            "-test.timeout=10m0s",
            *_test_flags(go_setting("GOFLAGS")),
            f"-test.run={pattern if len(pattern) < _LONGEST_PATTERN else '.'}",
        )
        environment = {**self._environment(), "VERIFY_LSP_MUTANT": str(number), "PWD": str(folder)}
        below = self.project.root if sub == "." else f"{self.project.root}/{sub}"
        start = ("sh", "-c", _LIMITED, f"{kept}/{_TIMES}", HEADLINE + package)
        return Command((*start, *words), below, environment, self.timeout_s)

    def _environment(self) -> dict[str, str]:
        """Return the variables under which Go, and what tests start of it, sees the room's files and finds its caches.

        The tests may have a home of their own.
        """
        flags = f"{go_setting('GOFLAGS')} '-overlay={self._overlay}'".strip()
        return {
            **go_environment(self.project),
            "GOFLAGS": flags,
            "GOCACHE": str(build_cache()),
            "GOMODCACHE": str(module_cache()),
            "GOPATH": str(gopath()),
            "GOENV": settings_file(),
            "PWD": str(self.folder),
            **({} if go_setting("GOTMPDIR") else {"GOTMPDIR": str(self._temporary)}),
        }

    @property
    def _programs(self) -> Path:
        return self.room / "programs"

    @property
    def _overlay(self) -> Path:
        return self.room / "overlay.json"

    @property
    def _temporary(self) -> Path:
        """Where Go builds: what it cannot clear away, because it was ended, goes with the room."""
        return self.room / "tmp"

    @property
    def _laid(self) -> Path:
        return self.room / "laid"


def _test_flags(flags: str) -> list[str]:
    """Return what of the user's flags `go test` hands on to test programs, as these call it."""
    found = re.findall(r"(?:^|\s)['\"]?--?((?:short|parallel|cpu|skip|timeout)\b(?:=[^\s'\"]+)?)", flags)
    return [f"-test.{flag}" for flag in found]


def _keep(programs: Path) -> str:
    """Return a script that keeps the test program it is to run, by the folder that it runs in, and what time it took."""
    return f"""\
here=$(pwd -P)
kept='{programs}'"$here"
mkdir -p "$kept" || exit 1
ln -f "$1" "$kept/{_PROGRAM}" 2>/dev/null || cp -f "$1" "$kept/{_PROGRAM}" || exit 1
sh -c 'VERIFY_LSP_TOP="$$ $0" exec "$@"' "$here" "$@"
code=$?
times >"$kept/{_TIMES}"
exit $code
"""


_LIMITED = """\
printf "%s\\n" "$1"; shift
seconds() { whole=${1#*m}; whole=${whole%%[.,]*}; echo $((${1%%m*} * 60 + ${whole:-0})); }
if { read -r _ && read -r user system; } <"$0"; then
    limit=$(((`seconds "$user"` + `seconds "$system"` + 1) * 5))
    ulimit -t $limit
fi
exec "$@"
"""
"""Starts a kept program, for which five times the processor's time that it took without a mutant is enough, 5 s at least.

Of a process that goes past it, the system makes an end: Go does not heed the signal that comes before.
"""

_ENDED_FOR_TIME = frozenset({-signal.SIGKILL, -signal.SIGXCPU}) if os.name == "posix" else frozenset[int]()
