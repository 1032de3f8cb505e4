"""Running Python's tests with mutants in them: what is sent along, and how the answer reads."""

import functools
import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, get_args

import attrs

from verify_lsp.model.command import RESULTS, Command, CommandResult
from verify_lsp.model.mutant import (
    TRIAL_FACTOR,
    TRIAL_LEAST_S,
    Mutant,
    MutantResult,
    MutantStatus,
    MutationOrder,
    MutationRun,
    counted_text,
)
from verify_lsp.toolchains.base import MutationStep, Project
from verify_lsp.toolchains.output import head
from verify_lsp.toolchains.own_home import in_own_home
from verify_lsp.toolchains.python.testing.request import HOOKED, REQUEST, as_support, injected, request, support

REPORT = "mutants.json"

_SPREAD = "the tests ran in several processes"
_ORDER = "verify_lsp_order.json"
_CHILDREN = "mutants-in-children.txt"


def mutated_command(project: Project, command: Command, order: MutationOrder) -> Command:
    """Return the command of a suite with mutants in the code that it runs, all of them off."""
    request = {**json.loads(command.support[REQUEST]), "mutation": True}
    support = {
        **command.support,
        "sitecustomize.py": injected("verify_lsp_site"),
        REQUEST: as_support(request),
        _ORDER: as_support(_sent(project, order)),
    }
    # A run inside of another's must not take the other's mutant for its own.
    return attrs.evolve(command, support=support, env={**command.env, "VERIFY_LSP_MUTANT": "", "VERIFY_LSP_CANARY": ""})


def custom_mutation(project: Project, command: Command, order: MutationOrder) -> MutationStep:
    """Return the step of a test command that somebody else composed: every Python that it starts knows the mutants."""
    asked = attrs.evolve(command, support=support(request(project, None)), env=HOOKED)
    with_mutants = mutated_command(project, asked, order)
    return MutationStep(
        command=with_mutants,
        read=functools.partial(read_reached, order=order),
        alone=lambda position: chosen(with_mutants, position),
        canary=lambda position: chosen(with_mutants, position, canary=True),
    )


def read_reached(result: CommandResult, order: MutationOrder) -> MutationRun:
    """Return which mutants must be tried alone, after a run of which we know only what its processes reached."""
    words = result.files.get(_CHILDREN, "").split()
    told = {int(word) for word in words if word.lstrip("-").isdecimal()}
    loaded = {order.mutants[-number - 1].path for number in told if -len(order.mutants) <= number < 0}
    reached = {position for position, _ in enumerate(order.mutants) if position + 1 in told}
    alone = {position for position, mutant in enumerate(order.mutants) if mutant.at_import and mutant.path in loaded}
    missed = {position for position in range(len(order.mutants)) if position not in reached | alone}
    return MutationRun(
        results={position: MutantResult(order.mutants[position], "no-coverage", tests=0) for position in missed},
        alone=tuple(sorted(reached | alone)),
        unreached={
            mutant.path: "no process that the test command starts was seen to load it"
            for mutant in order.mutants
            if mutant.path not in loaded
        },
    )


def chosen(command: Command, position: int, *, arguments: tuple[str, ...] = (), canary: bool = False) -> Command:
    """Return the command with one mutant on, in a home of its own."""
    environment = {
        **command.env,
        "VERIFY_LSP_MUTANT": str(position + 1),
        "HYPOTHESIS_STORAGE_DIRECTORY": f"{RESULTS}/zz-hypothesis",
    }
    if canary:
        environment["VERIFY_LSP_CANARY"] = "file"
    return in_own_home(attrs.evolve(command, argv=(*command.argv, *arguments), env=environment))


def read_mutants(result: CommandResult, order: MutationOrder) -> MutationRun:
    """Return what became of the mutants of `order` in a run that tried them."""
    try:
        report = json.loads(result.files.get(REPORT, ""))
        return _run(report, order)
    except (ValueError, KeyError, TypeError, AttributeError):
        return MutationRun(stopped="the run of the tests left no word about its mutants")


def _run(report: Mapping[str, Any], order: MutationOrder) -> MutationRun:
    results = {
        int(number) - 1: _result(order.mutants[int(number) - 1], told) for number, told in report["results"].items()
    }
    return MutationRun(
        results=results,
        alone=tuple(int(number) - 1 for number in report["alone"]),
        read_again=tuple(int(number) - 1 for number in report["read_again"]),
        stopped=None if report["stopped"] is None else head(str(report["stopped"])),
        spread=report["stopped"] == _SPREAD,
        uncertain=_texts(report["uncertain"]),
        keys={int(number) - 1: str(key) for number, key in report["keys"].items()},
        unreached={PurePosixPath(path).as_posix(): head(str(why)) for path, why in report["unreached"].items()},
    )


def _result(mutant: Mutant, told: Mapping[str, Any]) -> MutantResult:
    status: MutantStatus = told["status"]
    if status not in get_args(MutantStatus):
        raise ValueError(status)
    killed_by, reason = told.get("killed_by"), told.get("reason")
    return MutantResult(
        mutant,
        status,
        tests=told.get("tests"),
        killed_by=None if killed_by is None else head(str(killed_by), 200),
        reason=None if reason is None else head(str(reason), 300),
        covered_by=_texts(told.get("covered_by", ())),
    )


def _texts(items: Iterable[Any]) -> tuple[str, ...]:
    return tuple(head(str(item), 200) for item in items)


def _sent(project: Project, order: MutationOrder) -> dict[str, Any]:
    """Mutants are numbered by their places in the list, from 1."""
    names = ("path", "line", "column", "end_line", "end_column", "replacement", "scope", "at_import")
    met = {fate.get("of") for fate in order.known.values()}
    return {
        "place": str(project.folder),
        "limit_s": order.limit_s,
        "factor": TRIAL_FACTOR,
        "least_s": TRIAL_LEAST_S,
        "files": {path: _digest(text) for path, text in order.texts.items()},
        "mutants": [
            {**{name: getattr(mutant, name) for name in names}, "met": mutant.identity in met}
            for mutant in order.mutants
        ],
        "known": dict(order.known),
    }


def _digest(text: str) -> str:
    """As the process that runs the tests sees the text."""
    return hashlib.sha256(counted_text(text).encode("utf-8", "surrogatepass")).hexdigest()
