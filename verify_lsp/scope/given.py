"""A change that the caller gives, as a diff or as texts: where it fits, and what it makes of the files."""

from collections.abc import Callable, Sequence
from typing import Literal

import attrs

from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.scope import FileText, VerifyScope
from verify_lsp.scope.diff import Hunk, Patch, apply, parse_diff, reversed_hunks
from verify_lsp.scope.encoding import decoded, is_binary
from verify_lsp.scope.gitdiff.pairs import Pair
from verify_lsp.scope.names import is_inside, shown

Reader = Callable[[str], bytes | None]
"""The content of a file at one place: on disk, or at a commit. None when there is none."""

_LINK = "120000"
_FILE = "100644"
_SCRIPT = "100755"


@attrs.frozen
class GivenFile:
    """One file of a given change.

    Attributes:
        path: Workspace-relative, as far as it could be told.
        old_path: Where it stood before, when it was renamed or copied.
        to_after: Content before to content after; raises `Misfit` when that is not the content before.
        to_before: The other way round.
        new_mode: As git writes modes ("100755"); None where the change does not tell.
    """

    path: str
    old_path: str | None
    to_after: Callable[[bytes | None], bytes | None]
    to_before: Callable[[bytes | None], bytes | None]
    copied: bool = False
    old_mode: str | None = None
    new_mode: str | None = None

    @property
    def source(self) -> str:
        """Where the content before stands."""
        return self.old_path or self.path


class Misfit(Exception):  # noqa: N818  # Not an error: the change may fit elsewhere.
    """The content is not what the change was made from, or made."""


def given_files(scope: VerifyScope) -> tuple[tuple[GivenFile, ...], ...]:
    """Return the files of a change-set, in each way that its names can be read, the likeliest first.

    Raises:
        UsageError: There is no change in the request, or it cannot be read.
    """
    if scope.diff is not None and scope.files is not None:
        raise UsageError("a change-set is given as `diff` or as `files`, not as both")
    if scope.diff is not None:
        text = scope.diff.encode("utf-8", "surrogateescape")
        readings = [_from_patches(parse_diff(text, strip=strip)) for strip in (True, False)]
        same = [file.path for file in readings[0]] == [file.path for file in readings[1]]
        return (readings[0],) if same else (readings[0], readings[1])
    if scope.files is None:
        raise UsageError("a change-set needs a `diff`, or `files` with their texts before and after")
    return (tuple(_from_text(file) for file in scope.files),)


def fitted(files: Sequence[GivenFile], read: Reader, side: Literal["before", "after"]) -> tuple[Pair, ...]:
    """Return both sides of each file, when what `read` gives is the change's one side.

    Raises:
        Misfit: It is not; the message names a file.
    """
    pairs: list[Pair] = []
    for file in files:
        check_inside(file)
        try:
            before, after = _sides(file, read, side)
        except Misfit:
            raise Misfit(file.path) from None
        kind: Literal["copied", "mode"] | None = "copied" if file.copied else None
        if before == after and file.old_mode != file.new_mode and file.old_path is None:
            kind = "mode"
        modes = file.old_mode or _FILE, file.new_mode or _FILE
        pairs.append(Pair(file.path, before, after, file.old_path, kind, *modes))
    return tuple(pairs)


def check_inside(file: GivenFile) -> None:
    """Refuse names that lead out of the workspace, or into git's own folder."""
    for path in (file.path, file.source):
        if not is_inside(path):
            raise UsageError(f"{shown(path.encode('utf-8', 'replace'))} is not a path inside the workspace")


def moved(files: Sequence[GivenFile], prefix: str) -> tuple[GivenFile, ...] | None:
    """Return the files with names below the repository's root made relative to the workspace; None when one is not."""
    if not prefix or not all(file.path.startswith(prefix) and file.source.startswith(prefix) for file in files):
        return None
    return tuple(
        attrs.evolve(
            file, path=file.path[len(prefix) :], old_path=file.old_path[len(prefix) :] if file.old_path else None
        )
        for file in files
    )


def misfit_error(path: str) -> EngineError:
    """Return the one sentence for a change that fits nowhere, as the file at `path` shows."""
    return EngineError(f"the change does not fit: {path} reads otherwise both on disk and at the last commit")


def _sides(file: GivenFile, read: Reader, side: Literal["before", "after"]) -> tuple[bytes | None, bytes | None]:
    if side == "before":
        before = read(file.source)
        if file.old_path is not None and read(file.path) is not None:
            raise Misfit
        return before, file.to_after(before)
    after = read(file.path)
    if file.old_path is not None and not file.copied and read(file.old_path) is not None:
        raise Misfit
    return file.to_before(after), after


def _from_patches(patches: Sequence[Patch]) -> tuple[GivenFile, ...]:
    merged: dict[bytes, Patch] = {}
    for patch in patches:
        if patch.header.path in merged:
            raise UsageError(f"the diff changes {shown(patch.header.path)} twice")
        merged[patch.header.path] = patch
    return tuple(_from_patch(patch) for patch in merged.values())


def _from_patch(patch: Patch) -> GivenFile:
    header = patch.header
    if header.binary:
        raise EngineError(f"the diff does not hold the content of the binary file {shown(header.path)}")
    old_mode, new_mode = (mode.decode() if mode else None for mode in (header.old_mode, header.new_mode))
    if any(mode not in (None, _FILE, _SCRIPT) for mode in (old_mode, new_mode)):
        raise EngineError(f"{shown(header.path)} is a link or a submodule in the diff; only files can be verified")
    path = shown(header.path)
    return GivenFile(
        path=path,
        old_path=shown(header.old_path) if header.old_path is not None else None,
        to_after=_along(path, patch.hunks, existed=header.existed, exists=header.exists),
        to_before=_along(path, reversed_hunks(patch.hunks), existed=header.exists, exists=header.existed),
        copied=header.copied,
        old_mode=old_mode,
        new_mode=new_mode,
    )


def _along(path: str, hunks: Sequence[Hunk], *, existed: bool, exists: bool) -> Callable[[bytes | None], bytes | None]:
    """Return what leads from one side to the other, in the file's own encoding and line ends."""

    def lead(content: bytes | None) -> bytes | None:
        # A diff that is not git's may name a file that there was not, but then its only hunk begins at nothing.
        from_nothing = content is None and bool(hunks) and hunks[0].old_start == hunks[0].old_count == 0
        if (content is not None) != existed and not from_nothing:
            raise Misfit
        result = _applied(path, hunks, content or b"")
        if result is None or (not exists and result):
            raise Misfit
        return result if exists else None

    return lead


def _applied(path: str, hunks: Sequence[Hunk], content: bytes) -> bytes | None:
    """Apply hunks to a content as it is, else as the text it holds, else as that text with its CRLF lost on the way."""
    if not hunks or (result := apply(hunks, content)) is not None:
        return content if not hunks else result
    if is_binary(content):
        return None
    words, encoding, _ = decoded(path, content)
    text = words.encode("utf-8")
    if (result := apply(hunks, text)) is None and not any(
        line.endswith(b"\r") for hunk in hunks for line in hunk.lines
    ):
        result = apply(hunks, text.replace(b"\r\n", b"\n"))
        result = result.replace(b"\n", b"\r\n") if result is not None else None
    return None if result is None else result.decode("utf-8", "replace").encode(encoding, "replace")


def _from_text(file: str | FileText) -> GivenFile:
    if isinstance(file, str):
        raise UsageError(f"a change-set needs the texts of {file}, not only its name")
    if file.before is None and file.after is None:
        raise UsageError(f"a change-set needs a text before or after for {file.path}")
    before, after = (None if text is None else text.encode("utf-8", "replace") for text in (file.before, file.after))
    return GivenFile(file.path, None, _between(before, after), _between(after, before))


def _between(near: bytes | None, far: bytes | None) -> Callable[[bytes | None], bytes | None]:
    """Return what leads from one text to the other; a content that differs in its line ends alone keeps those."""

    def lead(content: bytes | None) -> bytes | None:
        if content == near:
            return far
        if content is None or near is None or _unified(content) != _unified(near):
            raise Misfit
        if far is None:
            return None
        return _unified(far).replace(b"\n", b"\r\n") if b"\r\n" in content else _unified(far)

    return lead


def _unified(content: bytes) -> bytes:
    return content.replace(b"\r\n", b"\n")
