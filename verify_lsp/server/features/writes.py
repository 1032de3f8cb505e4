"""Files that were written outside of an open document: looked at in one pass, once they have come to rest."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from lsprotocol import types as lsp

from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import files, inline
from verify_lsp.server.inline.dirty import dirty_files, files_below, repository_around
from verify_lsp.server.texts.open_documents import file_key

MOST = 2_000
"""Files that one pass looks at; a tool that rewrites more than that is not a person at work."""

FEW = 20
"""Up to this many files, tools are asked about each as well."""


def arrived(server: VerifyServer, uris: Iterable[str]) -> None:
    """Take note of files that were written, made or removed, by whomever."""
    arrived_keys(server, {key for uri in uris if (key := file_key(uri)) is not None})


def arrived_keys(server: VerifyServer, keys: Iterable[str]) -> None:
    """As `arrived`, for keys."""
    server.session.writes.arrived(keys, lambda rested: server.in_background("looking at writes", _pass(server, rested)))


def watched(server: VerifyServer, params: lsp.DidChangeWatchedFilesParams) -> None:
    """Look anew at files that were written or removed, by whomever."""
    arrived(server, (event.uri for event in params.changes))


def created(server: VerifyServer, params: lsp.CreateFilesParams) -> None:
    """Look at files that are new, or back."""
    arrived(server, (file.uri for file in params.files))


def renamed(server: VerifyServer, params: lsp.RenameFilesParams) -> None:
    """Let findings go with their files, and look at these under their new names."""
    arrived_keys(server, files.renamed(server, params))


def deleted(server: VerifyServer, params: lsp.DeleteFilesParams) -> None:
    """Take down what was shown of files and folders that are gone."""
    files.deleted(server, params)
    arrived(server, (file.uri for file in params.files))


def look_anew(server: VerifyServer) -> None:
    """Look again at what is open or shown when the settings that hold for it, or what may be run, have changed."""
    if inline.look_anew(server):
        session = server.session
        arrived_keys(server, session.layers.files() - set(session.documents.by_key))


async def _pass(server: VerifyServer, rested: set[str]) -> None:
    session = server.session
    # Other files may count as ignored now.
    ruled_anew = {str(Path(key).parent) for key in rested if Path(key).name == ".gitignore"}
    keys = rested | _below(session.layers.files(), _folders(rested) | ruled_anew)
    touched = files.look_at_files(server, keys & session.layers.files())
    session.seen.stir()
    worth = await _worth_a_look(server, keys)
    for key in keys - set(worth) - set(session.documents.by_key):
        # Back at the last commit, ignored, or gone: nothing of it is anybody's doing now.
        touched |= inline.forget(server, key)
    for key in worth[:MOST]:
        if key not in session.documents.by_key:  # It may have been opened in the meantime.
            touched |= inline.look(server, key, tell=False)
            await asyncio.sleep(0)  # Requests get their turn in between.
    session.showing.update(touched, settled=True)
    if len(worth) > MOST:
        server.log_message(f"verify-lsp: {len(worth)} files were written at once; {MOST} of them were looked at")
    for key in worth if len(worth) <= FEW else ():
        inline.ask_around(server, key)


async def _worth_a_look(server: VerifyServer, keys: set[str]) -> list[str]:
    """Return the files that lie in an open folder and differ from the last commit, or that no repository knows of."""
    session = server.session
    worth: set[str] = set()
    by_place: dict[Path, set[str]] = {}
    nearest: dict[Path, Path] = {}
    for key in keys - set(session.documents.by_key):
        if (folder := session.folders.owner(key)) is not None:
            parent = Path(key).parent
            if parent not in nearest:
                nearest[parent] = repository_around(parent, Path(folder.key))
            by_place.setdefault(nearest[parent], set()).add(key)
    for place, inside in by_place.items():
        dirty = await dirty_files(place)
        if dirty is None:
            moved = _folders(inside)
            worth |= (inside - moved).union(*(files_below(Path(key)) for key in moved))
        else:
            worth |= (inside & dirty) | _below(dirty, _folders(inside))
    return sorted(worth - set(session.documents.by_key))


def _folders(keys: set[str]) -> set[str]:
    """Return those that are folders, or were: a folder that is moved is told of by its own name alone."""
    return {key for key in keys if not Path(key).is_file()}


def _below(files_known: Iterable[str], folders: set[str]) -> set[str]:
    if not folders:
        return set()
    return {key for key in files_known if any(str(parent) in folders for parent in Path(key).parents)}
