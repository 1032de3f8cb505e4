"""What `compile()` of this Python says about a text, with the place as people count it."""

import ast
import re
import sys
import threading
import warnings
from types import CodeType

import attrs

MAX_CHARACTERS = 4_000_000
"""A longer text would keep the caller waiting for more than half a second."""

# Warnings are a setting of the whole process, so that two threads must not set and reset them at once.
_QUIET = threading.Lock()


@attrs.frozen
class Fault:
    """Why a text is no Python.

    Attributes:
        message: CPython's words.
        line: 1-based; lines end at a line feed and nowhere else.
        column: 1-based, in code points; None where the compiler does not know it.
        end_line: None where there is no extent.
        end_column: Exclusive.
    """

    message: str
    line: int
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


@attrs.frozen
class Beyond:
    """The compiler cannot tell; `reason` is a sentence part."""

    reason: str


def fault_of(text: str) -> Fault | Beyond | None:
    """Return what is wrong with `text`, None when it compiles. Nothing is run, written or printed."""
    if len(text) > MAX_CHARACTERS:
        return Beyond(f"it is too large to compile inline ({len(text):,} characters)")
    offset = text.startswith("\ufeff")
    try:
        compiled(text[offset:])
    except SyntaxError as error:
        return fault_in(text, error, sys.version_info[:2])
    except UnicodeEncodeError as error:
        return Beyond(f"it holds half of a surrogate pair (U+{ord(text[error.start + offset]):04X}), which no file can")
    except ValueError as error:
        return _null_byte(text) or Fault(str(error), 1)
    except (RecursionError, MemoryError, OverflowError):
        return Beyond("it is nested too deeply for the compiler of this Python")
    return None


def fault_in(text: str, error: SyntaxError, version: tuple[int, int]) -> Fault:
    """Return what an error says, which the compiler of Python `version` raised for `text` without its byte order mark."""
    message = _words(error.msg)
    if "null byte" in message and (fault := _null_byte(text)):
        return fault
    if not error.lineno:
        return Fault(message, 1)
    if isinstance(error, IndentationError):
        return _indentation(text, message, error.lineno)
    place = _Places(text)
    line, column = place.of(error.lineno, error.offset or 1)
    # Up to 3.11 an expression in an f-string is compiled for itself, and its columns count from there.
    if not error.offset or (message.startswith("f-string: ") and version < (3, 12)):
        return Fault(message, line)
    message = _nearer(message, text, line, column)
    end = (getattr(error, "end_lineno", None) or 0, getattr(error, "end_offset", None) or 0)
    if end > (error.lineno, error.offset) and end[1] > 0:
        return Fault(message, line, column, *place.of(*end))
    return Fault(message, line, column)


def compiled(source: str | ast.Module, flags: int = 0) -> CodeType:
    """Compile as `compile()` does, but for itself alone, and with its warnings unheard."""
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code: CodeType = compile(source, "<text>", "exec", flags=flags, dont_inherit=True)
        return code


def parsed(source: str, flags: int = 0) -> ast.Module:
    """Return the tree of a text, likewise."""
    with _QUIET, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree: ast.Module = compile(source, "<text>", "exec", flags=flags | ast.PyCF_ONLY_AST, dont_inherit=True)
        return tree


def plain_lines(text: str) -> str:
    """Return `text` with line feeds alone, as the compiler takes it: to it, a lone carriage return ends a line too."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _indentation(text: str, message: str, python_line: int) -> Fault:
    """CPython points at the end of the line, or at its first word; what is wrong is the white space before it."""
    place = _Places(text)
    start = place.offset(python_line, 1)
    indent = re.compile(r"[ \t\f]*").match(text, start)
    line, column = place.at(start)
    width = len(indent[0]) if indent else 0
    if width:
        return Fault(message, line, column, line, column + width)
    return Fault(message, line, column)


def _null_byte(text: str) -> Fault | None:
    at = text.find("\0")
    if at < 0:
        return None
    line, column = _Places(text).at(at)
    return Fault("the file holds a null byte, which Python refuses", line, column, line, column + 1)


def _words(message: str) -> str:
    """Keep CPython's words, less what only speaks of its insides."""
    if found := re.match(r"\(unicode error\) '\w+' codec can't decode bytes in position \d+-\d+: (.+)", message):
        return f"wrong escape in a string: {found[1]}"
    return message


def _nearer(message: str, text: str, line: int, column: int) -> str:
    """Say at which sign or word the syntax is invalid. The text of a string is never quoted."""
    if message != "invalid syntax":
        return message
    lines = text.split("\n", line)
    token = re.match(r"\w{1,40}\b|[^\w\s'\"]", lines[line - 1][column - 1 :]) if line <= len(lines) else None
    if token:
        return f"invalid syntax at `{token[0]}`"
    return "invalid syntax: the line ends too early" if column > len(lines[line - 1].rstrip()) else message


class _Places:
    """Turns the compiler's places into ours."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [1 if text.startswith("\ufeff") else 0]
        self._starts += [found.end() for found in re.finditer(r"\r\n|\r|\n", text)]

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a place of the compiler's."""
        if line > len(self._starts):
            return len(self._text)
        return min(self._starts[line - 1] + max(column, 1) - 1, len(self._text))

    def of(self, line: int, column: int) -> tuple[int, int]:
        """Return our line and column of a place of the compiler's."""
        start = self.offset(line, 1)
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        own = len(self._text[start:end].rstrip("\r\n"))
        # At the end of a line the compiler may point beyond it.
        return self.at(start + min(max(column, 1) - 1, own))

    def at(self, offset: int) -> tuple[int, int]:
        """Return our line and column of an offset in the text."""
        return self._text.count("\n", 0, offset) + 1, offset - self._text.rfind("\n", 0, offset)
