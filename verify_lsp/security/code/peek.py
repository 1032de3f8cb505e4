"""What the text alone says of a call, so that no tree is made for one that no rule can be about."""

import re
from functools import cached_property

from verify_lsp.security.code.bindings import STRETCH
from verify_lsp.security.code.mentions import is_mention
from verify_lsp.security.code.reach import may_be_built, may_be_tainted, may_read, on_one_line
from verify_lsp.security.code.sites import string_content
from verify_lsp.security.expressions import Expression, expression_at, name_at
from verify_lsp.security.match import Hit
from verify_lsp.security.patterns import found, matches_whole, names_match
from verify_lsp.security.rule import Arg, Bind, Call, Kind, Matcher
from verify_lsp.security.source import Source

_NAME_BYTES = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$."
_TEXT = re.compile(rb"(?:^|[^\w'\"])('[^'\"\\\n]{0,80}'|\"[^'\"\\\n]{0,80}\")\.\Z")
_BACK = 100
_OPENS = re.compile(rb"\w{0,40}(?:\.\w{1,40}){0,4}[ \t]{0,4}\(")
# What stands before a name that goes on to the left, `a().b`, `a?.b`, `a::b`, `a.\n b`, or that is no whole name, `$b`.
_GOES_ON = re.compile(rb"(?:[^\x00-\x7f]|[\w.$#?!)\]}'\"`\\>@-]|::|\*/\s*|(?:[.\\]|::)[ \t]*(?:(?://|#)[^\n]*)?\s+)\Z")
_ARGUMENT = re.compile(
    rb"\s{0,200}(?:(?P<none>\))|(?P<function>function\b[\s\w*]{0,60}\(|\([\w\s,]{0,80}\)\s?=>|\w{1,40}\s?=>)|(?P<object>\{)"
    rb"|(?:(?P<literal>'[^'\\\n]{0,400}'|\"[^\"\\\n]{0,400}\"|`[^`\\$\n]{0,400}`|\d\w{0,40})"
    rb"|(?P<name>[A-Za-z_]\w{0,80})(?P<rest>(?:\.[A-Za-z_]\w{0,80}){0,8}))\s{0,200}[,)])"
)
_NEVER_BUILT = frozenset({"function", "object"})
_ANY_OWNER = re.compile(r"\.\*\\\.(?:\w+|\(\?:(?:[\w|]|\\\$)+\))\Z")
_ARGUMENTS = 6
# A keyword argument, or what unpacks several.
_IS_NAMED = re.compile(rb"\w+\s*=(?!=)|\*|\.\.\.|&\w+\s*\Z")
_HAS_EDGE = re.compile(r"[\^$]|\\[zA]")
_Given = re.Match[bytes] | Expression


def may_match(source: Source, hit: Hit) -> bool:
    """Say whether the call that an anchor names can be one that the rule is about; True where the text does not tell.

    Calls around it do not count: their own names hold an anchor.
    """
    end = hit.offset + len(hit.word.encode())
    if not hit.word.endswith("("):
        opens = _OPENS.match(source.data, end) if hit.word[-1].isalnum() or hit.word[-1] in "._" else None
        if opens is None:
            return not is_mention(source, hit.offset, end)
        end = opens.end()
    if is_mention(source, hit.offset, end):
        return False
    call = _Peek(source, hit.offset, end)
    return any(
        _may_be_bound(matcher) or (isinstance(matcher, Call) and call.may_be(matcher)) for matcher in hit.rule.match
    )


class _Peek:
    """The call whose parenthesis opens right before `end`, and whose name holds `offset`."""

    def __init__(self, source: Source, offset: int, end: int) -> None:
        self._source = source
        self._offset = offset
        self._end = end

    def may_be(self, matcher: Call) -> bool:
        known = self._callee
        if known is None and self._method is not None and _ANY_OWNER.match(matcher.callee):
            known = f"?.{self._method}"  # Whatever it belongs to, the pattern asks for its own name alone.
        if known is not None and not names_match(matcher.callee, known):
            return False
        return not any(self._fails(condition) for condition in matcher.when)

    @cached_property
    def _name(self) -> tuple[bytes, bytes]:
        """What stands before the name, as far as it is looked at, and the name as far as it has letters and dots."""
        head = self._source.data[max(self._offset - _BACK, 0) : self._end - 1].rstrip()
        name = head[len(head.rstrip(_NAME_BYTES)) :].lstrip(b"0123456789.")
        return head[: len(head) - len(name)], name

    @cached_property
    def _callee(self) -> str | None:
        """The whole name, imports resolved; None where more belongs to it than letters and dots."""
        before, name = self._name
        if before.endswith((b"'.", b'".')):
            return self._method_of_text(before, name)
        if not name or (self._offset > _BACK and not before.strip()) or _GOES_ON.search(before):
            return None
        first, dot, rest = name.decode("ascii").partition(".")
        return self._source.names.get(first, first) + dot + rest

    @cached_property
    def _method(self) -> str | None:
        """The last part of a name, which follows a dot; None where none does."""
        before, name = self._name
        _, dot, last = name.rpartition(b".")
        return last.decode("ascii") if last and (dot or before.endswith(b".")) else None

    def _method_of_text(self, before: bytes, name: bytes) -> str | None:
        """The whole name of a method of a text, `", ".join`, which begins with what the text says."""
        text = _TEXT.search(before)
        return (
            None
            if text is None
            else f"{string_content(text.group(1).decode('utf-8', 'replace'))}.{name.decode('ascii')}"
        )

    @cached_property
    def _arguments(self) -> tuple[list[_Given], bool]:
        """The first arguments as far as their text tells where they end, and whether there are no others."""
        given: list[_Given] = []
        at, data = self._end, self._source.data
        while len(given) < _ARGUMENTS:
            plain = _ARGUMENT.match(data, at)
            if plain is None:
                expression = expression_at(data, at, is_argument=True)
                if expression is None or _IS_NAMED.match(expression.text):
                    break
                given.append(expression)
                closing, at = data[expression.end : expression.end + 1], expression.end + 1
            else:
                if plain.lastgroup != "none":
                    given.append(plain)
                if plain.lastgroup in _NEVER_BUILT:
                    break
                closing, at = plain.group()[-1:], plain.end()
            if closing == b")":
                return given, True
            if closing != b",":
                break
        return given, False

    def _fails(self, condition: Arg) -> bool:
        """Whether a condition cannot hold, as the text of the arguments shows."""
        plain, whole = self._arguments
        if condition.absent or not condition.at:
            return False
        first = condition.at[0]
        if first == "*":
            return whole and all(self._refutes(given, condition) for given in plain)
        if isinstance(first, int) and first < len(plain):
            return self._refutes(plain[first], condition)
        return whole

    def _refutes(self, given: _Given, condition: Arg) -> bool:
        if isinstance(given, Expression):
            return self._is_never(given, condition.kind) or (
                condition.text is not None and self._is_text_without(given, condition.text)
            )
        if given["literal"]:
            text = " ".join(given["literal"].decode("utf-8", "replace").split())
            return condition.kind not in {None, "literal"} or not matches_whole(condition.text, text)
        if given["name"] is None:
            return condition.kind == "built"
        if condition.kind == "built" and given["rest"]:
            return True
        name = name_at(given.start("name"), given["name"], given["rest"])
        return self._is_never(name, condition.kind) or (
            condition.text is not None and self._never_reads(given, condition.text)
        )

    def _is_never(self, given: Expression, kind: Kind | None) -> bool:
        """Whether an argument is not of a kind, whatever its names may be bound to."""
        if kind == "built":
            return not may_be_built(self._source, given)
        return kind == "tainted" and not may_be_tainted(self._source, given)

    @staticmethod
    def _is_text_without(given: Expression, pattern: str) -> bool:
        """Whether an argument begins as a text, so that no name stands for it, and a pattern is not found in it."""
        begins = given.text[:1] in {b"'", b'"', b"`"} and not _HAS_EDGE.search(pattern)
        return begins and not found(pattern, on_one_line(given.text))

    def _never_reads(self, given: re.Match[bytes], pattern: str) -> bool:
        """Whether neither a name nor what it may be bound to is a text that a pattern matches."""
        name, rest = given["name"].decode("ascii"), given["rest"].decode("ascii")
        if matches_whole(pattern, name + rest) or matches_whole(pattern, self._source.names.get(name, name) + rest):
            return False
        if rest:
            return True
        stretch = given.start("name") // STRETCH
        return not _HAS_EDGE.search(pattern) and not may_read(self._source, name, pattern, stretch)


def _may_be_bound(matcher: Matcher) -> bool:
    """Whether a rule is not about calls alone, or a value that it wants bound may hold one."""
    return not isinstance(matcher, Call | Bind) or (isinstance(matcher, Bind) and "(" in (matcher.value or "("))
