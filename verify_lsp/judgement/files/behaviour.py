"""Which changed lines can change what a program does: not blank ones, comments, docstrings, or mere formatting.

Python is parsed where the look of a line does not decide. Other languages are read line by line, by what starts a
comment in them, and what is doubtful counts as behaviour: a line is called harmless only where its look says so.
"""

import ast
import functools
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_WORD = re.compile(r"\w+")
_PYTHON_TOKEN = re.compile(
    r"#[^\n]*|(?P<long>\"\"\"(?>(?:[^\"\\]++|\\.|\"(?!\"\"))*)(?:\"\"\"|\Z)|'{3}(?>(?:[^'\\]++|\\.|'(?!''))*)(?:'{3}|\Z))"
    r"|\"(?>(?:[^\"\\\n]++|\\.)*)\"?|'(?>(?:[^'\\\n]++|\\.)*)'?",
    re.DOTALL,
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
    if cannot_be_read(file):
        return True
    if file.before is None or file.after is None:
        # Nothing means the same as no text: the first line that counts decides.
        return not is_documentation(file.path) and any(
            True for side in _counting_by_side(file, _syntax_of(file.path)) for _ in side
        )
    return bool(behavioural_lines(file))


def cannot_be_read(file: FileChange) -> bool:
    """Say whether there are no lines to judge a file by, so that it has to be taken for one that acts."""
    return file.binary or file.change == "typechange"


def behavioural_lines(file: FileChange) -> tuple[Line, ...]:
    """Return the added and removed lines that can change what a program does, removed ones first."""
    if is_documentation(file.path):
        return ()
    syntax = _syntax_of(file.path)
    removed, added = map(tuple, _counting_by_side(file, syntax))
    counting = (*removed, *added)
    if not _only_formatted(file, syntax, removed, added) or _says_directive(file):
        return counting
    if _means_the_same(file, syntax, only_looks=not counting):
        return ()
    return counting or tuple(line for line in (*file.removed_lines, *file.added_lines) if line.text.strip())


def _is_python(file: FileChange) -> bool:
    return file.path.endswith((".py", ".pyi", ".pyw"))


def _syntax_of(path: str) -> _Syntax:
    name = basename(path).lower()
    return _BY_NAME.get(name) or _BY_EXTENSION.get(splitext(name)[1]) or _BY_NAME.get(name.split(".")[0]) or _NOTHING


def _counting_by_side(file: FileChange, syntax: _Syntax) -> tuple[Iterator[Line], Iterator[Line]]:
    """The removed and the added lines that count, as far as their looks tell."""
    is_python = _is_python(file)
    return (
        _counting(file.removed_lines, file.before, syntax, is_python=is_python),
        _counting(file.added_lines, file.after, syntax, is_python=is_python),
    )


def _counting(lines: Sequence[Line], text: str | None, syntax: _Syntax, *, is_python: bool) -> Iterator[Line]:
    """The lines that count, of those that changed on one side, whose whole text is `text` where that is known."""
    known = text if text is not None and len(text) <= _PARSED_CHARACTERS else None
    if known is None or not lines:
        is_harmless = _looks_harmless(syntax)
    elif is_python:
        is_harmless = _is_harmless_python(known, syntax)
    else:
        is_harmless = _is_harmless_otherwise(known, syntax)
    return (line for line in lines if not is_harmless(line) or _DIRECTIVE.search(line.text))


def _looks_harmless(syntax: _Syntax) -> Callable[[Line], bool]:
    return lambda line: not (stripped := line.text.strip()) or syntax.comment.match(stripped) is not None


def _is_harmless_python(text: str, syntax: _Syntax) -> Callable[[Line], bool]:
    """Outside of long strings the look of a line decides; inside, whether the string is a docstring."""
    looks_harmless = _looks_harmless(syntax)
    in_string = _lines_of_long_strings(text)
    docstrings = functools.cache(lambda: _docstring_lines(text))
    return lambda line: line.line in docstrings() if line.line in in_string else looks_harmless(line)


def _lines_of_long_strings(text: str) -> frozenset[int]:
    inside: set[int] = set()
    number, at = 1, 0
    for found in _PYTHON_TOKEN.finditer(text):
        if found["long"] is not None:
            number += text.count("\n", at, found.start())
            end = number + found[0].count("\n")
            inside.update(range(number, end + 1))
            number, at = end, found.end()
    return frozenset(inside)


def _docstring_lines(text: str) -> frozenset[int]:
    tree = _parsed(text)
    if tree is None:
        return frozenset()
    found = (docstring for node in ast.walk(tree) if (docstring := _docstring(node)) is not None)
    return frozenset(
        number
        for docstring in found
        for number in range(docstring.lineno, (docstring.end_lineno or docstring.lineno) + 1)
    )


def _is_harmless_otherwise(text: str, syntax: _Syntax) -> Callable[[Line], bool]:
    harmless = _harmless_lines(text.split("\n"), syntax)
    return lambda line: line.line in harmless


def _harmless_lines(lines: Sequence[str], syntax: _Syntax) -> frozenset[int]:
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
    if _is_python(file):
        # The parser has the last word: it is asked whether all of the text means the same.
        return _words(removed) == _words(added)
    if syntax.indent_matters or syntax is _NOTHING:
        return False
    lines = LineMap.of(file)
    return _by_gap(removed, lines.gap_of_removed) == _by_gap(added, lines.gap_of_added)


def _means_the_same(file: FileChange, syntax: _Syntax, *, only_looks: bool) -> bool:
    """Say whether the whole text means the same: for Python by its parser, else by what stands in comments.

    Where Python cannot be parsed, `only_looks` decides: True when no changed line looks as if it could act.
    """
    if file.before is None or file.after is None:
        return True
    if not _is_python(file):
        return not syntax.blocks or _comments_stay(file, file.before, file.after, syntax)
    before, after = _shape(_parsed(file.before)), _shape(_parsed(file.after))
    return before == after and (before is not None or only_looks)


def _comments_stay(file: FileChange, before: str, after: str, syntax: _Syntax) -> bool:
    """Comment signs that come or go around lines make them text or program, though they did not change themselves."""
    changed = (line.text for line in (*file.removed_lines, *file.added_lines))
    if not any("/*" in text or "*/" in text for text in changed):
        return True
    lines, texts = LineMap.of(file), after.split("\n")
    was, now = _harmless_lines(before.split("\n"), syntax), _harmless_lines(texts, syntax)
    kept = ((lines.to_old(number), number) for number, text in enumerate(texts, start=1) if text.strip())
    return all((old in was) == (number in now) for old, number in kept if old is not None)


def _words(lines: Iterable[Line]) -> list[str]:
    """The words of some lines without their comments: formatting keeps them, so that other words need no parser."""
    return sorted(word for line in lines for word in _WORD.findall(line.text.partition("#")[0]))


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


def _shape(tree: ast.Module | None) -> str | None:
    """Return the program without its docstrings, the same for two texts that do the same by construction."""
    if tree is None:
        return None
    try:
        for node in ast.walk(tree):
            if isinstance(node, _DOCUMENTED) and _docstring(node) is not None:
                node.body[:1] = [] if len(node.body) > 1 or isinstance(node, ast.Module) else [ast.Pass()]
        return ast.dump(tree)
    except RecursionError:
        return None


def _docstring(node: ast.AST) -> ast.Expr | None:
    if not isinstance(node, _DOCUMENTED) or not node.body:
        return None
    first = node.body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return first if is_text and isinstance(first, ast.Expr) else None
