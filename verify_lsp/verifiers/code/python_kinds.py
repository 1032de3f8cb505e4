"""Files called `.py` that are no Python of today: templates, exported notebooks, Python 2. Looked at only after an error."""

import re
from pathlib import PurePath

from verify_lsp.verifiers.code.python_compile import fault_of

_JINJA_BLOCK = re.compile(
    r"\{%[-+]?\s*(?:if|elif|else|endif|for|endfor|set|endset|block|endblock|raw|endraw|include|import|from|macro|endmacro"
    r"|extends|call|filter|with|load|trans|comment|autoescape|verbatim)\b[^%\n]*%\}|\{#[^\n]*#\}"
)
_JINJA_VALUE = re.compile(r"\{\{[-+]?\s*[A-Za-z_][^{}\n]*?\}\}|\$\{[A-Za-z_][\w.]*\}|<%=?[^%\n]*%>")
_MAGIC = re.compile(r"^[ \t]*(?:%%?[A-Za-z]\w*|![^=\n]|\?{1,2}\w|[\w.]+\?{1,2}[ \t]*$)[^\n]*", re.MULTILINE)
_MAGIC_VALUE = re.compile(r"^([ \t]*[\w, ]+=\s*)[%!][^\n]*", re.MULTILINE)
_PYTHON_2_LINE = re.compile(r"#!.*\bpython2(?:\.\d)?\b")
_PYTHON_2 = re.compile(
    r"^[ \t]*(?P<statement>print\s+(?:[\"'\w]|>>|-?\d|%)|print\s*$|exec\s+[\"'\w]|except\s+[\w.]+\s*,\s*\w+\s*:"
    r"|except\s+\([^()]*\)\s*,\s*\w+\s*:|raise\s+[\w.]+\s*,)|\bur[\"']|(?<![\w.])0[0-7]+\b(?!\.)|\b\d+[lL]\b|<>|\bfrom\s+(?:urllib2|StringIO|cStringIO)\b"
    r"|^[ \t]*import\s+(?:urllib2|StringIO|cStringIO|ConfigParser|Queue)\b",
    re.MULTILINE,
)
# What no Python 2 accepts: a file with any of it was not written for it.
_PYTHON_3_ONLY = re.compile(
    r"(?<![\w'\"])[rR]?[fF][rR]?[\"']|\basync\s+(?:def|for|with)\b|\bawait\s|\bnonlocal\s|\)\s*->|:=|\byield\s+from\b"
    r"|^[ \t]*raise\s[^\n]*\bfrom\s|^[ \t]*\w+\s*:\s*[A-Za-z][\w.\[\], |]*(?:=|$)|\bprint\([^\n]*\b(?:end|sep|file|flush)=",
    re.MULTILINE,
)


def other_kind(path: PurePath, text: str) -> str | None:
    """Return what a text that does not compile is instead, as a sentence part; None when it is broken Python.

    Args:
        path: The file's path; templates show in it too ("{{cookiecutter.name}}/setup.py").
        text: Its text; it is compiled without the marks of the other kind, to prove that only these are in the way.
    """
    if path.suffix.lower() == ".ipy" or _is_notebook(text):
        return "a notebook's text with IPython magics"
    if _is_template(path, text):
        return "a template"
    if _is_python_2(text):
        return "written for Python 2"
    return None


def _is_template(path: PurePath, text: str) -> bool:
    if _JINJA_BLOCK.search(text) or any("{{" in part for part in path.parts):
        return True
    filled = _JINJA_VALUE.sub(lambda found: "_" * len(found[0]), text)
    return filled != text and fault_of(filled) is None


def _is_notebook(text: str) -> bool:
    """A line of a magic becomes `pass` at its own indent."""
    plain = _MAGIC.sub(_passed, text)
    plain = _MAGIC_VALUE.sub(r"\1None", plain)
    return plain != text and fault_of(plain) is None


def _passed(found: re.Match[str]) -> str:
    line = found[0]
    return line[: len(line) - len(line.lstrip())] + "pass"


def _is_python_2(text: str) -> bool:
    if _PYTHON_2_LINE.match(text):
        return True
    marks = list(_PYTHON_2.finditer(text))
    if not marks or _PYTHON_3_ONLY.search(text):
        return False
    # One `print` statement among calls is a slip of somebody who writes Python 3.
    return any(mark["statement"] for mark in marks) and not re.search(r"^[ \t]*print\(", text, re.MULTILINE)
