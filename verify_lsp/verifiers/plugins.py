"""Verifiers that other distributions bring, by entry point."""

import os
import sys
from collections.abc import Awaitable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Runner, Subject, TextVerifier, ToolVerifier, Verdict, Verifier
from verify_lsp.verifiers.guarded import Failed, attempted
from verify_lsp.verifiers.registration import Registration

GROUP = "verify_lsp.verifiers"

_TIME_LIMIT_S = 10.0


@attrs.frozen
class Brought:
    """What plugins brought, and a sentence for each one that could not be used."""

    registrations: tuple[Registration, ...]
    notes: tuple[str, ...]


def load(group: str = GROUP) -> Brought:
    """Load the plugins of this installation, by name. One that fails is a note, and keeps no other from working."""
    if not _anyone_brings(group.encode()):
        return Brought((), ())
    from importlib.metadata import entry_points

    registrations: list[Registration] = []
    notes: list[str] = []
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        made = attempted(lambda entry=entry: tuple(_registrations(entry.load(), entry.name)))  # type: ignore[misc]
        if isinstance(made, Failed):
            notes.append(f"the verifier plugin {entry.name} ({entry.value}) cannot be used: {made.reason}")
        else:
            registrations += made
    return Brought(tuple(registrations), tuple(notes))


def _anyone_brings(group: bytes) -> bool:
    """Look for the group's name where distributions write their entry points, as reading them all takes long."""
    for folder in sys.path:
        try:
            with os.scandir(folder or ".") as entries:
                found = [entry for entry in entries if entry.name.endswith((".dist-info", ".egg-info", ".egg"))]
        except NotADirectoryError:
            return True
        except OSError:
            continue
        if any(entry.name.endswith(".egg") or group in _entry_points_of(entry.path) for entry in found):
            return True
    return False


def _entry_points_of(folder: str) -> bytes:
    try:
        return Path(folder, "entry_points.txt").read_bytes()
    except OSError:
        return b""


def _registrations(given: Any, name: str) -> Iterator[Registration]:
    """Read what an entry point gives: a registration, or something like one, or a sequence of them."""
    if isinstance(given, Iterable):
        for one in given:
            yield from _registrations(one, name)
        return
    names = getattr(given, "names", None)
    if not isinstance(names, list | tuple) or not all(isinstance(each, str) for each in names):
        raise TypeError("expected a Registration, a sequence of them, or an object with `names` and `verify`")
    verifier = getattr(given, "verifier", given)
    interpreters = tuple(getattr(given, "interpreters", ()))
    yield Registration(tuple(names), _adapted(verifier, name), interpreters, getattr(given, "thorough", None))


def _adapted(given: Any, name: str) -> Verifier:
    """Make a verifier of anything with `verify(path, content)`, which answers `(ok, detail, skipped)`."""
    if isinstance(given, TextVerifier | ToolVerifier):
        return given
    verify = getattr(given, "verify", None)
    if not callable(verify):
        raise TypeError("a verifier needs a method verify(path, content)")
    called = str(getattr(given, "name", None) or name)

    async def asked(subject: Subject, _run: Runner) -> Verdict:
        from anyio import to_thread

        answer = await to_thread.run_sync(verify, str(subject.path), subject.text, abandon_on_cancel=True)
        return _verdict(await answer if isinstance(answer, Awaitable) else answer, called)

    limit = float(getattr(given, "time_limit_s", _TIME_LIMIT_S))
    return ToolVerifier(called, asked, time_limit_s=limit, reads_file=False)


def _verdict(answer: Any, name: str) -> Verdict:
    """Read an answer: three values, an object or a dict with these names. What is not said is not verified."""
    if isinstance(answer, Mapping):
        ok, detail, skipped = (answer.get(key) for key in ("ok", "detail", "skipped"))
    elif isinstance(answer, list | tuple):
        ok, detail, skipped = (*answer, None, None, None)[:3]
    else:
        ok, detail, skipped = (getattr(answer, key, None) for key in ("ok", "detail", "skipped"))
    if not isinstance(ok, bool):
        return Verdict(skipped=f"the {name} verifier gave no answer that can be read")
    text = str(detail) if detail else ""
    if skipped:
        return Verdict(skipped=text or "the verifier skipped the file")
    if ok:
        return Verdict(note=text or None)
    return Verdict(problems=(Problem("", 1, "high", f"{name}.failed", text or "the file does not verify"),))
