"""What the text alone says of a call, so that no tree is made for one that no rule can be about."""

import re
from functools import cached_property

from verify_lsp.security.code.bindings import places_of
from verify_lsp.security.code.values import sources_pattern
from verify_lsp.security.match import Hit
from verify_lsp.security.patterns import found, matches_whole, names_match
from verify_lsp.security.rule import Arg, Bind, Call, Matcher
from verify_lsp.security.source import Source

_NAME = re.compile(rb"[A-Za-z_][\w.]*\Z")
_BACK = 100
_OPENS = re.compile(rb"\w{0,40}[ \t]{0,4}\(")
# What stands before a name that goes on to the left, `a().b`, `a?.b`, `a::b`, `a.\n b`, or that is no whole name, `$b`.
_GOES_ON = re.compile(rb"(?:[^\x00-\x7f]|[\w.$#?!)\]}'\"`\\>@-]|::|(?:[.\\]|::)\s+)\Z")
_ARGUMENT = re.compile(
    rb"\s{0,200}(?:(?P<none>\))|(?P<function>function\b[\s\w*]{0,60}\(|\([\w\s,]{0,80}\)\s?=>|\w{1,40}\s?=>)|(?P<object>\{)"
    rb"|(?:(?P<literal>'[^'\\\n]{0,400}'|\"[^\"\\\n]{0,400}\"|`[^`\\$\n]{0,400}`|\d\w{0,40})"
    rb"|(?P<name>[A-Za-z_]\w{0,80})(?P<rest>(?:\.[A-Za-z_]\w{0,80}){0,8}))\s{0,200}[,)])"
)
_NEVER_BUILT = frozenset({"function", "object"})
_ARGUMENTS = 6


def may_match(source: Source, hit: Hit) -> bool:
    """Say whether the call that an anchor names can be one that the rule is about; True where the text does not tell.

    Calls around it do not count: their own names hold an anchor.
    """
    end = hit.offset + len(hit.word.encode())
    if not hit.word.endswith("("):
        opens = _OPENS.match(source.data, end) if hit.word[-1].isalnum() or hit.word[-1] in "._" else None
        if opens is None:
            return True
        end = opens.end()
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
        if any(self._fails(condition) for condition in matcher.when):
            return False
        return self._callee is None or names_match(matcher.callee, self._callee)

    @cached_property
    def _callee(self) -> str | None:
        """The whole name, imports resolved; None where more belongs to it than letters and dots."""
        start = max(self._offset - _BACK, 0)
        head = self._source.data[start : self._end - 1].rstrip()
        name = _NAME.search(head)
        before = b"" if name is None else head[: name.start()]
        if name is None or (start > 0 and not before.strip()) or _GOES_ON.search(before):
            return None
        first, dot, rest = name.group().decode("ascii").partition(".")
        return self._source.names.get(first, first) + dot + rest

    @cached_property
    def _arguments(self) -> tuple[list[re.Match[bytes]], bool]:
        """The first arguments as far as they are plain, and whether there are no others."""
        plain: list[re.Match[bytes]] = []
        at = self._end
        while len(plain) < _ARGUMENTS and (given := _ARGUMENT.match(self._source.data, at)) is not None:
            if given.lastgroup != "none":
                plain.append(given)
            if given.lastgroup in {"function", "object"}:
                break
            if given.group().endswith(b")"):
                return plain, True
            at = given.end()
        return plain, False

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

    def _refutes(self, given: re.Match[bytes], condition: Arg) -> bool:
        if given["literal"]:
            text = " ".join(given["literal"].decode("utf-8", "replace").split())
            return condition.kind not in {None, "literal"} or not matches_whole(condition.text, text)
        if condition.kind == "built":
            return given.lastgroup in _NEVER_BUILT or bool(given["rest"]) or not self._is_bound(given["name"])
        return condition.kind == "tainted" and given["name"] is not None and not self._may_be_tainted(given)

    def _may_be_tainted(self, given: re.Match[bytes]) -> bool:
        language = self._source.language or ""
        # In Python, the parameters of a function that answers requests come with them.
        if language == "python" or self._is_bound(given["name"]):
            return True
        pattern = sources_pattern(language)
        return pattern is not None and found(pattern, (given["name"] + given["rest"]).decode("ascii"))

    def _is_bound(self, name: bytes) -> bool:
        return bool(places_of(self._source, name.decode("ascii"), self._end))


def _may_be_bound(matcher: Matcher) -> bool:
    """Whether a rule is not about calls alone, or a value that it wants bound may hold one."""
    return not isinstance(matcher, Call | Bind) or (isinstance(matcher, Bind) and "(" in (matcher.value or "("))
