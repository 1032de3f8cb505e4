"""Tries given mutants by our engine, in a process of its own so that all of it is measured.

python -m benchmarks.same_mutants.ours ORDER.json RESULT.json
"""

import json
import resource
import sys
import time
from pathlib import Path

import anyio
import attrs

from benchmarks.mutation_agreement import added_whole, step_of
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.checks.built_in_mutants import tried_built_in
from verify_lsp.checks.mutant_room import mutant_room
from verify_lsp.model.change import Change
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.mutant import Mutant, MutationOrder, MutationRun
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.base import Project
from verify_lsp.toolchains.registry import TOOLCHAINS


def cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


async def tried(root: Path, language: str, cache: Path, mutants: tuple[Mutant, ...]) -> MutationRun:
    environment = child_environment(offline=True)

    async def run(command: Command, place: Path) -> CommandResult:
        begun, before = time.monotonic(), cpu_s()
        result = await run_command(command, place, environment=environment)
        words = [word for word in command.argv if not word.startswith(("-", "{"))]
        name = " ".join(Path(word).name for word in words[:4])
        print(f"{time.monotonic() - begun:.2f} s, {cpu_s() - before:.2f} cpu s: {name[:70]}", flush=True)
        return result

    files = sorted({mutant.path for mutant in mutants})
    change = Change(tuple(added_whole(root, name) for name in files))
    project = Project(root, root, ".", tuple(files), environment["PATH"], cache)
    toolchain = next(each for each in TOOLCHAINS if each.language == language)
    owner = ProjectOf(toolchain, project)
    settings = Settings(mutation_max_mutants=len(mutants), timeout_secs=3600)
    context = CheckContext(root, root, change, (owner,), settings, run)
    texts = {file.path: file.after or "" for file in change.files}
    step = step_of(owner, context.timeout_s)
    async with mutant_room(context, owner, step) as room:
        if room is None:
            raise SystemExit("mutants cannot be built in here")
        return await tried_built_in(context, room, MutationOrder(mutants, texts, context.timeout_s), MutationRun())


def main() -> None:
    order = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    mutants = tuple(Mutant(**each) for each in order["mutants"])
    told = anyio.run(tried, Path(order["root"]), order["language"], Path(order["cache"]), mutants)
    results = {position: attrs.asdict(result, recurse=False) for position, result in told.results.items()}
    for result in results.values():
        del result["mutant"]
    answer = {"results": results, "stopped": told.stopped, "unreached": dict(told.unreached)}
    Path(sys.argv[2]).write_text(json.dumps(answer), encoding="utf-8")


if __name__ == "__main__":
    main()
