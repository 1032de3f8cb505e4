"""The look at one text: at once what needs the text alone, then what a tool or git has to be asked for."""

import asyncio
import os
from pathlib import Path

import attrs

from verify_lsp.inspection.inspect import VERIFIERS, Found, Inspection, inspect_saved, inspect_text
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.board import Verified
from verify_lsp.server.board.spans import Placed, span_of
from verify_lsp.server.features.present import Present, present_of
from verify_lsp.server.guarded import outcome
from verify_lsp.server.inline.seen import Seen, digest_of

PAUSE_S = 0.15
"""A text that is being typed is looked at once no key was pressed for so long."""

LARGE = 1 << 20
"""Characters from which a text is not looked at while it is being typed, but when it is saved."""


def look(server: VerifyServer, key: str, *, settled: bool = True, tell: bool = True) -> set[str]:
    """Look at the present text of a file, and show what was found in it; return the files that may look different.

    Args:
        settled: False while the user types.
        tell: False when the caller tells the client, of many files at once.
    """
    session = server.session
    cancel_later_look(server, key)
    present = present_of(session, key)
    touched = forget(server, key) if present is None else _look_at(server, present)
    if tell:
        session.showing.update(touched, settled=settled, looked={key})
    return touched


def forget(server: VerifyServer, key: str) -> set[str]:
    """Take down what was found in a file that nobody has open; return it when it may look different."""
    session = server.session
    session.rewrites.pop(key, None)
    session.seen.forget(key)
    return session.layers.texts.take_down(key) | session.layers.tools.take_down(key)


def _look_at(server: VerifyServer, present: Present) -> set[str]:
    session, key = server.session, present.key
    digest = digest_of(present.text)
    inspection = inspect_text(present.subject, present.path, present.settings, added_in(server, key, present.text))
    session.rewrites[key] = present.text, inspection.found
    seen = session.seen.of(key)
    if seen is None or seen.digest != digest:
        seen = Seen(digest, skipped=inspection.skipped)
        session.seen.put(key, seen)
    touched = session.layers.texts.replace(_verified(present, _beside_tool(inspection, seen)), present.text)
    return touched | session.layers.tools.settle(key, present.text)


def _beside_tool(inspection: Inspection, seen: Seen) -> Inspection:
    """Leave out what a tool has judged better."""
    if not seen.by_tool:
        return inspection
    return attrs.evolve(inspection, found=tuple(one for one in inspection.found if one.finding.check != VERIFIERS))


def added_in(server: VerifyServer, key: str, text: str) -> frozenset[int] | None:
    """Return the lines of a text that rules look at: none while it is not known which are new, None for all."""
    if not os.path.isabs(key):  # noqa: PTH117  # A key is no path when the buffer has no name.
        return None
    base = server.session.bases.known(key)
    return frozenset() if base is None else base.added(text)


def _verified(present: Present, inspection: Inspection) -> Verified:
    lines = present.text.split("\n")
    placed = tuple(Placed(one.finding, span_of(one.finding, lines)) for one in inspection.found)
    return Verified(present.key, str(present.subject.path), present.text, placed, present.on_disk)


def look_later(server: VerifyServer, key: str) -> None:
    """Look at a text that is being typed, after a pause."""
    cancel_later_look(server, key)
    loop = asyncio.get_running_loop()
    server.session.later[key] = loop.call_later(PAUSE_S, _look_after_a_pause, server, key)


def _look_after_a_pause(server: VerifyServer, key: str) -> None:
    document = server.session.documents.by_key.get(key)
    if document is not None and sum(map(len, document.lines)) <= LARGE:
        look(server, key, settled=False)


def cancel_later_look(server: VerifyServer, key: str) -> None:
    """Let no look be due: one is taken now, or there is nothing to look at."""
    if (due := server.session.later.pop(key, None)) is not None:
        due.cancel()


def ask_around(server: VerifyServer, key: str) -> None:
    """Ask git and the tools about a file in the background; a newer question takes the place of an older one."""
    session = server.session
    if (going := session.asking.pop(key, None)) is not None:
        going.cancel()
    task = session.asking[key] = asyncio.ensure_future(_ask(server, key))
    task.add_done_callback(lambda done: session.asking.pop(key) if session.asking.get(key) is done else None)


async def look_wholly(server: VerifyServer, key: str) -> None:
    """Look at a file with everything there is, and return when all of it has been seen."""
    session = server.session
    present = present_of(session, key)
    if present is None:
        return
    seen = session.seen.of(key)
    if seen is None or seen.digest != digest_of(present.text):
        look(server, key)
    elif seen.whole:
        return
    if key not in session.asking:
        ask_around(server, key)
    await asyncio.wait([session.asking[key]])


async def _ask(server: VerifyServer, key: str) -> None:
    _, error = await outcome("asking about a file", _ask_all(server, key))
    if error is not None:
        server.log_message(f"verify-lsp: {error}")


async def _ask_all(server: VerifyServer, key: str) -> None:
    session = server.session
    await _learn_base(server, key)
    present = present_of(session, key)
    if present is None:
        return
    said = None
    if present.subject.saved:
        said = await inspect_saved(present.subject, present.path, present.settings, run_tool)
    now = present_of(session, key)
    seen = session.seen.of(key)
    if now is None or now.text != present.text or seen is None:
        return  # What a tool said of an older text is not held against this one.
    touched = session.layers.tools.replace(_verified(present, said or Inspection()), now.text)
    skipped = seen.skipped if said is None else said.skipped
    session.seen.put(key, Seen(seen.digest, whole=True, by_tool=said is not None, skipped=skipped))
    if said is not None:
        touched |= look(server, key, tell=False)
    session.showing.update(touched, settled=True)


async def _learn_base(server: VerifyServer, key: str) -> None:
    """Learn what the file says at the last commit; a text that was looked at before it was known is looked at again."""
    session = server.session
    if not os.path.isabs(key):  # noqa: PTH117  # A key is no path when the buffer has no name.
        return
    before = session.bases.known(key)
    base = await session.bases.learn(key)
    if base != before:
        look(server, key)


async def run_tool(command: Command, place: Path) -> CommandResult:
    """Run a tool; it ends with whoever waits for it."""
    from verify_lsp.system.process import run_command

    return await run_command(command, place)


def look_anew(server: VerifyServer) -> None:
    """Look at all open documents again when the settings that hold for them, or what may be run, have changed."""
    session = server.session
    folders = [*session.folders.all, None]
    state = [(session.settings_of(folder), folder and session.is_trusted(folder.path)) for folder in folders]
    before, session.settings_seen = session.settings_seen, state
    if before in (None, state):
        return
    session.seen.clear()
    touched: set[str] = set()
    for key in list(session.documents.by_key):
        touched |= look(server, key, tell=False)
        ask_around(server, key)
    session.showing.update(touched, settled=True)


def found_now(server: VerifyServer, key: str) -> tuple[str, tuple[Found, ...]] | None:
    """Return the present text of a file and what is found in it, looking at it now where that has not been done."""
    session = server.session
    present = present_of(session, key)
    if present is None:
        return None
    known = session.rewrites.get(key)
    if known is None or known[0] != present.text:
        look(server, key)
    return session.rewrites.get(key)
