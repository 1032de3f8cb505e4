"""Calls a verifier so that nothing it does, whether ours or a plugin's, is worse than a skipped file."""

from collections.abc import Callable
from typing import TypeVar

import attrs

from verify_lsp.verifiers.base import Runner, Subject, TextVerifier, ToolVerifier, Verdict

T = TypeVar("T")

_SHOWN = 200


@attrs.frozen
class Failed:
    """What was called raised; `reason` names the error on one line."""

    reason: str


def attempted(act: Callable[[], T]) -> T | Failed:
    """Return what `act` returns, or what it raised."""
    try:
        return act()
    except Exception as error:  # noqa: BLE001  # a plugin may raise anything
        return Failed(_named(error))


def judge(verifier: TextVerifier, subject: Subject) -> Verdict:
    """Return the verdict; a verifier that raises has skipped the file."""
    try:
        return verifier.verify(subject)
    except RecursionError:
        return Verdict(skipped="too deeply nested to be verified")
    except Exception as error:  # noqa: BLE001  # one broken verifier must not take the others along
        return Verdict(skipped=f"the {verifier.name} verifier failed: {_named(error)}")


async def ask(verifier: ToolVerifier, subject: Subject, run: Runner) -> Verdict:
    """Return the verdict; a verifier that raises, or takes longer than it may, has skipped the file."""
    import anyio

    try:
        with anyio.fail_after(verifier.time_limit_s):
            return await verifier.verify(subject, run)
    except TimeoutError:
        return Verdict(skipped=f"the {verifier.name} verifier took longer than {verifier.time_limit_s:g} s")
    except Exception as error:  # noqa: BLE001  # as above
        return Verdict(skipped=f"the {verifier.name} verifier failed: {_named(error)}")


def _named(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"[:_SHOWN] if text else type(error).__name__
