"""The machine's processes, as far as they came from one of our commands, and how they are ended.

Standard library only, because the guard runs it bare. Where there is no `/proc` (macOS), a command's
processes are known by their process group alone.
"""

import os
import signal
import time
from collections.abc import Callable, Collection, Iterator, Mapping

MARK_VARIABLE = "VERIFY_LSP_RUN"
"""Carries who started a process: marks of verify-lsp processes, outermost first, joined by ":"."""

Found = Mapping[int, int]
"""Ids of processes to the times they started at: both together never name another process."""

_PAUSE_S = 0.002
_KILL_LIMITS_S = (1.0, *(0.1,) * 9)
"""What is killed is gone at once, or hangs in the system; the further rounds are for what it had started meanwhile."""


class Process:
    """One row of the table: a process that has not ended.

    Attributes:
        session: A shell with job control gives each job a group of its own, but keeps its session.
        started: In clock ticks since the machine's start.
    """

    __slots__ = ("group", "parent", "pid", "session", "started")

    def __init__(self, pid: int, fields: list[bytes]) -> None:
        self.pid = pid
        self.parent, self.group, self.session = (int(field) for field in fields[1:4])
        self.started = int(fields[19])


def ending(find: Callable[[], Found], leader: int | None, grace_s: float) -> Iterator[float]:
    """End what `find` finds, and what it finds then, until nothing is left; give up on what cannot be killed.

    Yields:
        Seconds that the caller should sleep before going on.
    """
    kills = [(signal.SIGKILL, limit) for limit in _KILL_LIMITS_S]
    found = find()
    for number, limit in [(signal.SIGTERM, grace_s), *kills]:
        if not found:
            return
        _send(found, leader, number)
        yield from _waiting(found, limit)
        found = find()
        if not found:
            # While a process loads another program, its environment cannot be seen: look once more.
            yield _PAUSE_S
            found = find()


def living(leader: int | None, mark: str, *, known: Collection[int] = frozenset()) -> Found:
    """Return the processes that came from the command whose first process is or was `leader`.

    They are in its group or session, bear its mark, or descend from one that does. Ended ones that nobody
    has waited for are not counted, and neither are we.

    Args:
        leader: Id of the command's first process, which leads a session and a group of its own.
        mark: What the command's processes carry in `MARK_VARIABLE`; the mark of a whole verify-lsp
            process covers all its commands.
        known: Ids that are known to be others, so that they need not be looked at.
    """
    if not has_table():
        return {leader: 0} if leader is not None and _group_exists(leader) else {}
    ids = process_ids() - {os.getpid()} - set(known)
    rows = [row for pid in ids if (row := read_process(pid)) is not None]
    ours = {row.pid for row in rows if leader in (row.group, row.session) or bears(row.pid, mark)}
    ours |= _descendants(ours, rows)
    return {row.pid: row.started for row in rows if row.pid in ours}


def process_ids() -> set[int]:
    """Return the ids of all processes; none where there is no table."""
    try:
        return {int(name) for name in os.listdir("/proc") if name.isdecimal()}  # noqa: PTH208  # Path trebles the cost.
    except OSError:
        return set()


def read_process(pid: int) -> Process | None:
    """Return the row of `pid`, or None when it has ended, whether it was waited for or not."""
    # The second field is the program's name in parentheses; it may hold spaces and parentheses itself.
    fields = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    if len(fields) < 20:
        return None
    # A process whose first thread has ended is shown as ended, though its other threads run on.
    ended = fields[0] in b"ZXx" and int(fields[17]) <= 1
    return None if ended else Process(pid, fields)


def bears(pid: int, mark: str) -> bool:
    """Say whether `pid` was started with `mark`, or with a mark that `mark` covers."""
    name = MARK_VARIABLE.encode() + b"="
    wanted = mark.encode()
    for entry in _read(f"/proc/{pid}/environ").split(b"\0"):
        if entry.startswith(name):
            parts = entry[len(name) :].split(b":")
            return any(part == wanted or part.startswith(wanted + b".") for part in parts)
    return False


def has_table() -> bool:
    """Say whether this machine tells about processes by `/proc`."""
    return os.path.exists("/proc/self/stat")  # noqa: PTH110  # as above


def _send(found: Found, leader: int | None, number: signal.Signals) -> None:
    """Signal the whole group at once, so that it cannot fork away, and then whoever left the group."""
    if leader is not None and (not has_table() or any(_group_of(pid) == leader for pid in found)):
        _quietly(os.killpg, leader, number)
    for pid, started in found.items():
        if _is_still(pid, started):
            _quietly(os.kill, pid, number)


def _waiting(found: Found, limit_s: float) -> Iterator[float]:
    deadline = time.monotonic() + limit_s
    pause = _PAUSE_S
    while any(_is_still(pid, started) for pid, started in found.items()) and time.monotonic() < deadline:
        yield pause
        pause = min(pause * 1.5, 0.05)


def _is_still(pid: int, started: int) -> bool:
    if not has_table():
        return _group_exists(pid)
    row = read_process(pid)
    return row is not None and row.started == started


def _descendants(ancestors: set[int], rows: list[Process]) -> set[int]:
    found: set[int] = set()
    frontier = ancestors
    while frontier:
        frontier = {row.pid for row in rows if row.parent in frontier} - found - ancestors
        found |= frontier
    return found


def _group_of(pid: int) -> int | None:
    row = read_process(pid)
    return None if row is None else row.group


def _group_exists(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except OSError:
        return False
    return True


def _quietly(kill: Callable[[int, int], None], target: int, number: signal.Signals) -> None:
    try:
        kill(target, number)
    except (ProcessLookupError, PermissionError):
        return


def _read(path: str) -> bytes:
    """Read a small file of `/proc` whole; nothing when the process is gone or is somebody else's."""
    chunks = []
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            while chunk := os.read(descriptor, 65536):
                chunks.append(chunk)
        finally:
            os.close(descriptor)
    except OSError:
        return b""
    return b"".join(chunks)
