"""What to type so that a runner runs some test files only, up to the first failure, with mutants in the code."""

import re
from pathlib import Path

import attrs

from verify_lsp.toolchains.node.testing.runners import Invocation, Plan, Version
from verify_lsp.toolchains.node.testing.script import NODE_VALUED

_AT_ONCE = 4
"""Files of node:test in one command: they run beside each other, and the next command waits for all of them."""

_VITEST_WITH_TYPECHECK_SWITCH = (1, 0)


@attrs.frozen
class TrialArgv:
    """The words of a runner for runs with mutants.

    Attributes:
        whole: The whole suite, to its end.
        first_failure: Options that stop a run at its first failure.
        files: How files are named: behind this word; None where single files cannot be named.
        base: What the names are put behind, where that is not `whole`.
        at_once: How many files go into one command.
        known: Whether the words are those of a runner that we know, which nothing else sets up.
    """

    whole: tuple[str, ...]
    first_failure: tuple[str, ...] = ()
    files: tuple[str, ...] | None = None
    base: tuple[str, ...] = ()
    at_once: int = 10_000
    known: bool = False

    def of(self, files: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        """Return commands, to be run in turn, for test files (absolute); none named is the whole suite."""
        stopping = (*self.whole, *self.first_failure)
        if not files or self.files is None:
            return (stopping,)
        base = (*self.base, *self.first_failure) if self.base else stopping
        starts = range(0, len(files), self.at_once)
        return tuple((*base, *self.files, *files[start : start + self.at_once]) for start in starts)


def trial_argv(invocation: Invocation, plan: Plan, version: Version | None, folder: Path) -> TrialArgv:
    """Return the words for one runner.

    Args:
        version: The runner's, where it is known.
        folder: Absolute and private; caches go there.
    """
    return attrs.evolve(_words(invocation, plan, version, folder), known=not invocation.wrapped)


def _words(invocation: Invocation, plan: Plan, version: Version | None, folder: Path) -> TrialArgv:
    named = _only_options(invocation.rest)
    match invocation.runner:
        case "vitest":
            return TrialArgv(_quick(plan.argv, version), ("--bail=1",), () if named else None)
        case "jest":
            # Where jest bails out it writes no report.
            whole = (*plan.argv, f"--cacheDirectory={folder}/jest")
            return TrialArgv(whole, (), ("--runTestsByPath",) if named else None)
        case "mocha":
            # All files are loaded into one process, so that one file's tests may hang on what another's did.
            return TrialArgv(plan.argv, ("--bail",))
        case _:
            base = _without_patterns(plan.argv)
            return TrialArgv(plan.argv, files=() if base else None, base=base or (), at_once=_AT_ONCE)


def _quick(argv: tuple[str, ...], version: Version | None) -> tuple[str, ...]:
    """Leave out what no trial is the place for: types, and where tests stand, which takes as long as they do."""
    kept = tuple(word for word in argv if not re.fullmatch(r"--typecheck(\.[\w.]+)?(=.*)?|--includeTaskLocation", word))
    newer = version is None or version >= _VITEST_WITH_TYPECHECK_SWITCH
    return (*kept, "--typecheck.enabled=false") if newer else kept


def _without_patterns(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return node's words without names of test files; None where a word cannot be told from one."""
    kept, value_follows = list[str](), False
    for at, word in enumerate(argv):
        if at == 0 or value_follows or word.startswith("-"):
            kept.append(word)
        value_follows = at > 0 and not value_follows and word in NODE_VALUED
        if word in _UNCLEAR:
            return None
    return tuple(kept)


_UNCLEAR = frozenset({"--", "--test-concurrency", "--test-timeout", "--test-shard", "--test-name-pattern"})


def _only_options(words: tuple[str, ...]) -> bool:
    return all(word.startswith("-") and word != "--" for word in words[_subcommand(words) :])


def _subcommand(words: tuple[str, ...]) -> int:
    return 1 if words[:1] and words[0] in {"run", "watch", "dev"} else 0
