"""Trying mutants of JavaScript and TypeScript by the user's own test command, in a copy that has them in its files.

Who loads the code is not known, so that the texts are written and not given out.
"""

import os
from pathlib import Path

import attrs

from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.node.package_manager import package_manager
from verify_lsp.toolchains.node.testing.mutants import REACHED, Suite, built_in, loaded_first, reached_by
from verify_lsp.toolchains.node.testing.step import find_tests_of
from verify_lsp.toolchains.node.testing.trials import TrialArgv
from verify_lsp.toolchains.own_command import tried_by

_HOMES = {"COREPACK_HOME": "~/.cache/node/corepack", "VOLTA_HOME": "~/.volta", "NVM_DIR": "~/.nvm"}
"""Where what starts package managers and node finds them, if nobody says otherwise."""


def node_tests_by(project: Project, step: TestStep) -> TestStep | Absent:
    """Return the user's own command with what is needed to try mutants by it.

    A line that plainly starts a runner which we know, in the workspace's own package, is that runner's suite.
    """
    known = find_tests_of(project, step.command.argv[0], step.command.timeout_s)
    if known is not None:
        return known
    return attrs.evolve(step, built_in=lambda folder: _built_in(project, step, folder), in_copy=True)


def _built_in(project: Project, step: TestStep, folder: Path) -> BuiltIn:
    def argv(_folder: Path) -> TrialArgv:
        return TrialArgv(step.command.argv)

    def reached(result: CommandResult) -> frozenset[int]:
        return frozenset(reached_by(result.files.get(REACHED, ""), project.folder))

    suite = Suite(project, project, step.command, step.parse, (), argv)
    texts = built_in(suite, folder)
    homes = {name: str(Path(place).expanduser()) for name, place in _HOMES.items() if not os.environ.get(name)}
    there = {name: place for name, place in homes.items() if Path(place).is_dir()}
    environment = {**package_manager(project).quiet, **there, **loaded_first(suite, folder)}
    return tried_by(step, texts, environment, reached, texts.build)
