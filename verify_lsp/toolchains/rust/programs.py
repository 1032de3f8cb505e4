"""The test programs of a cargo run: which ran, which failed, and which output is whose."""

import re
from pathlib import Path, PurePath

import attrs

from verify_lsp.toolchains.rust.libtest import Block
from verify_lsp.toolchains.rust.manifests import members, read_manifest, table
from verify_lsp.toolchains.rust.messages import Messages, Target

_RUNNING = re.compile(r"\s+Running (?:unittests )?(?P<source>\S.*?) \((?P<program>.+)\)")
_DOCS = re.compile(r"\s+Doc-tests (?P<name>\S+)")
_FAILED = re.compile(r"error: (?:test|doctest|bench) failed, to rerun pass .*")
_DIED = re.compile(r"\s+process didn't exit successfully: `.*` \((?P<how>.+)\)")


@attrs.define
class Program:
    """One test program, or the examples in one crate's comments.

    Attributes:
        id: As nextest names it: `crate`, `crate::integration_test`, `crate::bin/program`.
        died: How it ended where that was not by a test failing: "signal: 6, SIGABRT".
        block: What it printed; None when it has no test harness, or nothing can be told.
    """

    id: str
    docs: bool = False
    failed: bool = False
    died: str | None = None
    has_harness: bool = True
    block: Block | None = None


@attrs.frozen
class Programs:
    """All test programs of a run, and the blocks that belong to none of them for certain."""

    programs: tuple[Program, ...]
    loose: tuple[Block, ...]


def assign(stderr: str, messages: Messages, blocks: list[Block], folder: Path) -> Programs:
    """Return the programs of a run with their blocks.

    Cargo names programs on one stream, and they print on the other: their order is what ties them
    together, and their failing or not is what proves it. Where that does not fit, no block is given away.
    """
    programs = _programs(stderr, messages, folder)
    for candidates in (
        [program for program in programs if not program.docs and program.has_harness],
        [program for program in programs if not program.docs],
    ):
        if _fit(candidates, blocks):
            for program, block in zip(candidates, blocks, strict=False):
                program.block = block
            return Programs(tuple(programs), tuple(blocks[len(candidates) :]))
    return Programs(tuple(programs), tuple(blocks))


def _fit(programs: list[Program], blocks: list[Block]) -> bool:
    """A program that fails has a failed block. One that ended itself in the middle may have told cargo "success"."""
    if len(blocks) < len(programs):
        return False
    pairs = zip(programs, blocks, strict=False)
    return all(program.failed == block.failed or block.result is None for program, block in pairs)


def _programs(stderr: str, messages: Messages, folder: Path) -> list[Program]:
    built = {PurePath(a.executable).name: a.target for a in messages.artifacts if a.executable}
    without_harness = _without_harness(folder) if built else frozenset()
    programs: list[Program] = []
    for line in stderr.split("\n"):
        if found := _RUNNING.fullmatch(line):
            target = built.get(PurePath(found["program"]).name)
            programs.append(
                Program(target.id if target else found["source"], has_harness=target not in without_harness)
            )
        elif found := _DOCS.fullmatch(line):
            programs.append(Program(found["name"], docs=True))
        elif programs and _FAILED.fullmatch(line):
            programs[-1].failed = True
        elif programs and programs[-1].failed and (found := _DIED.fullmatch(line)):
            programs[-1].died = found["how"]
    return programs


def _without_harness(folder: Path) -> frozenset[Target]:
    found: set[Target] = set()
    for member in members(folder) or (folder,):
        manifest = read_manifest(member)
        package = str(table(manifest, "package").get("name", ""))
        if table(manifest, "lib").get("harness") is False:
            found.add(Target(package, "lib", str(table(manifest, "lib").get("name", package)).replace("-", "_")))
        for kind in ("test", "bin", "example", "bench"):
            listed = manifest.get(kind)
            for target in listed if isinstance(listed, list) else ():
                if isinstance(target, dict) and target.get("harness") is False:
                    found.add(Target(package, kind, str(target.get("name", ""))))
    return frozenset(found)
