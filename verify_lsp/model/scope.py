"""Which change a run verifies, as the caller asks for it."""

from typing import Literal

import attrs

ScopeKind = Literal["session", "change-set", "staged", "working-tree", "branch", "files"]


@attrs.frozen
class FileText:
    """One file of a change-set given as whole texts. An absent side did not, or does not, exist.

    Attributes:
        path: Workspace-relative, POSIX style.
        before: The whole text before the change.
        after: The whole text after the change.
    """

    path: str
    before: str | None = None
    after: str | None = None


@attrs.frozen
class VerifyScope:
    """A scope as it travels on the wire; `scope.resolve` turns it into a `Change`.

    Attributes:
        kind: Which of the six kinds.
        session_id: For `session`: whose writes.
        change_ids: For `session`: only these writes.
        change_set_id: For `change-set`: the caller's own name for it.
        diff: For `change-set`: a unified diff.
        base: For `branch`: the revision the branch is held against.
        files: For `files`: workspace-relative paths. For `change-set`: whole texts.
    """

    kind: ScopeKind
    session_id: str | None = None
    change_ids: tuple[str, ...] | None = None
    change_set_id: str | None = None
    diff: str | None = None
    base: str | None = None
    files: tuple[str | FileText, ...] | None = None
