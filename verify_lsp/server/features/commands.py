"""`workspace/executeCommand`: our requests under the names of commands, for clients that know only those."""

from typing import Any

from verify_lsp.model.errors import UsageError
from verify_lsp.server import params


def argument(command: params.Command, token: params.Token | None) -> Any:
    """Return the one params object of a command; the command's progress token goes with it.

    Raises:
        UsageError: It was given several.
    """
    arguments = command.arguments or ()
    if len(arguments) > 1:
        raise UsageError(f"arguments: {command.command} takes one params object, got {len(arguments)}")
    raw = arguments[0] if arguments else {}
    return {"workDoneToken": token, **raw} if token is not None and isinstance(raw, dict) else raw
