"""A watch of our own over the folders, for clients that do not watch files, as Neovim on Linux does not."""

import asyncio
import logging
import os
from pathlib import Path

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import writes
from verify_lsp.server.inline.dirty import NOT_OURS, dirty_files, files_below
from verify_lsp.server.texts.disk import Stamp, stamp_of
from verify_lsp.server.texts.uris import key_of

_STEP_MS = 50
_DEBOUNCE_MS = 1_000
_POLL_S = 2.0
_SETTING_UP_S = 1.0
_TICK_NS = 20_000_000
"""File systems stamp files by a clock that ticks slower than ours."""
_POLL_SHARE = 30
"""Where the system cannot watch, git is asked; the pause is at least so many times what the asking took."""

log = logging.getLogger(__name__)


async def watch(server: VerifyServer) -> None:
    """Watch the folders for as long as the conversation goes on."""
    session = server.session
    while True:
        session.watch_anew.clear()
        folders = [folder.path for folder in session.folders.all if folder.path.is_dir()]
        if not folders:
            await session.watch_anew.wait()
            continue
        server.in_background("catching up with writes", _catch_up(server))
        try:
            await _watch(server, folders)
        except ExceptionGroup as error:
            # The watcher ends at a name that is no UTF-8. What was written meanwhile is looked for.
            log.info("files are watched anew: %s", error.exceptions[0])
            await asyncio.sleep(_SETTING_UP_S)
        except (OSError, RuntimeError) as error:
            # The system has a limit on watches, and some file systems know none.
            log.info("files are polled, as they cannot be watched: %s", error)
            await _poll(server, folders)


async def _watch(server: VerifyServer, folders: list[Path]) -> None:
    from watchfiles import awatch

    changes = awatch(
        *folders,
        watch_filter=lambda _, path: worth_watching(path, folders),
        debounce=_DEBOUNCE_MS,
        step=_STEP_MS,
        stop_event=server.session.watch_anew,
        ignore_permission_denied=True,
    )
    async for batch in changes:
        writes.arrived_keys(server, {key_of(Path(path)) for _, path in batch})


def worth_watching(path: str, watched: list[Path]) -> bool:
    """Return whether a file may be one that people write: not in a folder of tools, and no editor's own copy."""
    inside = min((path.removeprefix(f"{folder}{os.sep}") for folder in watched), key=len)
    *folders, name = Path(inside).parts or ("",)
    return not NOT_OURS.intersection(folders) and not name.endswith(("~", ".swp", ".swx", ".tmp")) and name != "4913"


async def _catch_up(server: VerifyServer) -> None:
    """Look at what was written after the client came and before the watch stood."""
    since = server.session.began_ns - _TICK_NS
    await asyncio.sleep(_SETTING_UP_S)
    for folder in server.session.folders.all:
        names = set(await asyncio.to_thread(list, files_below(folder.path)))
        names |= await dirty_files(folder.path) or frozenset()  # In a large folder the walk ends before its end.
        written = {key for key in names if (stamp := stamp_of(key)) is not None and stamp[0] >= since}
        writes.arrived_keys(server, {key_of(Path(key)) for key in written})


async def _poll(server: VerifyServer, folders: list[Path]) -> None:
    loop = asyncio.get_running_loop()
    before: dict[str, Stamp | None] | None = None
    while not server.session.watch_anew.is_set():
        started = loop.time()
        dirty = set[str]().union(*[await dirty_files(folder) or () for folder in folders])
        now = {key: stamp_of(key) for key in dirty}
        if before is not None:
            writes.arrived_keys(server, {key for key in {*now, *before} if now.get(key) != before.get(key)})
        before = now
        pause = max(_POLL_S, _POLL_SHARE * (loop.time() - started))
        try:
            async with asyncio.timeout(pause):
                await server.session.watch_anew.wait()
        except TimeoutError:
            continue
