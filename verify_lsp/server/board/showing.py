"""Brings the boards before the client: pushed as it changes, or pulled when the client asks. Never both."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import attrs

from verify_lsp.server.board.layers import Layers
from verify_lsp.server.board.policy import View
from verify_lsp.server.board.render import Share, diagnostics, shares, wanted
from verify_lsp.server.texts.open_documents import OpenDocuments

Json = dict[str, Any]


@attrs.frozen
class _Shown:
    """What was last pushed of one file; a list that was empty is kept of open documents alone."""

    uri: str
    digest: str
    share: Share | None


class Showing:
    """What one client has been shown.

    Args:
        push: Sends `textDocument/publishDiagnostics` with these params.
        ask_to_pull: Asks the client to pull anew; does nothing where it cannot be asked.
        address: Spells the address of a file that is not open.
    """

    def __init__(
        self,
        layers: Layers,
        documents: OpenDocuments,
        push: Callable[[Json], None],
        ask_to_pull: Callable[[], None],
        address: Callable[[Path], str],
    ) -> None:
        self.layers, self.documents = layers, documents
        self.push, self.ask_to_pull, self.address = push, ask_to_pull, address
        self.view = View()
        self._shown: dict[str, _Shown] = {}
        self._late: set[str] = set()
        self._due: set[str] = set()

    def update(self, keys: Iterable[str], *, settled: bool, looked: Iterable[str] = ()) -> None:
        """Tell the client of files that may look different now.

        Args:
            keys: The files.
            settled: False while the user types: then a client that adds up what it gets is told nothing, and one
                that pulls asks by itself.
            looked: Of these, the present texts were looked at just now. Where such a document is open the client
                hears of it also when nothing was found, as it may be waiting for the word.
        """
        if self.view.policy.channel == "pull":
            if settled and set(keys):
                self.ask_to_pull()
            return
        self._late |= set(keys)
        self._due |= set(looked) & set(self.documents.by_key)
        if not (self._late or self._due):
            return
        if settled or not self.view.policy.settled_only:
            late, self._late = self._late, set()
            due, self._due = self._due, set()
            self._push(late, due)

    def _push(self, keys: set[str], due: set[str]) -> None:
        given, files = self._shares()
        reshared = {key for key in {*self._shown, *given} if given.get(key) != self._share_shown(key)}
        for key in sorted(keys | due | reshared):
            uri, digest, params = self._rendered(key, given.get(key), files.get(key, []))
            before = self._shown.pop(key, None)
            if before is not None and before.uri != uri:
                if before.share is not None:
                    self.push({"uri": before.uri, "diagnostics": []})
                before = None
            share = given[key] if params["diagnostics"] else None
            told = before is not None and before.digest == digest
            if share is not None or key in self.documents.by_key:
                self._shown[key] = _Shown(uri, digest, share)
            if not told and (share is not None or key in due or (before is not None and before.share is not None)):
                self.push(params)
            elif not told and share is None:
                self._shown.pop(key, None)

    def _share_shown(self, key: str) -> Share | None:
        shown = self._shown.get(key)
        return None if shown is None else shown.share

    def diagnostics(self, key: str) -> list[Json]:
        """Return the diagnostics of one file, as any channel would show them now."""
        given, files = self._shares()
        shown: list[Json] = self._rendered(key, given.get(key), files.get(key, []))[2]["diagnostics"]
        return shown

    def report(self, key: str, previous: str | None) -> Json:
        """Return one file's answer to a pull, or that it is as it was."""
        given, files = self._shares()
        return self._report(key, given, files, previous)

    def reports(self, previous: Mapping[str, tuple[str, str]]) -> list[Json]:
        """Return the answer to a pull of the whole workspace.

        Args:
            previous: By file, the address and the result id the client has from before.
        """
        given, files = self._shares()
        answer = []
        for key in sorted(set(files) | set(previous)):
            uri, before = previous.get(key, (None, None))
            document = self.documents.by_key.get(key)
            report = self._report(key, given, files, before)
            report["uri"] = uri or self._uri(key)
            report["version"] = document.version if document else None
            answer.append(report)
        return answer

    def _report(
        self, key: str, given: Mapping[str, Share], files: Mapping[str, list[Any]], previous: str | None
    ) -> Json:
        _, digest, params = self._rendered(key, given.get(key), files.get(key, []))
        if digest == previous:
            return {"kind": "unchanged", "resultId": digest}
        return {"kind": "full", "resultId": digest, "items": params["diagnostics"]}

    def _shares(self) -> tuple[dict[str, Share], dict[str, list[Any]]]:
        files = {key: wanted(placed, self.view.policy) for key, placed in self.layers.shown()}
        return shares(files, self.view.policy), files

    def _rendered(self, key: str, share: Share | None, placed: list[Any]) -> tuple[str, str, Json]:
        document = self.documents.by_key.get(key)
        items: list[Json] = []
        if share is not None and share.count:
            lines = document.lines if document else self.layers.settled(key).split("\n")
            items = diagnostics(placed, lines, share, self.view)
        params: Json = {"uri": self._uri(key), "diagnostics": items}
        digest = hashlib.sha256(json.dumps(items).encode()).hexdigest()[:32]
        if document is not None and document.version is not None:
            params["version"] = document.version
            # A pushed list belongs to a version of its text, so that a new version is told anew.
            digest = digest if self.view.policy.channel == "pull" else f"{digest} {document.version}"
        return params["uri"], digest, params

    def _uri(self, key: str) -> str:
        if (document := self.documents.by_key.get(key)) is not None:
            return document.uri
        if (path := self.layers.path_of(key)) is not None:
            return self.address(Path(path))
        shown = self._shown.get(key)
        return shown.uri if shown else self.address(Path(key))
