"""Parameters of functions that answer requests: their values come with the request."""

import re
from typing import TYPE_CHECKING

from verify_lsp.security.code.sites import Code
from verify_lsp.security.patterns import found_bytes
from verify_lsp.security.source import Source

if TYPE_CHECKING:
    from tree_sitter import Node

ROUTE = r"""@[\w.]+\.(?:get|post|put|patch|delete|route|api_route|websocket)\(\s*(?:path\s*=\s*)?r?["'](?:/|["'])"""
"""The decorator of such a function in Python, at the start of what it says."""

_TEXT = re.compile(r"^(?:str|Optional\[str\]|str \| None|list\[str\]|List\[str\]|Annotated\[str\b.*)$")
_FUNCTIONS = frozenset({"function_definition", "lambda"})


def has_route(source: Source) -> bool:
    """Say whether a text seems to hold any function that answers requests, and takes them as parameters."""
    if source.has_route is None:
        source.has_route = source.language == "python" and found_bytes(ROUTE, source.data)
    return source.has_route


def is_route_parameter(code: Code, name: "Node") -> bool:
    """Say whether a name is a text that a request brings to the function around it.

    What a route takes out of the path can hold no slash, unless the route says so, and is not counted.
    """
    if code.source.language != "python":
        return False
    function = name.parent
    while function is not None and function.type not in _FUNCTIONS:
        function = function.parent
    outer = None if function is None else function.parent
    if function is None or outer is None or outer.type != "decorated_definition":
        return False
    wanted = code.text(name)
    if not _is_text_parameter(code, function, wanted):
        return False
    routes = [text for child in outer.named_children if re.match(ROUTE, text := code.text(child))]
    segment = re.compile(rf"[{{<](?:\w+:)?{re.escape(wanted)}(?::\w+)?[}}>]")
    whole = re.compile(rf"\{{{re.escape(wanted)}:path\}}|<path:{re.escape(wanted)}>")
    return any(map(whole.search, routes)) or (bool(routes) and not any(map(segment.search, routes)))


def _is_text_parameter(code: Code, function: "Node", wanted: str) -> bool:
    parameters = function.child_by_field_name("parameters")
    for parameter in parameters.named_children if parameters is not None else ():
        name = parameter.child_by_field_name("name") or (
            parameter if parameter.type == "identifier" else parameter.named_children[0]
        )
        if code.text(name) != wanted:
            continue
        kind, default = parameter.child_by_field_name("type"), parameter.child_by_field_name("value")
        given_otherwise = default is not None and re.match(r"(?:\w+\.)?(?:Depends|Security)\(", code.text(default))
        return (kind is None or _TEXT.match(code.text(kind)) is not None) and not given_otherwise
    return False
