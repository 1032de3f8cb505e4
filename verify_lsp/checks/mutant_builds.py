"""Putting mutants into the texts of a room, all that fit together or one by itself, and building them."""

from collections.abc import Mapping, Sequence

import attrs

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.mutant_room import MutantRoom
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import Mutant
from verify_lsp.mutation.languages import engine_for
from verify_lsp.mutation.switched import Switched, with_mutant
from verify_lsp.toolchains.base import BuiltIn

_ROUNDS = 4
"""How often a build is made again without the mutants that it complains about."""


class MutantBuilds:
    """The texts of one project, of which the room holds one state at a time.

    Args:
        texts: Of the changed files, by path relative to the project's root.
        mutants: By number.

    Attributes:
        step: How they are built and tried; another way can be put in its place.
        is_broken: Whether what the tests need could not be built without any mutant.
    """

    def __init__(
        self, context: CheckContext, room: MutantRoom, texts: Mapping[str, str], mutants: Mapping[int, Mutant]
    ) -> None:
        self._context = context
        self._room = room
        self.texts = {path: text.replace("\r\n", "\n") for path, text in texts.items()}
        self._mutants = mutants
        self.is_broken = False

    @property
    def step(self) -> BuiltIn:
        """How mutants are built and tried."""
        return self._room.step

    @step.setter
    def step(self, step: BuiltIn) -> None:
        self._room = attrs.evolve(self._room, step=step)

    def switchable(self) -> frozenset[int]:
        """Return the numbers of the mutants that may be built in beside others."""
        apart = {path for path in self.texts if self.step.apart(path)}
        return frozenset(number for number, mutant in self._mutants.items() if mutant.path not in apart)

    async def all_of(self, wanted: frozenset[int]) -> frozenset[int]:
        """Build with as many of these mutants as the language takes together; returns their numbers."""
        all_wanted = wanted
        for _ in range(_ROUNDS):
            switched = {path: self._switched(path, wanted) for path in self.texts}
            wanted = wanted.difference(*(each.left for each in switched.values()))
            failed = await self._with({path: each.text for path, each in switched.items()})
            if failed is None:
                return wanted
            blamed = self._blamed(failed, switched)
            if not blamed:
                break
            wanted -= blamed
        if wanted or blamed:
            failed = await self.none()
        needed = self.step.needed
        if failed is None or needed is None or needed == self.step.build:
            self.is_broken = failed is not None
            return frozenset()
        # What is built to see which mutants compile does not compile without any: it is not what the tests run.
        self.step = attrs.evolve(self.step, build=needed)
        return await self.all_of(all_wanted)

    async def none(self) -> CommandResult | None:
        """Build the texts as they are; returns the first command that failed."""
        return await self._with(self.texts)

    async def only(self, mutant: Mutant) -> CommandResult | None:
        """Build with one mutant in the place of the original; returns the first command that failed."""
        return await self._with({**self.texts, mutant.path: with_mutant(self.texts[mutant.path], mutant)})

    async def spoiled(self, path: str) -> CommandResult | None:
        """Build, as far as tests need it, with an error in the place of a whole file; returns what failed."""
        engine = engine_for(path)
        assert engine is not None  # noqa: S101  # there are no mutants without one
        text = engine.spoiled(self.texts[path]) if engine.spoiled else engine.broken
        return await self._with({**self.texts, path: text}, self.step.needed)

    async def _with(self, texts: Mapping[str, str], commands: Sequence[Command] | None = None) -> CommandResult | None:
        await self._room.write(texts)
        for command in self.step.build if commands is None else commands:
            result = await self._context.run(command, self._room.project.place)
            if result.exit_code != 0:
                return result
        return None

    def _switched(self, path: str, wanted: frozenset[int]) -> Switched:
        inside = {n: mutant for n, mutant in self._mutants.items() if mutant.path == path and n in wanted}
        engine = engine_for(path)
        if engine is None or engine.switched is None or not inside:
            return Switched(self.texts[path], {}, frozenset(inside))
        return engine.switched(self.texts[path], inside)

    def _blamed(self, failed: CommandResult, switched: Mapping[str, Switched]) -> frozenset[int]:
        """Return the mutants that stand where an error does; errors elsewhere may follow from theirs."""
        found = set[int]()
        for path, line in self.step.blamed(failed):
            rows = switched[path].rows if path in switched else {}
            found |= {number for number, (first, last) in rows.items() if first <= line <= last}
        return frozenset(found)
