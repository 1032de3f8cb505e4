"""`verify/awaitFresh`: the diagnostics of exactly the content that is asked for, so that nobody acts on old ones."""

import asyncio
import hashlib
from pathlib import Path
from typing import Any

from verify_lsp.model.errors import UsageError
from verify_lsp.server import params
from verify_lsp.server.base import VerifyServer
from verify_lsp.server.features import configuration, files, inline
from verify_lsp.server.inline.seen import digest_of
from verify_lsp.server.texts.disk import look_at
from verify_lsp.server.texts.document import Document
from verify_lsp.server.texts.open_documents import document_key

LIMIT_MS = 10_000
LONGEST_MS = 600_000
_LOOK_EVERY_S = 0.1


async def await_fresh(server: VerifyServer, asked: params.AwaitFresh, _: params.Token | None) -> dict[str, Any]:
    """Answer once every inline check has seen the content; `fresh` is false, with the reason, when that cannot be.

    Raises:
        UsageError: The address is of no file, or the limit is out of range.
    """
    key = document_key(asked.uri)
    if key is None:
        raise UsageError(f"uri: not the address of a file: {asked.uri}")
    limit_ms = LIMIT_MS if asked.timeout_ms is None else asked.timeout_ms
    if not 0 <= limit_ms <= LONGEST_MS:
        raise UsageError(f"timeoutMs: expected a whole number from 0 to {LONGEST_MS}")
    await configuration.known(server)
    try:
        async with asyncio.timeout(limit_ms / 1000):
            reason = await _seen(server, key, asked)
    except TimeoutError:
        reason = f"not within {limit_ms} ms: {_what_is_there(server, key, asked)}"
    answer: dict[str, Any] = {"fresh": reason is None, "diagnostics": server.session.showing.diagnostics(key)}
    seen = server.session.seen.of(key)
    if reason is None and seen is not None and seen.skipped is not None:
        reason = f"seen, but not verified: {seen.skipped}"
    return answer if reason is None else {**answer, "reason": reason}


async def _seen(server: VerifyServer, key: str, asked: params.AwaitFresh) -> str | None:
    """Return None once the content has been seen, or why it never will be."""
    session = server.session
    while True:
        document = session.documents.by_key.get(key)
        if document is not None and _is_past(document, asked.version):
            return f"the document is at version {document.version} already"
        if document is None and asked.version is not None:
            return "the document is not open, so that it has no version"
        if _is_there(document, key, asked):
            if document is None:
                session.showing.update(files.look_at_files(server, {key} & session.layers.files()), settled=True)
            await inline.look_wholly(server, key)
            if _is_there(session.documents.by_key.get(key), key, asked) and _is_seen(server, key):
                return None
        await session.seen.change(_LOOK_EVERY_S)


def _is_past(document: Document, version: int | None) -> bool:
    return version is not None and document.version is not None and document.version > version


def _is_there(document: Document | None, key: str, asked: params.AwaitFresh) -> bool:
    """Return whether the content that is asked for is what the editor has, or what is on disk."""
    if document is not None:
        if asked.version is not None and document.version != asked.version:
            return False
        text = document.text()
        return text is not None and asked.sha256 in (None, digest_of(text), *_with_a_mark(text))
    if asked.sha256 is None:
        return look_at(Path(key)).text is not None
    try:
        return hashlib.sha256(Path(key).read_bytes()).hexdigest() == asked.sha256.lower()
    except OSError:
        return False


def _with_a_mark(text: str) -> tuple[str, ...]:
    """Editors keep a byte order mark to themselves, so that the digest of the file is another one."""
    return () if text.startswith("\ufeff") else (digest_of("\ufeff" + text),)


def _is_seen(server: VerifyServer, key: str) -> bool:
    session = server.session
    seen, now = session.seen.of(key), inline.found_now(server, key)
    return now is None or (seen is not None and seen.whole and seen.digest == digest_of(now[0]))


def _what_is_there(server: VerifyServer, key: str, asked: params.AwaitFresh) -> str:
    document = server.session.documents.by_key.get(key)
    if document is None:
        return "the file is not there" if not Path(key).exists() else "its content on disk is another one"
    if asked.version is not None and document.version != asked.version:
        return f"the document is at version {document.version}"
    if not _is_there(document, key, asked):
        return "the text in the editor is another one"
    return "the checks are not done yet"
