"""Which security findings only moved: the same text stood elsewhere before the change."""

import re
from collections.abc import Mapping

from verify_lsp.judgement.files.file_kinds import is_documentation
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.finding import Problem

_PUBLISHED = re.compile(
    r"(?:^|/)(?:public|static|assets|www|client|frontend|docs?|site|website|dist)/|\.(?:html?|md|rst|vue|svelte|jsx|tsx|css)$",
    re.IGNORECASE,
)
_PRIVATE = re.compile(r"(?:^|/)\.env[^/]*$|\.(?:pem|key)$|(?:^|/)(?:secrets?|credentials?)(?:[./]|$)", re.IGNORECASE)
_SHORTEST = 6
_TAKEN_AWAY = "removed-"
_NAMED = re.compile(r"`([^`]+)`$")


class Before:
    """The lines that a change took away, as often as it did, and how public the file was where they stood."""

    def __init__(self, change: Change) -> None:
        self._left: Mapping[str, list[int]] = _removed(change)
        self._added = {file.path: tuple(line.text for line in file.added_lines) for file in change.files}
        self._given: dict[tuple[str, int], bool] = {}

    def had(self, file: FileChange, text: str, problem: Problem) -> bool:
        """Say whether the line of a finding stood somewhere before, in a file that was at least as public.

        Each removed line answers for one added line. A guard that was taken away is not gone where another file of the
        change brings it.
        """
        if problem.rule.startswith(_TAKEN_AWAY):
            return self._stands_elsewhere(file, problem)
        place = (file.path, problem.line)
        if place not in self._given:
            lines = text.split("\n")
            line = lines[problem.line - 1].strip() if problem.line <= len(lines) else ""
            self._given[place] = len(line) >= _SHORTEST and self._take(line, _openness(file.path))
        added = {each.line for each in file.added_lines}
        return self._given[place] and problem.line in added

    def _stands_elsewhere(self, file: FileChange, problem: Problem) -> bool:
        named = _NAMED.search(problem.message)
        if named is None:
            return False
        guard = named.group(1).strip("@ (")
        return any(guard in text for path, texts in self._added.items() if path != file.path for text in texts)

    def _take(self, line: str, openness: int) -> bool:
        levels = self._left.get(line, [])
        fitting = [level for level in levels if level >= openness]
        if not fitting:
            return False
        levels.remove(fitting[0])
        return True


def _removed(change: Change) -> Mapping[str, list[int]]:
    lines: dict[str, list[int]] = {}
    for file in change.files:
        level = _openness(file.old_path or file.path)
        for line in file.removed_lines:
            lines.setdefault(line.text.strip(), []).append(level)
    return lines


def _openness(path: str) -> int:
    """Return how many people see a file: 0 for one that holds secrets by its name, 2 for what is published."""
    if _PRIVATE.search(path):
        return 0
    return 2 if _PUBLISHED.search(path) or is_documentation(path) else 1
