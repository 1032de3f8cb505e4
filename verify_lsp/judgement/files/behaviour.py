"""Which changed lines can change what a program does: not blank ones, comments, docstrings, or mere formatting.

Python is parsed. Other languages are read line by line, by what starts a comment in them, and what is doubtful
counts as behaviour: a line is called harmless only where its look says so.
"""

import ast
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from posixpath import basename, splitext

import attrs

from verify_lsp.judgement.files.file_kinds import is_documentation
from verify_lsp.judgement.line_map import LineMap
from verify_lsp.model.change import FileChange, Line

_PARSED_CHARACTERS = 400_000

# Comments that tools obey.
_DIRECTIVE = re.compile(
    r"#!|\bnoqa\b|\btype:\s*ignore|\bpragma\b|\b(?:pylint|mypy|ruff|pyright|flake8|isort|fmt|yapf|black)\s*:"
    r"|\bno(?:sec|semgrep|lint|sonar|cover)\b|\bverify(?:-lsp)?:\s*ignore|\beslint|@ts-|\bbiome-ignore|\bprettier-ignore"
    r"|\bistanbul\b|\b[cv]8 ignore|\bgo:[a-z]|\+build\b|\bcoding[:=]|\bsyntax=|\bescape=|@jsx|\bwebpack\w*:"
    r"|\bshellcheck\b|\bhadolint\b|\byamllint\b|\bdeno-|<reference\b|\bcgo\b|^\s*//\s*#",
    re.IGNORECASE,
)
_QUOTED_OR_SPACE = re.compile(r"(\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`)|(?<=\w)\s+(?=\w)|(\s+)")


@attrs.frozen
class _Syntax:
    """How a language writes comments. `indent_matters` is True where leading space is part of the program."""

    comment: re.Pattern[str]
    blocks: bool = False
    indent_matters: bool = False


def _extensions(listed: str) -> list[str]:
    return listed.split()


_HASH = _Syntax(re.compile(r"#"))
_HASH_INDENTED = _Syntax(re.compile(r"#"), indent_matters=True)
_SLASHES = _Syntax(re.compile(r"//"), blocks=True)
_NOTHING = _Syntax(re.compile(r"(?!)"))
_BY_EXTENSION: Mapping[str, _Syntax] = {
    **dict.fromkeys(
        _extensions(".sh .bash .zsh .fish .rb .pl .pm .toml .r .jl .tf .hcl .tfvars .ex .exs .cfg .conf .env"), _HASH
    ),
    **dict.fromkeys(_extensions(".py .pyi .pyw .yaml .yml .mk .nim"), _HASH_INDENTED),
    **dict.fromkeys(
        _extensions(
            ".js .jsx .mjs .cjs .ts .tsx .mts .cts .go .rs .java .kt .kts .c .h .cc .cpp .cxx .hpp .hh .cs .swift"
            " .scala .php .dart .groovy .gradle .jsonc .json5 .proto .scss .less .zig .prisma"
        ),
        _SLASHES,
    ),
    ".css": _Syntax(re.compile(r"(?!)"), blocks=True),
    **dict.fromkeys(_extensions(".sql .lua .hs .elm"), _Syntax(re.compile(r"--"))),
    **dict.fromkeys(_extensions(".html .htm .xml .svg .vue .svelte"), _Syntax(re.compile(r"<!--(?:(?!-->).)*-->\s*$"))),
    **dict.fromkeys(_extensions(".ini .properties"), _Syntax(re.compile(r"[#;]"))),
    **dict.fromkeys(_extensions(".clj .el .lisp"), _Syntax(re.compile(r";"))),
}
_BY_NAME: Mapping[str, _Syntax] = {
    **dict.fromkeys(("dockerfile", "containerfile", "gemfile", "rakefile", "justfile", "codeowners"), _HASH),
    **dict.fromkeys((".gitignore", ".env", ".dockerignore", ".coveragerc", ".npmrc"), _HASH),
    **dict.fromkeys(("makefile", "gnumakefile"), _HASH_INDENTED),
    "go.mod": _SLASHES,
    "jenkinsfile": _SLASHES,
}


def changes_behaviour(file: FileChange) -> bool:
    """Say whether the change to this file can change what any program does."""
    if file.binary or file.change == "typechange":
        return True
    return bool(behavioural_lines(file))


def behavioural_lines(file: FileChange) -> tuple[Line, ...]:
    """Return the added and removed lines that can change what a program does, removed ones first."""
    if is_documentation(file.path):
        return ()
    syntax = _syntax_of(file.path)
    removed = _counting(file.removed_lines, _harmless_lines(file.before, file.path, syntax), syntax)
    added = _counting(file.added_lines, _harmless_lines(file.after, file.path, syntax), syntax)
    if not _says_directive(file) and _only_formatted(file, syntax, removed, added):
        return ()
    return (*removed, *added)


def _syntax_of(path: str) -> _Syntax:
    name = basename(path).lower()
    return _BY_NAME.get(name) or _BY_EXTENSION.get(splitext(name)[1]) or _BY_NAME.get(name.split(".")[0]) or _NOTHING


def _counting(lines: Iterable[Line], harmless: Callable[[int], bool] | None, syntax: _Syntax) -> tuple[Line, ...]:
    def counts(line: Line) -> bool:
        text = line.text.strip()
        if not text:
            return harmless is not None and not harmless(line.line)
        if harmless is not None:
            return not harmless(line.line) or _DIRECTIVE.search(text) is not None
        return syntax.comment.match(text) is None or _DIRECTIVE.search(text) is not None

    return tuple(line for line in lines if counts(line))


def _harmless_lines(text: str | None, path: str, syntax: _Syntax) -> Callable[[int], bool] | None:
    """Return a test for the lines of `text` that are blank, comment or docstring; None without the text."""
    if text is None or len(text) > _PARSED_CHARACTERS:
        return None
    lines = text.split("\n")
    if path.endswith((".py", ".pyi", ".pyw")) and (tree := _parsed(text)) is not None:
        return _harmless_python(lines, tree).__contains__
    return _harmless_otherwise(lines, syntax).__contains__


def _harmless_python(lines: list[str], tree: ast.Module) -> frozenset[int]:
    inside: set[int] = set()
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Constant, ast.JoinedStr)) and node.end_lineno and node.end_lineno > node.lineno:
            inside.update(range(node.lineno, node.end_lineno + 1))
        if (docstring := _docstring(node)) is not None:
            docstrings.update(range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1))
    texts = ((number, line.strip()) for number, line in enumerate(lines, start=1))
    bare = {number for number, text in texts if not text or text.startswith("#")}
    return frozenset((bare - inside) | docstrings)


def _harmless_otherwise(lines: list[str], syntax: _Syntax) -> frozenset[int]:
    harmless: set[int] = set()
    in_block = False
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if in_block or (syntax.blocks and text.startswith("/*")):
            end = text.find("*/", 0 if in_block else 2)
            in_block = end < 0
            if in_block or not text[end + 2 :].strip():
                harmless.add(number)
        elif not text or syntax.comment.match(text):
            harmless.add(number)
    # A block that never ends is no block: something else looked like its beginning.
    return frozenset() if in_block else frozenset(harmless)


def _says_directive(file: FileChange) -> bool:
    return any(_DIRECTIVE.search(line.text) for line in (*file.removed_lines, *file.added_lines))


def _only_formatted(file: FileChange, syntax: _Syntax, removed: tuple[Line, ...], added: tuple[Line, ...]) -> bool:
    if not removed and not added:
        return True
    if file.before is None or file.after is None or file.before == file.after:
        return False
    if file.path.endswith((".py", ".pyi", ".pyw")):
        before, after = _parsed(file.before), _parsed(file.after)
        return before is not None and after is not None and _shape(before) == _shape(after) is not None
    if syntax.indent_matters or syntax is _NOTHING:
        return False
    lines = LineMap.of(file)
    return _by_gap(removed, lines.gap_of_removed) == _by_gap(added, lines.gap_of_added)


def _by_gap(lines: Iterable[Line], gap_of: Callable[[int], int | None]) -> dict[int | None, str]:
    gaps: dict[int | None, list[str]] = defaultdict(list)
    for line in lines:
        gaps[gap_of(line.line)].append(line.text)
    return {gap: _QUOTED_OR_SPACE.sub(_unspaced, "\n".join(texts).strip()) for gap, texts in gaps.items()}


def _unspaced(match: re.Match[str]) -> str:
    """Strings stay as they are, space between two words becomes one, and all other space goes."""
    return match[1] or ("" if match[2] else " ")


def _parsed(text: str) -> ast.Module | None:
    if len(text) > _PARSED_CHARACTERS:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _shape(tree: ast.Module) -> str | None:
    """Return the program without its docstrings, the same for two texts that do the same by construction."""
    try:
        for node in ast.walk(tree):
            if (docstring := _docstring(node)) is not None and isinstance(docstring.value, ast.Constant):
                docstring.value.value = ""
        return ast.dump(tree)
    except RecursionError:
        return None


def _docstring(node: ast.AST) -> ast.Expr | None:
    if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) or not node.body:
        return None
    first = node.body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return first if is_text and isinstance(first, ast.Expr) else None
