"""The look at one text: at once what needs the text alone, then its rules, then what a tool or git must be asked for."""

import asyncio
import os
from collections.abc import Callable, Iterable
from functools import partial

import attrs

from verify_lsp.inspection.inspect import Found, Inspection, inspect_lines, inspect_saved, inspect_text
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.board.board import Verified
from verify_lsp.server.board.spans import Placed, span_of
from verify_lsp.server.features.present import Present, present_of
from verify_lsp.server.inline.looked import Looked
from verify_lsp.server.inline.seen import Seen, digest_of
from verify_lsp.verifiers.base import Subject

PAUSE_S = 0.15
"""A text that is being typed is looked at once no key was pressed for so long."""

BREATH_S = 0.005
"""Between the look at the text itself and its rules, so that the client hears of the first before the second."""

LARGE = 1 << 20
"""Characters from which a text is not looked at while it is being typed, but when it is saved."""

_QUICK = 1 << 18
"""Characters up to which a text is looked at without a thread."""


def look(server: VerifyServer, key: str, *, settled: bool = True, tell: bool = True) -> set[str]:
    """Look at the present text of a file, and show what was found in it; return the files that may look different.

    Args:
        settled: False while the user types.
        tell: False when the caller tells the client, of many files at once.
    """
    session = server.session
    cancel_later_look(server, key)
    present = present_of(session, key)
    if present is None:
        touched = forget(server, key)
    elif len(present.text) > _QUICK:
        touched = _look_in_a_while(server, present)
    else:
        touched = _look_at(server, present, inspect_text(present.subject, present.path, present.settings))
    if tell:
        session.showing.update(touched, settled=settled, looked={key})
    return touched


def look_if_new(server: VerifyServer, key: str) -> None:
    """Look at a text that is being typed at once, as the client asks for its findings now."""
    session = server.session
    looked, document = session.looked.get(key), session.documents.by_key[key]
    if not session.settings_of(session.folders.owner(key)).inline_on_change:
        return
    if (looked is None or looked.text != document.text()) and sum(map(len, document.lines)) <= LARGE:
        look(server, key, tell=False)
        ask_around(server, key)


def forget(server: VerifyServer, key: str) -> set[str]:
    """Take down what was found in a file that is not to be looked at any more; return it when it may look different."""
    session = server.session
    session.looked.pop(key, None)
    session.seen.forget(key)
    return session.layers.take_down(key)


def _look_in_a_while(server: VerifyServer, present: Present) -> set[str]:
    """Let a large text be looked at in a thread; until then only what was found in this very text is shown."""
    ask_around(server, present.key)
    return server.session.layers.settle(present.key, present.text)


async def _look_at_large(server: VerifyServer, key: str) -> None:
    session = server.session
    present, looked = present_of(session, key), session.looked.get(key)
    if present is None or len(present.text) <= _QUICK or (looked is not None and looked.text == present.text):
        return
    # What verifiers remember from look to look is not for two threads.
    subject = attrs.evolve(present.subject, memory=None)
    inspection = await asyncio.to_thread(inspect_text, subject, present.path, present.settings)
    now = present_of(session, key)
    if now is not None and now.text == present.text:
        session.showing.update(_look_at(server, now, inspection), settled=True, looked={key})


def _look_at(server: VerifyServer, present: Present, inspection: Inspection) -> set[str]:
    session, key = server.session, present.key
    digest = digest_of(present.text)
    known, seen = session.looked.get(key), session.seen.of(key)
    saved = present.subject.saved
    same = known is not None and known.text == present.text and known.saved == saved
    session.looked[key] = Looked(present.text, inspection.found, known.rules if known and same else None, saved)
    if seen is None or seen.digest != digest:
        seen = Seen(digest, skipped=inspection.skipped)
        session.seen.put(key, seen)
    elif not same:
        session.seen.put(key, attrs.evolve(seen, whole=False))  # A saved text is told more of than a typed one.
    # Where a tool has spoken of this very text, it knows better.
    wrong = () if seen.by_tool else inspection.found
    touched = session.layers.texts.replace(_verified(present, wrong), present.text)
    return touched | session.layers.tools.settle(key, present.text)


def _verified(present: Present, found: Iterable[Found]) -> Verified:
    return attrs.evolve(verified_of(present.key, present.subject, found), on_disk=present.on_disk)


def verified_of(key: str, subject: Subject, found: Iterable[Found]) -> Verified:
    """Return what was found in a text, at its places in it."""
    lines = subject.text.split("\n")
    placed = tuple(Placed(one.finding, span_of(one.finding, lines)) for one in found)
    return Verified(key, str(subject.path), subject.text, placed)


def look_later(server: VerifyServer, key: str) -> None:
    """Look at a text that is being typed, after a pause."""
    cancel_later_look(server, key)
    loop = asyncio.get_running_loop()
    server.session.later[key] = loop.call_later(PAUSE_S, _look_after_a_pause, server, key)


def _look_after_a_pause(server: VerifyServer, key: str) -> None:
    document = server.session.documents.by_key.get(key)
    if document is not None and sum(map(len, document.lines)) <= LARGE:
        look(server, key, settled=False)
        ask_around(server, key)


def cancel_later_look(server: VerifyServer, key: str) -> None:
    """Let no look be due: one is taken now, or there is nothing to look at."""
    if (due := server.session.later.pop(key, None)) is not None:
        due.cancel()


def ask_around(server: VerifyServer, key: str) -> None:
    """Ask rules, git and tools about a file in the background; a newer question takes the place of an older one."""
    server.tasks.start("asking about a file", _ask_all(server, key), name=key)


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
    if (going := server.tasks.named(key)) is None:
        ask_around(server, key)
        going = server.tasks.named(key)
    if going is not None:
        await asyncio.wait([going])


async def _ask_all(server: VerifyServer, key: str) -> None:
    session = server.session
    await asyncio.sleep(BREATH_S)
    await _look_at_large(server, key)
    if session.bases.known(key) is not None or not _is_file(key):
        await _ask_rules(server, key)
    if _is_file(key) and await session.bases.learn(key):
        _forget_rules(server, key)
    await _ask_rules(server, key)
    await _ask_tools(server, key)


async def _ask_rules(server: VerifyServer, key: str) -> None:
    """Hold the new lines of a text against the rules, where that was not done yet."""
    session = server.session
    present, looked = present_of(session, key), session.looked.get(key)
    if present is None or looked is None or looked.text != present.text or looked.rules is not None:
        return
    ask = _question(server, present, looked)
    rules = ask() if len(present.text) <= _QUICK else await asyncio.to_thread(ask)
    if session.looked.get(key) is looked:
        session.looked[key] = attrs.evolve(looked, rules=rules)
        touched = session.layers.rules.replace(_verified(present, rules), present.text)
        session.showing.update(touched, settled=True)


def _question(server: VerifyServer, present: Present, looked: Looked) -> Callable[[], tuple[Found, ...]]:
    added = added_in(server, present.key, present.text)
    typed = not looked.saved
    return partial(inspect_lines, present.text, present.path, present.settings, added, typed=typed)


def _forget_rules(server: VerifyServer, key: str) -> None:
    """Let the rules be asked again, as other lines are new now."""
    looked = server.session.looked.get(key)
    if looked is not None:
        server.session.looked[key] = attrs.evolve(looked, rules=None)


async def _ask_tools(server: VerifyServer, key: str) -> None:
    session = server.session
    present = present_of(session, key)
    if present is None:
        return
    said = None
    if present.subject.saved:
        from verify_lsp.system.process import run_command

        said = await inspect_saved(present.subject, present.path, present.settings, run_command)
    now = present_of(session, key)
    seen = session.seen.of(key)
    if now is None or now.text != present.text or seen is None:
        return  # What a tool said of an older text is not held against this one.
    spoken = said is not None and said.skipped is None
    touched = session.layers.tools.replace(_verified(present, said.found if said and spoken else ()), now.text)
    skipped = None if spoken else seen.skipped or (said.skipped if said else None)
    session.seen.put(key, Seen(seen.digest, whole=True, by_tool=spoken, skipped=skipped))
    if spoken:
        touched |= session.layers.texts.take_down(key)
    session.showing.update(touched, settled=True)


def added_in(server: VerifyServer, key: str, text: str) -> frozenset[int] | None:
    """Return the lines of a text that rules look at: none while it is not known which are new, None for all."""
    if not _is_file(key):
        return None
    base = server.session.bases.known(key)
    return frozenset() if base is None else base.added(text)


def _is_file(key: str) -> bool:
    return os.path.isabs(key)  # noqa: PTH117  # The key of a buffer without a name is an address.


def look_anew(server: VerifyServer) -> bool:
    """Look at all open documents again when the settings that hold for them, or what may be run, have changed.

    Returns:
        Whether they have.
    """
    session = server.session
    folders = [*session.folders.all, None]
    state = [(session.settings_of(folder), folder and session.is_trusted(folder.path)) for folder in folders]
    before, session.settings_seen = session.settings_seen, state
    if before in (None, state):
        return False
    touched: set[str] = set()
    session.seen.clear()
    session.looked.clear()
    for key in list(session.documents.by_key):
        touched |= look(server, key, tell=False)
        ask_around(server, key)
    session.showing.update(touched, settled=True)
    return True


def found_now(server: VerifyServer, key: str) -> tuple[str, tuple[Found, ...]] | None:
    """Return the present text of a file and what is found in it, looking at it now where that has not been done."""
    session = server.session
    present = present_of(session, key)
    if present is None:
        return None
    looked = session.looked.get(key)
    if looked is None or looked.text != present.text:
        look(server, key)
        looked = session.looked.get(key)
    if looked is None or looked.text != present.text:
        return present.text, ()  # A large text, which is being looked at.
    if looked.rules is None and len(present.text) <= _QUICK:
        return present.text, (*looked.wrong, *_question(server, present, looked)())
    return present.text, looked.found
