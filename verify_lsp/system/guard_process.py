"""What the guard process runs: wait until the other end of the pipe closes, then end and remove what is still held.

Run as a script by a bare interpreter, with the mark of the verify-lsp process as its argument.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable


def main(mark: str) -> None:
    """Read what to hold until the end of the input, then clear up."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    held = _listen()
    _end_groups(held, mark)
    _remove_folders(held)


def _listen() -> dict[tuple[str, str], str]:
    held: dict[tuple[str, str], str] = {}
    rest = b""
    while chunk := os.read(0, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            match line.decode("ascii").split():
                case ["hold", kind, name, value]:
                    held[kind, name] = value
                case ["release", kind, name]:
                    held.pop((kind, name), None)
    return held


def _end_groups(held: dict[tuple[str, str], str], mark: str) -> None:
    from verify_lsp.system.process_table import ending, living, read_process

    def ours(group: int, started: int) -> bool:
        # As long as a group has members, its id names no other process: only a leader that started
        # at another time shows that ours is gone.
        row = read_process(group)
        return row is None or started in {row.started, 0}

    groups = [int(name) for (kind, name), started in held.items() if kind == "group" and ours(int(name), int(started))]
    # Twice by the mark alone, because a process that loads another program cannot be recognised for a moment.
    for group in [*groups, None, None]:
        _sleep_through(ending(lambda group=group: living(group, mark), group, grace_s=0.5))  # type: ignore[misc]


def _sleep_through(pauses: Iterable[float]) -> None:
    for pause in pauses:
        time.sleep(pause)


def _remove_folders(held: dict[tuple[str, str], str]) -> None:
    folders = [(_path(name), _path(root)) for (kind, name), root in held.items() if kind == "folder"]
    if not folders:
        return
    from pathlib import Path

    from verify_lsp.model.errors import VerifyError
    from verify_lsp.system.files import remove_tree

    for folder, root in folders:
        try:
            remove_tree(Path(folder), Path(root))
        except VerifyError:
            continue


def _path(name: str) -> str:
    return os.fsdecode(bytes.fromhex(name))


if __name__ == "__main__":
    # The package is found after the standard library, so that no module of ours passes for one of that.
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120  # pathlib doubles the start.
    sys.path.append(os.path.dirname(package))  # noqa: PTH120  # as above
    main(sys.argv[1])
