"""The verdict of a grammar on a text, for languages whose own compiler is not asked while somebody types."""

import re

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.syntax.languages import Language
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.code.syntax_errors import SyntaxFault, first_fault

MAX_CHARACTERS = 1_500_000
"""A longer text would take a grammar more than a quarter of a second."""

UNSURE = "this may be a syntax error, or syntax that our grammar does not know"

_TEMPLATE = re.compile(
    r"\{%[-+]?\s*\w[^%\n]*%\}|\{\{[-#/^>&!]?\s*[\w.$|() \"'-]+\s*-?\}\}|<%[=#-]?[^%\n]*%>|^[ \t]*\{\{-? ", re.MULTILINE
)
_FLOW = re.compile(r"^\s*(?:/\*(?:[^*]|\*(?!/))*@flow\b|//[^\n]*@flow\b)")
_QT_LINGUIST = re.compile(r"\s*(?:<\?xml|<!DOCTYPE TS)")
_FRONTMATTER = re.compile(r"(?:#!(?!\[)[^\n]*\n)?\s*---+", re.ASCII)
_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f]")
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "ksh", "mksh", "busybox"})
_BLANK_OR_COMMENT = re.compile(r"[\s\ufeff]+|//[^\n]*|/\*.*?\*/", re.DOTALL)


def verify_javascript(subject: Subject) -> Verdict:
    """JavaScript with JSX; Flow is skipped."""
    return verdict_of("javascript", "javascript", subject)


def verify_typescript(subject: Subject) -> Verdict:
    """TypeScript, by its name with or without JSX."""
    tsx = subject.path.suffix.lower() == ".tsx"
    return verdict_of("typescript", "tsx" if tsx else "typescript", subject)


def verify_rust(subject: Subject) -> Verdict:
    """Rust; cargo scripts with a manifest in front are skipped."""
    return verdict_of("rust", "rust", subject)


def verify_go(subject: Subject) -> Verdict:
    """Go. A file without a package clause is no Go file, and also an empty one is none."""
    if _nothing_but_comments(subject.text):
        message = "expected `package`: a Go file begins with its package clause"
        return Verdict((Problem("", 1, "high", "go.syntax", message),))
    return verdict_of("go", "go", subject)


def verify_shell(subject: Subject) -> Verdict:
    """Scripts for the Bourne shell and bash, as their first line says. The grammar is never certain of them."""
    shell = shell_of(subject.text)
    if shell is not None and shell not in _SHELLS:
        return Verdict(skipped=f"it is written for {shell}, and no parser for that is here")
    return verdict_of("shell", "shell", subject, matching=False)


def verdict_of(name: str, language: Language, subject: Subject, *, matching: bool = True) -> Verdict:
    """Return what the grammar of `language` says; the rule is called after `name`."""
    if len(subject.text) > MAX_CHARACTERS:
        return Verdict(skipped=f"it is too large to parse inline ({len(subject.text):,} characters)")
    fault = first_fault(language, subject.text, matching=matching)
    if fault is None:
        return Verdict()
    reason = other_kind(language, subject.text)
    if reason is not None:
        return Verdict(skipped=reason)
    return Verdict((problem_of(name, fault),))


def other_kind(language: Language, text: str) -> str | None:
    """Return why a text that does not parse is not judged, None where it is plainly meant to be the language."""
    if language == "javascript" and _FLOW.match(text):
        return "it is written in Flow, and no parser for that is here"
    if language == "typescript" and _QT_LINGUIST.match(text):
        return "it holds translations for Qt, not TypeScript"
    if language == "rust" and _FRONTMATTER.match(text):
        return "it is a cargo script with its manifest in front"
    if _NO_TEXT.search(text):
        return "it holds control characters, so that it is no source text"
    if _TEMPLATE.search(text):
        return "it is a template"
    return None


def problem_of(name: str, fault: SyntaxFault) -> Problem:
    """Return the problem: an error only where every dialect of the language has it."""
    message = fault.message if fault.certain else f"{fault.message} ({UNSURE})"
    severity: Severity = "high" if fault.certain else "medium"
    line = fault.line
    end_line = line if fault.end_column is not None else None
    return Problem("", line, severity, f"{name}.syntax", message, fault.column, end_line, fault.end_column)


def _nothing_but_comments(text: str) -> bool:
    at = 0
    while found := _BLANK_OR_COMMENT.match(text, at):
        at = found.end()
    return at == len(text)


def shell_of(text: str) -> str | None:
    """Return the shell that the `#!` line names, without its version; None without such a line."""
    if not text.startswith("#!"):
        return None
    words = text[2:].partition("\n")[0].split()
    if words and words[0].endswith("/env"):
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    name = words[0].rpartition("/")[2] if words else ""
    return re.sub(r"[\d.]+$", "", name) or None
