"""A client's own copy of a document, to which it applies the edits it is sent, as an editor does."""

from typing import Any

import attrs


@attrs.define
class Buffer:
    """A text with its version; positions are UTF-16, as where nothing else was agreed on."""

    uri: str
    text: str
    version: int = 1

    def apply(self, workspace_edit: dict[str, Any]) -> list[dict[str, Any]]:
        """Apply the edits of this document, and return them as the content changes that tell of it.

        The version that the edits are bound to must be the one that the editor has.
        """
        (document,) = workspace_edit["documentChanges"]
        assert document["textDocument"] == {"uri": self.uri, "version": self.version}
        edits = sorted(document["edits"], key=lambda edit: _start(edit["range"]), reverse=True)
        for edit in edits:
            start, end = (self._offset(edit["range"][which]) for which in ("start", "end"))
            self.text = self.text[:start] + edit["newText"] + self.text[end:]
        self.version += 1
        return [{"range": edit["range"], "text": edit["newText"]} for edit in edits]

    def _offset(self, position: dict[str, int]) -> int:
        lines = self.text.split("\n")
        before = sum(len(line) + 1 for line in lines[: position["line"]])
        units = lines[position["line"]].encode("utf-16-le")[: position["character"] * 2]
        return before + len(units.decode("utf-16-le"))


def _start(place: dict[str, Any]) -> tuple[int, int]:
    return place["start"]["line"], place["start"]["character"]
