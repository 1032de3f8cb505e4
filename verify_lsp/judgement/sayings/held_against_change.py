"""Claims about deeds, held against the change itself.

What the change shows supports a claim. What it does not show leaves the claim unsupported, as it may have been done
elsewhere: committed before, outside of the scope, in a file that git ignores. Contradicted is only what the change
shows to be otherwise.
"""

from collections.abc import Callable, Mapping
from posixpath import basename

import attrs

from verify_lsp.judgement.files.behaviour import behavioural_lines, changes_behaviour
from verify_lsp.judgement.files.declared_tests import count_tests
from verify_lsp.judgement.files.file_kinds import is_code, is_generated, is_lock_file, is_test
from verify_lsp.judgement.files.manifests import is_manifest, new_dependencies
from verify_lsp.judgement.sayings.held_against import UNSUPPORTED, Known, Verdict
from verify_lsp.judgement.sayings.said import Said
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.scope import ScopeKind

_SUPPORTED: Verdict = ("supported", ())
_CONTRADICTED: Verdict = ("contradicted", ())


@attrs.frozen
class Deeds:
    """What was changed.

    Attributes:
        scope: How the change was chosen. Only in `session` is every file of it the agent's own doing.
    """

    change: Change
    scope: ScopeKind
    known: Known


def held_against_change(said: Said, deeds: Deeds) -> Verdict:
    """Return what the change says about a claim. No fact is named: the change is the report's own list of files."""
    judge = _JUDGES.get(said.kind)
    return judge(said, deeds) if judge else UNSUPPORTED


def _created(said: Said, deeds: Deeds) -> Verdict:
    files = [_file(name, deeds.change) for name in said.names]
    shown = files and all(file is not None and file.change in {"added", "copied", "renamed"} for file in files)
    return _SUPPORTED if shown else UNSUPPORTED


def _updated(said: Said, deeds: Deeds) -> Verdict:
    files = [_file(name, deeds.change) for name in said.names]
    shown = files and all(file is not None and file.change != "deleted" for file in files)
    return _SUPPORTED if shown else UNSUPPORTED


def _removed(said: Said, deeds: Deeds) -> Verdict:
    verdicts = [_removed_one(name, deeds.change) for name in said.names]
    if _CONTRADICTED in verdicts:
        return _CONTRADICTED
    return _SUPPORTED if verdicts and set(verdicts) == {_SUPPORTED} else UNSUPPORTED


def _removed_one(name: str, change: Change) -> Verdict:
    gone = [file for file in change.files if file.change in {"deleted", "renamed"}]
    if any(_is_called(name, file.old_path or file.path) for file in gone):
        return _SUPPORTED
    if (file := _file(name, change)) is not None:
        # The file was changed and is still there. "Removed `a.py`" may yet mean a line that names it.
        return _CONTRADICTED if file.after is not None and "/" in name else UNSUPPORTED
    return _SUPPORTED if _word_is_gone(name.removesuffix("()"), change) else UNSUPPORTED


def _word_is_gone(word: str, change: Change) -> bool:
    """Say whether a name stood in removed lines and stands nowhere in the changed files any more."""
    if not word or any(file.after is None and file.change != "deleted" for file in change.files):
        return False
    was = any(_has_word(line.text, word) for file in change.files for line in file.removed_lines)
    return was and not any(_has_word(file.after or "", word) for file in change.files)


def _has_word(text: str, word: str) -> bool:
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        if not (before.isalnum() or before == "_" or after.isalnum() or after == "_"):
            return True
        at = text.find(word, at + 1)
    return False


def _added_tests(said: Said, deeds: Deeds) -> Verdict:
    added = sum(count.added for count in count_tests(deeds.change))
    if said.count is not None:
        return _SUPPORTED if added == said.count else UNSUPPORTED
    if added:
        return _SUPPORTED
    touched = any(is_test(file.path) and file.change == "added" and file.added_lines for file in deeds.change.files)
    return _SUPPORTED if touched else UNSUPPORTED


def _dependency_added(said: Said, deeds: Deeds) -> Verdict:
    asked = {name.lower().replace("_", "-") for file in deeds.change.files for name in new_dependencies(file)}
    named = {name.lower().replace("_", "-") for name in said.names}
    return _SUPPORTED if named and named <= asked else UNSUPPORTED


def _no_new_dependencies(_: Said, deeds: Deeds) -> Verdict:
    manifests = [file for file in deeds.change.files if is_manifest(file.path)]
    if any(new_dependencies(file) for file in manifests):
        return _CONTRADICTED if deeds.scope == "session" else UNSUPPORTED
    return _SUPPORTED if deeds.known.metric("dependencies", "deps") == 0 else UNSUPPORTED


def _nothing_else(said: Said, deeds: Deeds) -> Verdict:
    if not said.names:
        return UNSUPPORTED
    others = [file for file in deeds.change.files if not any(_is_called(name, file.path) for name in said.names)]
    if not others:
        return _SUPPORTED
    written = [file for file in others if not (is_lock_file(file.path) or is_generated(file))]
    return _CONTRADICTED if written and deeds.scope == "session" else UNSUPPORTED


def _refactor_only(_: Said, deeds: Deeds) -> Verdict:
    """Lines that cannot act show that behaviour stayed; lines that can act do not show that it changed."""
    files = deeds.change.files
    return _SUPPORTED if files and not any(map(changes_behaviour, files)) else UNSUPPORTED


def _docs_only(_: Said, deeds: Deeds) -> Verdict:
    files = deeds.change.files
    if files and not any(map(changes_behaviour, files)):
        return _SUPPORTED
    acting = [file for file in files if is_code(file.path) and file.before is not None and behavioural_lines(file)]
    return _CONTRADICTED if acting and deeds.scope == "session" else UNSUPPORTED


def _committed(_: Said, deeds: Deeds) -> Verdict:
    head = deeds.change.head
    return _SUPPORTED if head is not None and head.sha is not None and not head.dirty else UNSUPPORTED


_JUDGES: Mapping[str, Callable[[Said, Deeds], Verdict]] = {
    "created-file": _created,
    "updated-file": _updated,
    "removed": _removed,
    "added-tests": _added_tests,
    "dependency-added": _dependency_added,
    "no-new-dependencies": _no_new_dependencies,
    "nothing-else-changed": _nothing_else,
    "refactor-only": _refactor_only,
    "docs-only": _docs_only,
    "committed": _committed,
}


def _file(name: str, change: Change) -> FileChange | None:
    """The one changed file that a name means; None where there is none, or more than one."""
    found = [file for file in change.files if _is_called(name, file.path)]
    exact = [file for file in found if file.path == name.removeprefix("./")]
    return (exact or found)[0] if len(exact or found) == 1 else None


def _is_called(name: str, path: str) -> bool:
    """Say whether `name` is the path, or whole segments at its end."""
    name = name.removeprefix("./").rstrip("/")
    return (
        path == name
        or path.endswith("/" + name)
        or (bool(name) and name.endswith("/" + path))
        or basename(path) == name
    )
