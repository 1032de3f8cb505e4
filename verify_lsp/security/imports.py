"""What the names of a file stand for, as its imports say."""

import re
from collections.abc import Iterator, Mapping

from verify_lsp.syntax.languages import Language

_LIMIT = 200_000
_INDENT = 100
_PYTHON_FROM = re.compile(
    r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^()]{0,5000})\)|([^\n(]{1,1000}))", re.MULTILINE
)
_PYTHON_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^\n#;]{1,500})", re.MULTILINE)
_PYTHON_NAME = re.compile(r"([.\w]+)(?:\s+as\s+(\w+))?")
_SCRIPT_IMPORT = re.compile(
    r"^[ \t]*import\s+(?!type\b)([^;'\"]{1,2000}?)\s*from\s*['\"]([^'\"\n]{1,200})['\"]", re.MULTILINE
)
_SCRIPT_REQUIRE = re.compile(
    r"\b(?:const|let|var)\s+(\w+|\{[^{}]{0,1000}\})\s*=\s*(?:await\s+import|require)\(\s*['\"]([^'\"\n]{1,200})['\"]\s*\)"
    r"(?:\.(\w+))?"
)
_SCRIPT_PROMISED = re.compile(
    r"\b(\w+)\s*=\s*(?:util\.)?promisify\(\s*(?:require\(\s*['\"]([^'\"\n]{1,200})['\"]\s*\)\.)?(\w+(?:\.\w+)?)\s*\)"
)
_SCRIPT_NAMED = re.compile(r"\{([^{}]*)\}")
_SCRIPT_NAME = re.compile(r"(\w+)(?:\s*(?:\bas\b|:)\s*(\w+))?")
_SCRIPT_WHOLE = re.compile(r"^\s*(?:\*\s*as\s+)?(\w+)")
_GO_BLOCK = re.compile(r"^import[ \t]*(?:\(([^()]{0,20000})\)|([^\n(]{1,300}))", re.MULTILINE)
_GO_NAME = re.compile(r"(?:(\w+|[._])[ \t]+)?\"([^\"\n]{1,300})\"")
_GO_VERSION = re.compile(r"^v\d+$")


def names_of(language: Language, text: str) -> Mapping[str, str]:
    """Return for each imported name its full one: `{"l": "yaml.load"}`. Only the head of a long text is read."""
    head = text[:_LIMIT]
    match language:
        case "python":
            return dict(_python(head))
        case "javascript" | "typescript" | "tsx":
            return dict(_script(head))
        case "go":
            return dict(_go(head))
        case _:
            return {}


def _statements(word: str, pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what a pattern matches where a line begins with a word: to look for the word first is many times as fast."""
    at = text.find(word)
    while at >= 0:
        before = text[max(at - _INDENT, 0) : at]
        line = before.rstrip(" \t")
        if not line or line.endswith("\n"):
            found = pattern.match(text, at - len(before) + len(line))
            if found is not None:
                yield found
        at = text.find(word, at + 1)


def _python(text: str) -> Iterator[tuple[str, str]]:
    for imported in _statements("import", _PYTHON_IMPORT, text):
        for name in _PYTHON_NAME.finditer(imported.group(1)):
            if name.group(2):
                yield name.group(2), name.group(1)
    for imported in _statements("from", _PYTHON_FROM, text):
        module, names = imported.group(1), re.sub(r"#[^\n]*", "", imported.group(2) or imported.group(3) or "")
        for name in _PYTHON_NAME.finditer(names):
            yield name.group(2) or name.group(1), f"{module}.{name.group(1)}"


def _script(text: str) -> Iterator[tuple[str, str]]:
    for imported in _statements("import", _SCRIPT_IMPORT, text):
        yield from _script_names(imported.group(1), imported.group(2))
    for required in _SCRIPT_REQUIRE.finditer(text) if "require(" in text or "import(" in text else ():
        module = required.group(2) + (f".{required.group(3)}" if required.group(3) else "")
        yield from _script_names(required.group(1), module)
    if "promisify" not in text:
        return
    known = {
        name: full for imported in _SCRIPT_IMPORT.finditer(text) for name, full in _script_names(*imported.groups())
    }
    for promised in _SCRIPT_PROMISED.finditer(text):
        name, module, of = promised.groups()
        first, dot, rest = of.partition(".")
        yield name, f"{module.removeprefix('node:')}.{of}" if module else known.get(first, first) + dot + rest


def _script_names(names: str, module: str) -> Iterator[tuple[str, str]]:
    module = module.removeprefix("node:")
    named = _SCRIPT_NAMED.search(names)
    for name in _SCRIPT_NAME.finditer(named.group(1)) if named else ():
        yield name.group(2) or name.group(1), f"{module}.{name.group(1)}"
    whole = _SCRIPT_WHOLE.match(names)
    if whole:
        yield whole.group(1), module


def _go(text: str) -> Iterator[tuple[str, str]]:
    for block in _GO_BLOCK.finditer(text):
        for name in _GO_NAME.finditer(block.group(1) or block.group(2) or ""):
            path = name.group(2)
            parts = path.split("/")
            last = parts[-2] if len(parts) > 1 and _GO_VERSION.match(parts[-1]) else parts[-1]
            yield name.group(1) or last, path
