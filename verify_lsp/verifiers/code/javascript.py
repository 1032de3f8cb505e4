"""JavaScript: what the grammar doubts is held against Node, which parses a saved file and runs nothing of it."""

import re

import attrs

from verify_lsp.model.command import RESULTS, Command
from verify_lsp.model.finding import Problem
from verify_lsp.system.environment import search_path
from verify_lsp.toolchains.output import code_point_column, head
from verify_lsp.verifiers.base import Runner, Subject, Verdict
from verify_lsp.verifiers.code.grammar_text import verify_javascript
from verify_lsp.verifiers.code.known_gaps import respelled

TIME_LIMIT_S = 10.0

_ERROR = re.compile(r"^SyntaxError: (?P<message>.+)$", re.MULTILINE)
_DIALECT = re.compile(
    r"(?:return|[=(,?:&|>{])\s*<(?:[A-Za-z][\w.]*[\s/>]|>)|^\s*@\w[\w.]*(?:\(|\s)|\baccessor\s+\w", re.MULTILINE
)
_MODULE = re.compile(r"^[ \t]*(?:import\s*[\w{*\"'$]|export\s*[\w{*])|^await\b|\bimport\.meta\b", re.MULTILINE)
# A file that is bundled, or transpiled, is no file for Node; what it says of such words is no news.
_OTHER_MODULE = re.compile(
    r"import statement outside a module|import\.meta|^Unexpected token 'export'|await is only valid|^Unexpected reserved word"
    r"|Unexpected strict mode reserved word|does not provide an export|Unexpected token '<'|Cannot use import"
)
# Errors that no grammar sees, and that hold in every module system and every dialect.
_BEYOND_GRAMMAR = re.compile(
    r"has already been declared$|^Invalid regular expression: |^Illegal (?:break|continue) statement|^Undefined label"
    r"|^Duplicate export of|^Missing initializer in const declaration$|^Invalid left-hand side in"
)


async def verify_javascript_with_node(subject: Subject, run: Runner) -> Verdict:
    """Return Node's word where it can tell, the grammar's where it cannot.

    Node's yes ends the grammar's doubts. Its no is an error only where the grammar says so too, or for what no grammar
    can see, such as a name declared twice: JSX, decorators and proposals are no JavaScript to Node.
    """
    quick = verify_javascript(subject)
    if quick.skipped or subject.path.suffix.lower() == ".jsx":
        return quick
    # Of a `.js` that turns out to be a module, `node --check` says yes without having parsed it.
    is_module = subject.path.suffix.lower() not in {".cjs", ".mjs"} and _MODULE.search(subject.text) is not None
    if is_module and RESULTS not in subject.text:
        said = await _said(subject, run, f"{RESULTS}/text.mjs", {"text.mjs": subject.text})
    else:
        said = await _said(subject, run, str(subject.path), {})
    if said is None:
        return attrs.evolve(quick, note="parsed by a grammar, as node is not here") if quick.problems else quick
    return Verdict() if said == "" else _judged(subject, quick, said)


def _judged(subject: Subject, quick: Verdict, said: str) -> Verdict:
    words = _words(said)
    if _OTHER_MODULE.search(words):
        return quick
    problem = _problem(subject.text, said, words)
    if _BEYOND_GRAMMAR.search(words):
        return Verdict((problem,))
    if _is_dialect(subject.text):
        return quick
    if not quick.problems:
        message = f"{words} (Node refuses this, while our grammar takes it)"
        return Verdict((attrs.evolve(problem, severity="medium", message=message),))
    # Of a bracket without a partner, our own look says more.
    return Verdict((next((seen for seen in quick.problems if seen.severity == "high"), problem),))


def _is_dialect(text: str) -> bool:
    """JSX, decorators, proposals: Node stumbles over them before it comes to what is wrong."""
    data = text.encode("utf-8", "surrogatepass")
    return _DIALECT.search(text) is not None or respelled("javascript", data) != data


async def _said(subject: Subject, run: Runner, path: str, support: dict[str, str]) -> str | None:
    """Return what Node complains of, "" where it takes the file, None where it did not answer."""
    import shutil

    if shutil.which("node", path=search_path()) is None:
        return None
    result = await run(Command(("node", "--check", path), timeout_s=TIME_LIMIT_S, support=support), subject.path.parent)
    if result.exit_code == 0:
        return ""
    return result.stderr if result.exit_code is not None and _ERROR.search(result.stderr) else None


def _words(said: str) -> str:
    found = _ERROR.search(said)
    return head(found["message"], 300) if found else ""


def _problem(text: str, said: str, words: str) -> Problem:
    """Node prints `path:line`, the line, and a mark under the place."""
    lines = text.split("\n")
    shown = said.split("\n")
    number = re.search(r":(\d+)$", shown[0])
    line = min(int(number[1]), len(lines)) if number else 1
    marks = re.fullmatch(r"(\s*)(\^+)\s*", shown[2]) if len(shown) > 2 else None
    own = lines[line - 1].rstrip("\r")
    if marks is None or shown[1].rstrip("\r") != own:
        return Problem("", line, "high", "javascript.syntax", words)
    column = code_point_column(own, len(marks[1]))
    end = code_point_column(own, len(marks[1]) + len(marks[2]))
    return Problem("", line, "high", "javascript.syntax", words, column, line, max(end, column + 1))
