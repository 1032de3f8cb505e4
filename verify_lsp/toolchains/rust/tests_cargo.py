"""`cargo test` over the whole workspace, examples in comments included."""

import os

from verify_lsp.model.command import Command
from verify_lsp.toolchains.base import Absent, Project, TestStep
from verify_lsp.toolchains.rust.cargo import cannot_run, cargo, cargo_version
from verify_lsp.toolchains.rust.cargo_run import read_test_run
from verify_lsp.toolchains.rust.mutants import built_in
from verify_lsp.toolchains.rust.selection import filters


def cargo_tests(project: Project, timeout_s: float) -> TestStep | Absent:
    """Return the tests of a Cargo workspace. Compiling and running is one command, so that both can be told apart."""
    if absent := cannot_run(project):
        return absent

    def command(*rest: str) -> Command:
        arguments = ("--workspace", "--no-fail-fast", "--message-format=json", *rest)
        return cargo(project, timeout_s, "test", *arguments)

    def only(ids: tuple[str, ...]) -> Command | None:
        chosen = filters(ids)
        return None if chosen is None else command("--", *chosen)

    return TestStep(
        "cargo test",
        command(),
        lambda result: read_test_run(project, result),
        only=only,
        version=cargo_version(project),
        # What starts the test programs waits for pipes, and limits processor time, as only POSIX systems do.
        built_in=(lambda folder: built_in(project, timeout_s, folder)) if os.name == "posix" else None,
        in_copy=True,
    )
