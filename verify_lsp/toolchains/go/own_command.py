"""Trying mutants of Go by the user's own test command, in a copy that has them in its texts.

No file is laid over: of two `-overlay` in GOFLAGS the last one counts, and what is no `go` knows nothing of them.
"""

from collections.abc import Mapping
from pathlib import Path

import attrs

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, BuiltIn, Project, TestStep
from verify_lsp.toolchains.go.module import go_environment, module_path, reading_flags, takes_package
from verify_lsp.toolchains.go.mutants import blamed_places
from verify_lsp.toolchains.go.noted import all_reached
from verify_lsp.toolchains.go.noting_tests import importing
from verify_lsp.toolchains.go.reaching import packages_that_reach
from verify_lsp.toolchains.go.settings import build_cache, go_setting, gopath, module_cache, settings_file
from verify_lsp.toolchains.go.switch_package import PACKAGE, SOURCE
from verify_lsp.toolchains.go.tests_json import go_tests
from verify_lsp.toolchains.own_command import tried_by

_PLAIN = ({"go", "test", "./..."}, {"go", "test", "-v", "./..."})


def go_tests_by(project: Project, step: TestStep) -> TestStep | Absent:
    """Return the user's own command with what is needed to try mutants by it; just `go test ./...` is Go's own suite."""
    words = step.command.argv[0].split()
    if set(words) in _PLAIN and words[:2] == ["go", "test"] and project.root == "." and takes_package(project):
        return go_tests(project, step.command.timeout_s)
    if not takes_package(project):
        return step
    return attrs.evolve(step, built_in=lambda room: _built_in(project, step, room.resolve()), in_copy=True)


def _built_in(project: Project, step: TestStep, room: Path) -> BuiltIn:
    module = module_path(project.folder) or ""
    packages = packages_that_reach(project, module)
    environment, folder = _environment(room), project.folder.resolve()

    def files(texts: Mapping[str, str]) -> dict[Path, str]:
        sources = {project.folder / path: importing(text, f"{module}/{PACKAGE}") for path, text in texts.items()}
        return {**sources, project.folder / PACKAGE / "switch.go": SOURCE, room / "tmp" / ".verify-lsp": ""}

    compiled = Command(
        ("go", "list", "-test", "-export", *reading_flags(), *packages),
        project.root,
        {**go_environment(project), **environment},
        step.command.timeout_s,
    )
    texts = BuiltIn(
        files=files,
        build=(compiled,),
        blamed=lambda result: blamed_places(result, folder, (folder,)),
        survey=step.command,
        reached=lambda _result: {},
        trial=lambda _number, _names: (),
        parse=step.parse,
    )
    return tried_by(step, texts, environment, all_reached)


def _environment(room: Path) -> dict[str, str]:
    """Return the variables under which Go finds its caches without the user's home, and answers nothing from them.

    What tests came to would be kept, and what `go vet` says of texts with mutants in them is no failure of a test.
    """
    return {
        "GOFLAGS": f"{go_setting('GOFLAGS')} -count=1 -vet=off".strip(),
        "GOCACHE": str(build_cache()),
        "GOMODCACHE": str(module_cache()),
        "GOPATH": str(gopath()),
        "GOENV": settings_file(),
        **({} if go_setting("GOTMPDIR") else {"GOTMPDIR": str(room / "tmp")}),
    }
