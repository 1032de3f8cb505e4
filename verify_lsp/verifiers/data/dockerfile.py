"""Verifies Dockerfiles: what any builder refuses before it builds."""

import difflib
import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import attrs

from verify_lsp.model.finding import Problem
from verify_lsp.verifiers.base import Subject, Verdict
from verify_lsp.verifiers.data.places import Complaint, Span, line_of, problem_at
from verify_lsp.verifiers.data.templates import TEMPLATE, is_construct_before

_INSTRUCTIONS = (
    "ADD",
    "ARG",
    "CMD",
    "COPY",
    "ENTRYPOINT",
    "ENV",
    "EXPOSE",
    "FROM",
    "HEALTHCHECK",
    "LABEL",
    "MAINTAINER",
    "ONBUILD",
    "RUN",
    "SHELL",
    "STOPSIGNAL",
    "USER",
    "VOLUME",
    "WORKDIR",
)
_TEMPLATE_SUFFIXES = (".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".template", ".erb", ".mustache", ".in", ".em")
# `dockerfile.*` is for stages and variants (Dockerfile.dev), not for what is written about Dockerfiles.
_OTHER_SUFFIXES = (
    ".vim",
    ".md",
    ".txt",
    ".rst",
    ".adoc",
    ".html",
    ".rb",
    ".java",
    ".cs",
    ".lua",
    ".php",
    ".kt",
    ".log",
)
_DIRECTIVE = re.compile(r"#[ \t]*([A-Za-z][\w-]*)[ \t]*=[ \t]*(\S+)[ \t]*$")
_OUR_SYNTAX = re.compile(r"(?:docker\.io/)?docker/dockerfile(?:-upstream)?(?:[:@]|$)")
_HEREDOC = re.compile(r"""(?<=\s)\d*<<(-?)(["']?)([A-Za-z_][\w.]*)\2(?=[\s;|&>)]|$)""")
_TAKES_HEREDOCS = {"RUN", "COPY", "ADD"}
_FLAG = re.compile(r"--[\w.-]+(?:=\S*)?\s*")
_LEAST = {"FROM": 1, "RUN": 1, "COPY": 2, "ADD": 2, "ENV": 1, "ARG": 1, "WORKDIR": 1, "USER": 1, "SHELL": 1}
_PROBLEM_LIMIT = 50


@attrs.frozen
class _Instruction:
    """One instruction with its continuation lines joined; `start` is where its word begins in the text."""

    word: str
    rest: str
    start: int
    heredoc: bool = False


@attrs.frozen
class _Unclosed:
    """A here-document without its end."""

    word: str
    start: int


def verify_dockerfile(subject: Subject) -> Verdict:
    """Verify a Dockerfile; one for a builder of its own is skipped."""
    text = subject.text
    if subject.path.name.lower().endswith(_TEMPLATE_SUFFIXES):
        return Verdict(skipped=TEMPLATE)
    if subject.path.name.lower().endswith(_OTHER_SUFFIXES):
        return Verdict(skipped="not verified: by its extension it is no Dockerfile")
    directives = _directives(text)
    syntax = directives.get("syntax", "docker/dockerfile")
    if not _OUR_SYNTAX.match(syntax):
        return Verdict(skipped=f"not verified: it is written for the builder {syntax[:60]}")
    instructions = list(_instructions(text, directives.get("escape", "\\")[:1]))
    problems = list(islice(_judged(text, instructions), _PROBLEM_LIMIT))
    if problems and is_construct_before(text, len(text)):
        return Verdict(skipped=TEMPLATE)
    if _may_be_a_part(subject.path.name, instructions):
        problems = [problem for problem in problems if problem.rule != "dockerfile.from-first"]
        return Verdict(
            tuple(problems), skipped=None if problems else "not verified: it has no FROM, as a part has none"
        )
    return Verdict(tuple(problems))


def _may_be_a_part(name: str, instructions: Sequence["_Instruction | _Unclosed"]) -> bool:
    """Files beside a Dockerfile, such as Dockerfile.install, are put together by some builds."""
    if "." not in name or name.lower().endswith((".dockerfile", ".containerfile")) or not instructions:
        return False
    return all(isinstance(each, _Unclosed) or each.word.upper() != "FROM" for each in instructions)


def _directives(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in text.removeprefix("\ufeff").splitlines()[:10]:
        match = _DIRECTIVE.match(line)
        if match is None:
            break
        found[match[1].lower()] = match[2]
    return found


def _instructions(text: str, escape: str) -> Iterator[_Instruction | _Unclosed]:
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    index = 0
    while index < len(lines):
        first = lines[index].lstrip("\ufeff").strip()
        start = starts[index] + len(lines[index]) - len(lines[index].lstrip("\ufeff \t"))
        if not first or first.startswith("#"):
            index += 1
            continue
        whole, index = _joined(lines, index, escape)
        word, _, rest = whole.partition(" ")
        heredocs = list(_HEREDOC.finditer(f" {rest}")) if _heredoc_word(word, rest) in _TAKES_HEREDOCS else []
        for heredoc in heredocs:
            ended = _after_heredoc(lines, index, heredoc[3], indented=bool(heredoc[1]))
            if ended is None:
                yield _Unclosed(heredoc[3], start)
                return
            index = ended
        yield _Instruction(word, rest.strip(), start, bool(heredocs))


def _heredoc_word(word: str, rest: str) -> str:
    return rest.split(maxsplit=1)[0].upper() if word.upper() == "ONBUILD" and rest.strip() else word.upper()


def _joined(lines: list[str], index: int, escape: str) -> tuple[str, int]:
    """Join a line with those that continue it, past comments and blank lines between them."""
    pieces: list[str] = []
    while index < len(lines):
        line = lines[index].strip("\ufeff \t\r")
        index += 1
        if pieces and (not line or line.startswith("#")):
            continue
        if not line.endswith(escape):
            pieces.append(line)
            break
        pieces.append(line[: -len(escape)])
    return re.sub(r"^(\S+)\s+", r"\1 ", " ".join(pieces).strip()), index


def _after_heredoc(lines: list[str], index: int, word: str, *, indented: bool) -> int | None:
    for at in range(index, len(lines)):
        line = lines[at].rstrip("\r")
        if (line.lstrip("\t") if indented else line) == word:
            return at + 1
    return None


def _judged(text: str, instructions: list[_Instruction | _Unclosed]) -> Iterator[Problem]:
    if not instructions:
        yield problem_at(
            text, Span(0, 0), Complaint("dockerfile.empty", "There is no instruction.", "Begin with FROM.")
        )
    seen_from = False
    said_order = False
    for each in instructions:
        if isinstance(each, _Unclosed):
            message = f"The here-document of line {line_of(text, each.start)} has no line that says `{each.word}`."
            complaint = Complaint("dockerfile.heredoc", message, f"Add a line with `{each.word}` alone.")
            yield problem_at(text, Span(each.start, each.start + 1), complaint)
            continue
        word = each.word.upper()
        place = Span(each.start, each.start + len(each.word))
        if (complaint_ := _wrong_instruction(word, each)) is not None:
            yield problem_at(text, place, complaint_)
        elif word not in {"ARG", "FROM"} and not seen_from and not said_order:
            said_order = True
            message = f"{word} stands before the first FROM; only ARG may."
            yield problem_at(text, place, Complaint("dockerfile.from-first", message, "Begin with FROM."))
        seen_from = seen_from or word == "FROM"


def _wrong_instruction(word: str, instruction: _Instruction) -> Complaint | None:
    if word not in _INSTRUCTIONS:
        near = difflib.get_close_matches(word, _INSTRUCTIONS, 1)
        hint = f"Write {near[0]}." if near else "A line that goes on must follow one that ends in a backslash."
        shown = instruction.word[:40]
        return Complaint("dockerfile.instruction", f"`{shown}` is no instruction of a Dockerfile.", hint)
    rest = instruction.rest
    while word in {"FROM", "RUN", "COPY", "ADD"} and (flag := _FLAG.match(rest)) is not None:
        rest = rest[flag.end() :]
    words = rest.split()
    if len(words) < _LEAST.get(word, 0) and not (instruction.heredoc and words) and not rest.startswith("["):
        needs = "a source and a destination" if _LEAST[word] == 2 else "an argument"
        return Complaint("dockerfile.arguments", f"{word} needs {needs}.", None)
    if word == "FROM" and (len(words) not in {1, 3} or (len(words) == 3 and words[1].upper() != "AS")):
        return Complaint("dockerfile.arguments", "FROM takes an image and, if wanted, `AS name`.", "Remove the rest.")
    if word == "ENV" and len(words) == 1 and "=" not in rest:
        return Complaint("dockerfile.arguments", "ENV needs a name and a value.", "Write `ENV NAME=value`.")
    return _exec_form(word, rest)


def _exec_form(word: str, rest: str) -> Complaint | None:
    """A list that is no JSON is run by a shell, as the words it looks like."""
    if word not in {"CMD", "ENTRYPOINT", "SHELL"} or not (rest.startswith("[") and rest.endswith("]")):
        return None
    try:
        value = json.loads(rest)
    except ValueError:
        value = None
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return None
    message = f"This list is no JSON, so that {word} does not take it as a list of arguments."
    suggestion = "Put each argument in double quotes, with commas between them."
    return Complaint("dockerfile.exec-form", message, suggestion, severity="high" if word == "SHELL" else "medium")
