"""What a language server says about some files, once it has surely looked at them."""

import os
from pathlib import Path

import anyio
import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.toolchains.base import LanguageServer, Unreadable

QUIET_S = 0.5
"""After everything was answered, a push may still be on its way: this long nothing must come."""


@attrs.frozen
class Collected:
    """The problems of the files asked about, with paths as asked, and who found them."""

    problems: tuple[Problem, ...]
    version: str | None


async def collect(
    server: LanguageServer, folder: Path, files: tuple[str, ...], *, limit_s: float, environment: dict[str, str]
) -> Collected | Unreadable:
    """Open the files in a fresh server and return its diagnostics when they have settled.

    Args:
        folder: Absolute; the server's root, and what `files` are relative to.
        limit_s: Seconds for the whole conversation. Past them the answer is `Unreadable`: silence proves nothing.
        environment: Of the server process, PATH included.
    """
    from verify_lsp.langservers.session import ServerGoneError, opened_session

    texts = {name: text for name in files if (text := _text(folder / name)) is not None and _language(server, name)}
    if not texts:
        return Unreadable(f"{server.tool} knows none of the changed files", broke=False)
    try:
        with anyio.fail_after(limit_s):
            async with opened_session(server, folder, environment) as session:
                for name, text in texts.items():
                    session.open(name, _language(server, name), text)
                problems = await session.settled(tuple(texts), quiet_s=QUIET_S)
                return Collected(problems, session.version)
    except TimeoutError:
        return Unreadable(f"{server.tool} had not settled after {limit_s:g} s", broke=False)
    except FileNotFoundError:
        return Unreadable(f"{server.tool} is not installed", broke=False)
    except ServerGoneError as error:
        return Unreadable(f"{server.tool} {error}")


def _language(server: LanguageServer, name: str) -> str:
    return server.languages.get(os.path.splitext(name)[1].lower(), "")  # noqa: PTH122  # a string is at hand.


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
