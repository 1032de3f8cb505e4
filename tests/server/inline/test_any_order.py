"""Whatever a client, other programs and late answers do in whatever order: what is shown is what a fresh look finds."""

import asyncio
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types as lsp

from verify_lsp.inspection.inspect import inspect_text
from verify_lsp.server.create import create_server
from verify_lsp.server.features import documents, files, inline
from verify_lsp.server.texts.uris import key_of
from verify_lsp.settings.settings import Settings
from verify_lsp.verifiers.base import Subject

NAMES = ("a.json", "b.yaml", "c.toml")
TEXTS = ('{"a": [1,], "b": 2,}\n', '{"a": 1}\n', "a: 1\na: 2\n", "\ufeff[1,\r\n2,]", "x = 1\nx = 2\n", "")
STEP = st.one_of(
    st.tuples(st.just("open"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("replace"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("insert"), st.sampled_from(NAMES), st.sampled_from(["\n", " ", "🚀", ",", '"', "x: 1\n"])),
    st.tuples(st.just("save"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("pause"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
    st.tuples(st.just("remove"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
    st.tuples(st.just("close"), st.sampled_from(NAMES), st.none()),
    st.tuples(st.just("late"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
)


class Editor:
    """A client with its own copies of the texts, and what it was told to show."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.server = create_server("verify_lsp.runs:Runs")
        self.server.session.folders.add(folder.as_uri())
        self.server.session.showing.push = self._take
        self.shown: dict[str, list] = {}
        self.open: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.gone: set[str] = set()  # Open, and removed behind the editor's back since it was last worked in.

    def _take(self, params) -> None:
        name = params["uri"].rpartition("/")[2]
        if name in self.open:
            assert params.get("version") == self.versions[name], "told of another version than the present one"
        self.shown[name] = params["diagnostics"]

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def key(self, name: str) -> str:
        return key_of(self.folder / name)

    def do(self, act: str, name: str, what) -> None:
        getattr(self, f"_{act}")(name, what)
        if act == "remove" and name in self.open:
            self.gone.add(name)
        elif act in {"replace", "insert", "save", "pause", "write", "close"}:
            self.gone.discard(name)

    def _open(self, name, text) -> None:
        if name not in self.open:
            self.open[name], self.versions[name] = text, 1
            item = lsp.TextDocumentItem(self.uri(name), "plaintext", 1, text)
            documents.opened(self.server, lsp.DidOpenTextDocumentParams(item))

    def _change(self, name, text, change) -> None:
        self.open[name] = text
        self.versions[name] += 1
        identifier = lsp.VersionedTextDocumentIdentifier(self.versions[name], self.uri(name))
        documents.changed(self.server, lsp.DidChangeTextDocumentParams(identifier, [change]))

    def _replace(self, name, text) -> None:
        if name in self.open:
            self._change(name, text, lsp.TextDocumentContentChangeWholeDocument(text))

    def _insert(self, name, text) -> None:
        if name in self.open:
            start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            self._change(name, text + self.open[name], lsp.TextDocumentContentChangePartial(text=text, range=start))

    def _save(self, name, _) -> None:
        if name in self.open:
            (self.folder / name).write_bytes(self.open[name].encode())
            documents.saved(self.server, lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name))))

    def _pause(self, name, _) -> None:
        if name in self.open:
            inline.look(self.server, self.key(name), settled=False)

    def _write(self, name, text) -> None:
        (self.folder / name).write_bytes(text.encode())
        self._seen_on_disk(name)

    def _remove(self, name, _) -> None:
        (self.folder / name).unlink(missing_ok=True)
        self._seen_on_disk(name)

    def _rename(self, name, other) -> None:
        if name not in self.open and other not in self.open and (self.folder / name).exists() and name != other:
            (self.folder / name).rename(self.folder / other)
            renaming = lsp.FileRename(self.uri(name), self.uri(other))
            files.renamed(self.server, lsp.RenameFilesParams([renaming]))
            self._seen_on_disk(name)
            self._seen_on_disk(other)

    def _seen_on_disk(self, name) -> None:
        """What a pass over written files does with one of them."""
        session, key = self.server.session, self.key(name)
        touched = files.look_at_files(self.server, {key} & session.layers.files())
        if name not in self.open:
            there = (self.folder / name).exists()
            touched |= inline.look(self.server, key, tell=False) if there else inline.forget(self.server, key)
        session.showing.update(touched, settled=True)

    def _close(self, name, _) -> None:
        if name in self.open:
            del self.open[name], self.versions[name]
            closing = lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(self.uri(name)))
            documents.closed(self.server, closing)
            self._seen_on_disk(name)

    def _late(self, name, text) -> None:
        """An answer comes in about a text that may not be the present one any more."""
        session, key = self.server.session, self.key(name)
        present = self.open.get(name, text)
        late = Subject(self.folder / name, text)
        found = inspect_text(late, name, Settings()).found
        looked = inline.verified_of(key, late, found)
        touched = session.layers.runs.put_up("late", [looked], {key: present} if name in self.open else {})
        touched |= session.layers.runs.put_up("late", (), {})
        session.showing.update(touched, settled=True)

    def expected(self, name: str) -> list[tuple[str, int]]:
        path = self.folder / name
        if name in self.gone:
            return []
        if name in self.open:
            text = self.open[name]
        elif path.exists():
            text = path.read_bytes().decode()
        else:
            return []
        found = inspect_text(Subject(path, text), name, Settings()).found
        return sorted((one.finding.rule, one.finding.line) for one in found)

    def settle(self) -> None:
        """Let every look that is due after a pause be taken now."""
        for key in list(self.server.session.later):
            inline.look(self.server, key, settled=False)

    def seen(self, name: str) -> list[tuple[str, int]]:
        shown = self.shown.get(name, [])
        return sorted((one["code"], one["range"]["start"]["line"] + 1) for one in shown)


@settings(max_examples=150, deadline=None)
@given(st.lists(STEP, max_size=25))
def test_what_is_shown_is_what_a_fresh_look_finds(steps):
    async def story() -> None:
        with tempfile.TemporaryDirectory() as scratch:
            editor = Editor(Path(scratch))
            for act, name, what in steps:
                editor.do(act, name, what)
                editor.settle()
                for each in NAMES:
                    assert editor.seen(each) == editor.expected(each), (act, name, what)
            await editor.server.tasks.close(2.0)

    asyncio.run(story())
