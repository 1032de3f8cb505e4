"""The difference between two texts, found by git, so that it is the one git would find between two commits."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import anyio.to_thread
import attrs

from verify_lsp.model.change import ChangeKind
from verify_lsp.scope.copies.folder import private_folder
from verify_lsp.scope.encoding import is_binary, is_utf_16
from verify_lsp.scope.gitdiff.filechange import Built, build
from verify_lsp.scope.gitdiff.output import Record, Section, SectionSplitter, prefixed
from verify_lsp.scope.names import quote
from verify_lsp.system.git import plain_git

DIFF_FLAGS = (
    "--patch",
    "--full-index",
    "--unified=3",
    "--inter-hunk-context=0",
    "--diff-algorithm=myers",
    "--indent-heuristic",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)
"""How every diff is asked for, whatever anybody's configuration says."""

_NONE = "000000"
_FILE = "100644"


@attrs.frozen
class Pair:
    """A file before and after. An absent side is None.

    Attributes:
        path: Workspace-relative.
        old_path: Where it stood before, if elsewhere.
        kind: Set for what two texts do not show: a copy, or a change of mode alone.
    """

    path: str
    before: bytes | None
    after: bytes | None
    old_path: str | None = None
    kind: ChangeKind | None = None
    old_mode: str = _FILE
    new_mode: str = _FILE

    @property
    def holds_no_lines(self) -> bool:
        """True when a side is binary."""
        return is_binary(self.before or b"") or is_binary(self.after or b"")

    @property
    def differs(self) -> bool:
        """True when the pair is a change at all."""
        return self.before != self.after or self.old_mode != self.new_mode or self.old_path is not None


async def build_pairs(pairs: Sequence[Pair]) -> list[Built]:
    """Return the changes between the sides of each pair, in their order; attributes of a repository have no say."""
    textual = {number: pair for number, pair in enumerate(pairs) if not pair.holds_no_lines}
    hunks = await _hunks_of(textual) if textual else {}
    return [_built(pair, hunks.get(number, b"")) for number, pair in enumerate(pairs)]


async def _hunks_of(pairs: Mapping[int, Pair]) -> Mapping[int, bytes]:
    """Lay both sides out as two folders and let git compare those. Returns what stands below each pair's head."""
    splitter = SectionSplitter()
    async with private_folder() as folder:
        await anyio.to_thread.run_sync(_lay_out, folder, pairs)
        git = plain_git(folder)
        arguments = ("diff", "--no-index", "--text", "--no-renames", *DIFF_FLAGS, "a", "b")
        # The exit code only says whether there are differences.
        await git.feed(splitter.feed, *arguments, expect=(0, 1))
    first, *rest = splitter.sections()
    sections = [attrs.evolve(first, content=first.content.removeprefix(b"diff --git ")), *rest]
    return dict(_numbered(sections))


def _numbered(sections: Sequence[Section]) -> Iterator[tuple[int, bytes]]:
    for section in sections:
        line, _, body = section.content.partition(b"\n")
        if line:
            yield int(line.rpartition(b"/")[2]), body[body.find(b"@@ ") :] if b"\n@@ " in body else b""


def _lay_out(folder: Path, pairs: Mapping[int, Pair]) -> None:
    for side in ("a", "b"):
        (folder / side).mkdir()
    for number, pair in pairs.items():
        for side, content in (("a", pair.before), ("b", pair.after)):
            if content is not None:
                (folder / side / f"{number:08}").write_bytes(content)


def _built(pair: Pair, hunks: bytes) -> Built:
    """Build the change under the pair's own name, with the head that git would write above it."""
    old_name = quote((pair.old_path or pair.path).encode("utf-8", "replace"))
    new_name = quote(pair.path.encode("utf-8", "replace"))
    record = Record(
        old_mode=_NONE if pair.before is None else pair.old_mode,
        new_mode=_NONE if pair.after is None else pair.new_mode,
        old_object="",
        new_object="",
        state=_state(pair),
        old_name=old_name,
        new_name=new_name,
    )
    binary = pair.holds_no_lines and pair.before != pair.after
    content = _head(pair, record) + (b"Binary files differ\n" if binary else hunks)
    built = build(record, (Section(content, binary=binary),), pair.before)
    if is_utf_16(pair.after or b"") or is_utf_16(pair.before or b""):
        built = attrs.evolve(built, remarks=(*built.remarks, "utf-16"))
    return built if pair.kind is None else attrs.evolve(built, file=attrs.evolve(built.file, change=pair.kind))


def _state(pair: Pair) -> str:
    if pair.before is None:
        return "A"
    if pair.after is None:
        return "D"
    return "R" if pair.old_path is not None else "M"


def _head(pair: Pair, record: Record) -> bytes:
    old = prefixed(b"a/", record.old_name if pair.before is not None else record.new_name)
    new = prefixed(b"b/", record.new_name if pair.after is not None else record.old_name)
    lines = [old + b" " + new]
    if pair.before is None:
        lines.append(b"new file mode " + pair.new_mode.encode())
        old = b"/dev/null"
    if pair.after is None:
        lines.append(b"deleted file mode " + pair.old_mode.encode())
        new = b"/dev/null"
    if record.state == "R":
        lines += [b"rename from " + record.old_name, b"rename to " + record.new_name]
    if record.state in "MR" and pair.old_mode != pair.new_mode:
        lines += [b"old mode " + pair.old_mode.encode(), b"new mode " + pair.new_mode.encode()]
    if pair.before != pair.after and not pair.holds_no_lines:
        lines += [b"--- " + old, b"+++ " + new]
    return b"\n".join(lines) + b"\n"
