"""The `initialize` request, cut down to what we use of it.

Clients tell of many capabilities, in words newer than ours, and some of them wrongly. None of that
is a reason to refuse a client, as long as the few things we need to know can be read.
"""

from collections.abc import Mapping
from typing import Any

_FLAGS: tuple[tuple[str, ...], ...] = (
    ("workspace", "configuration"),
    ("workspace", "workspaceFolders"),
    ("workspace", "didChangeWatchedFiles", "dynamicRegistration"),
    ("workspace", "applyEdit"),
    ("workspace", "diagnostics", "refreshSupport"),
    ("workspace", "workspaceEdit", "documentChanges"),
    ("workspace", "fileOperations", "didCreate"),
    ("workspace", "fileOperations", "didRename"),
    ("workspace", "fileOperations", "didDelete"),
    ("window", "workDoneProgress"),
    ("window", "showDocument", "support"),
)
_OPERATIONS = ("create", "rename", "delete")


def cut_down(params: Any) -> Any:
    """Return the params with what we use and can read; what has no capabilities at all comes back as it is."""
    if not isinstance(params, Mapping) or not isinstance(params.get("capabilities"), Mapping):
        return params
    return {
        "processId": _of(int, params.get("processId")),
        "clientInfo": _client(params.get("clientInfo")),
        "rootUri": _of(str, params.get("rootUri")),
        "rootPath": _of(str, params.get("rootPath")),
        "workspaceFolders": _folders(params.get("workspaceFolders")),
        "initializationOptions": params.get("initializationOptions"),
        "capabilities": _capabilities(params["capabilities"]),
    }


def _capabilities(told: Mapping[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for names in _FLAGS:
        if isinstance(flag := _at(told, names), bool):
            place = kept
            for name in names[:-1]:
                place = place.setdefault(name, {})
            place[names[-1]] = flag
    if isinstance(_at(told, ("textDocument", "diagnostic")), Mapping):
        kept.setdefault("textDocument", {})["diagnostic"] = {}
    resolved = _at(told, ("textDocument", "codeAction", "resolveSupport", "properties"))
    if isinstance(resolved, list):
        properties = [name for name in resolved if isinstance(name, str)]
        kept.setdefault("textDocument", {})["codeAction"] = {"resolveSupport": {"properties": properties}}
    operations = _at(told, ("workspace", "workspaceEdit", "resourceOperations"))
    if isinstance(operations, list):
        known = [name for name in operations if name in _OPERATIONS]
        kept.setdefault("workspace", {}).setdefault("workspaceEdit", {})["resourceOperations"] = known
    encodings = _at(told, ("general", "positionEncodings"))
    if isinstance(encodings, list):
        kept["general"] = {"positionEncodings": [name for name in encodings if isinstance(name, str)]}
    return kept


def _at(value: Any, names: tuple[str, ...]) -> Any:
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _of(kind: type, value: Any) -> Any:
    return value if type(value) is kind else None


def _client(told: Any) -> dict[str, str] | None:
    name = told.get("name") if isinstance(told, Mapping) else None
    return {"name": name} if isinstance(name, str) else None


def _folders(told: Any) -> list[dict[str, str]] | None:
    if not isinstance(told, list):
        return None
    uris = (folder.get("uri") for folder in told if isinstance(folder, Mapping))
    return [{"uri": uri, "name": uri} for uri in uris if isinstance(uri, str)]
