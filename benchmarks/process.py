"""What running a command costs beside `subprocess.run`, and what the guard costs. Run: python benchmarks/process.py."""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from verify_lsp.model.command import Command
from verify_lsp.system.environment import child_environment
from verify_lsp.system.guard import Guard, guard
from verify_lsp.system.process import run_command
from verify_lsp.system.process_table import living, process_ids

ROUNDS = 200
PLACE = Path(tempfile.gettempdir())


def main() -> None:
    print(f"{len(process_ids())} processes on this machine, load {os.getloadavg()[0]:.1f}, medians of {ROUNDS} runs")
    asyncio.run(beside_subprocess())
    print(f"child_environment                      {median_ms(child_environment):7.2f} ms")
    print(f"looking at all processes for leftovers {median_ms(lambda: living(1 << 30, 'none')):7.2f} ms")
    print(f"starting the guard, for the caller     {guard_start_ms():7.2f} ms, once a process")
    print(f"the guard's own start and end          {guard_life_ms():7.2f} ms of CPU")
    print(f"the guard's memory while it waits      {guard_memory_mib():7.2f} MiB")
    asyncio.run(throughput())


async def beside_subprocess() -> None:
    """Take turns, so that a busy machine is busy for both."""
    environment = child_environment()
    bare = Command(("/bin/true",))
    with_folder = Command(("/bin/true", "{results}"), support={"reporter.py": "pass\n"})
    taken: dict[str, list[float]] = {"subprocess.run": [], "run_command": [], "with a private folder": []}
    for _ in range(ROUNDS):
        started = time.perf_counter()
        subprocess.run(["/bin/true"], capture_output=True, check=True, env=environment, stdin=subprocess.DEVNULL)  # noqa: ASYNC221  # It is what we compare with.
        taken["subprocess.run"].append(time.perf_counter() - started)
        for name, command in (("run_command", bare), ("with a private folder", with_folder)):
            started = time.perf_counter()
            await run_command(command, PLACE, environment=environment)
            taken[name].append(time.perf_counter() - started)
    plain = statistics.median(taken["subprocess.run"])
    for name, times in taken.items():
        middle = statistics.median(times)
        print(f"/bin/true, {name:27} {middle * 1000:7.2f} ms   ratio {middle / plain:.2f}")


async def throughput() -> None:
    command = Command(("head", "-c", "400000000", "/dev/zero"))
    started = time.perf_counter()
    result = await run_command(command, PLACE)
    taken = time.perf_counter() - started
    print(f"400 MB printed, {len(result.stdout) / 1e6:.1f} MB kept         {400 / taken:7.0f} MB/s")


def median_ms(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def guard_start_ms() -> float:
    taken = []
    for _ in range(20):
        fresh = Guard()
        started = time.perf_counter()
        fresh.hold_group(os.getpid() + 1_000_000)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken) * 1000


def guard_life_ms() -> float:
    script = Path(sys.modules[Guard.__module__].__file__ or "").with_name("guard_process.py")
    before = os.times()
    for _ in range(20):
        subprocess.run([sys.executable, "-I", "-S", str(script), "none"], stdin=subprocess.DEVNULL, check=True)
    after = os.times()
    used = after.children_user - before.children_user + after.children_system - before.children_system
    return used / 20 * 1000


def guard_memory_mib() -> float:
    status = Path(f"/proc/{guard().process_id()}/smaps_rollup").read_text()
    (resident,) = [line.split()[1] for line in status.splitlines() if line.startswith("Pss:")]
    return int(resident) / 1024


if __name__ == "__main__":
    main()
