"""What the editor said about settings: when it came, when it pushed, and when it was asked, folder by folder."""

from collections.abc import Mapping
from typing import Any

import attrs

from verify_lsp.server.folders import Folder
from verify_lsp.settings.options import Options, read_options

SECTION = "verify"
_EDITOR = "the editor's settings"


@attrs.define
class EditorSettings:
    """The later a word, and the nearer to a folder, the stronger.

    Attributes:
        initial: `initializationOptions.settings`.
        pushed: What `workspace/didChangeConfiguration` carried.
        by_folder: Answers to `workspace/configuration`, by folder key.
        complaints: What was wrong with `initializationOptions` beside the settings.
    """

    initial: Any = None
    pushed: Any = None
    by_folder: dict[str, Any] = attrs.field(factory=dict)
    complaints: list[str] = attrs.field(factory=list)

    def options(self, folder: Folder | None) -> Options:
        """Return the editor's options for a folder, or for a file outside all folders."""
        asked = self.by_folder.get(folder.key) if folder else None
        return merged([read(said) for said in (self.initial, self.pushed, asked)])


def read(said: Any) -> Options:
    """Read one word of the editor; a null says nothing."""
    if said is None:
        return Options()
    if not isinstance(said, Mapping):
        return Options(problems=(f"{_EDITOR}: expected an object",))
    if set(said) == {SECTION} and isinstance(said[SECTION], Mapping):
        said = said[SECTION]
    return read_options(said, _EDITOR)


def merged(options: list[Options]) -> Options:
    """Return options in which a later one wins over an earlier one."""
    values: dict[str, Any] = {}
    problems: dict[str, None] = {}
    for each in options:
        values |= each.values
        problems |= dict.fromkeys(each.problems)
    return Options(values, tuple(problems))
