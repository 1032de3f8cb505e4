"""The shape of a test that is still to be written, and what is known around it."""

import json
import re
from collections.abc import Callable, Iterable
from posixpath import basename

import attrs

from verify_lsp.judgement.plain_text import one_line
from verify_lsp.model.mutant import TriedMutant
from verify_lsp.mutation.sentences import fault_at, words_on

_WORDS = re.compile(r"[^0-9A-Za-z]+")
_SENTENCE = 300
NOT_WRITTEN = "not written yet"


@attrs.frozen
class Ground:
    """A project around a mutant. Paths are relative to the workspace, POSIX style.

    Attributes:
        root: The project's folder; "." is the workspace.
        runner: What runs its tests, by the name of its toolchain's step; None where that is not known.
        paths: Its files of the mutant's language, sorted.
        read: The present text of a file; None where it cannot be read.
    """

    root: str
    runner: str | None
    paths: tuple[str, ...]
    read: Callable[[str], str | None]

    def inside(self, path: str) -> str:
        """Return a path relative to the project's root."""
        return path if self.root == "." else path.removeprefix(self.root + "/")


@attrs.frozen
class Skeleton:
    """A test to insert. Nothing but `text` is added, and nothing is taken away.

    Attributes:
        path: The file, relative to the workspace.
        before: Its present text; None where the file is still to be made.
        at: Where in that text, in code points; 0 for a new file.
        text: What is inserted.
        name: How the test is called.
    """

    path: str
    before: str | None
    at: int
    text: str
    name: str

    @property
    def after(self) -> str:
        """The whole text with the test in it."""
        before = self.before or ""
        return before[: self.at] + self.text + before[self.at :]


def stem_of(path: str) -> str:
    """Return a file's name up to its first dot."""
    return basename(path).partition(".")[0]


def words_of(mutant: TriedMutant) -> tuple[str, ...]:
    """Return the words of a test's name: those of the function, or of the file, and what kind of fault it is."""
    return tuple(filter(None, _WORDS.split(f"{mutant.function or stem_of(mutant.path)}_{mutant.operator}".lower())))


def free_name(name: str, texts: Iterable[str]) -> str:
    """Return `name`, numbered where one of the texts has that word already."""
    taken = {word for text in texts for word in re.findall(rf"\b{re.escape(name)}(?:_\d+)?\b", text)}
    number = next(number for number in range(1, len(taken) + 2) if _numbered(name, number) not in taken)
    return _numbered(name, number)


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}_{number}"


def comments_on(mutant: TriedMutant) -> tuple[str, str]:
    """Return two lines of a comment: where the fault would be, and what it is."""
    of = f", in {mutant.function}" if mutant.function else ""
    return one_line(f"{mutant.path}, line {mutant.line}{of}:", _SENTENCE), one_line(f"{words_on(mutant)}.", _SENTENCE)


def complaint_on(mutant: TriedMutant) -> str:
    """Return what the test says while it is not written."""
    place = f"{mutant.path}:{mutant.line}"
    of = f"{mutant.function} ({place})" if mutant.function else place
    return one_line(f"{NOT_WRITTEN}: a test of {of} that notices {fault_at(mutant)}", _SENTENCE)


def quoted(text: str) -> str:
    """Return `text`, which is one line, between double quotes, as Python, Go, Rust and JavaScript all read it."""
    return json.dumps(text, ensure_ascii=False)


def line_end_of(text: str) -> str:
    """Return how the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


def inserted(before: str, at: int, block: str, *, gap: int = 1) -> tuple[int, str]:
    """Return where and how a block of lines is put into a text: apart from what surrounds it by `gap` empty lines.

    Args:
        at: The beginning of a line, or the end of the text.
        block: Lines that end at line feeds, the last one too.
    """
    end = line_end_of(before)
    head, tail = before[:at], before[at:]
    kept = head.replace("\r\n", "\n")
    missing = 0 if not kept.strip() else gap + 1 - (len(kept) - len(kept.rstrip("\n")))
    follows = "\n" * gap if tail.strip() else ""
    return at, ("\n" * max(missing, 0) + block + follows).replace("\n", end)
