"""What Neovim's other language servers say is offered to the runs: of the present text, or not at all."""

import json
import sys
from pathlib import Path

import pytest

from tests.harness import neovim as harness
from tests.harness.neovim import neovim

OTHER = str(Path(harness.__file__).with_name("todo_server.py"))
TEXT = 'x = "😀"  # TODO\n'


@pytest.fixture
def start(nvim_program, tmp_path):
    """Starts a Neovim with another server beside ours."""
    opened = []

    def make(mode):
        command = json.dumps([sys.executable, OTHER, mode])
        more = (
            f"vim.lsp.config('todo', {{ cmd = vim.json.decode([==[{command}]==]), filetypes = {{ 'python' }},"
            " root_markers = { '.git' },"
            # As most servers do, it counts in UTF-16, and ours in UTF-8.
            " capabilities = { general = { positionEncodings = { 'utf-16' } } } })\n"
            "vim.lsp.enable({ 'todo', 'verify_lsp' })"
        )
        opened.append(neovim(nvim_program, tmp_path / "nvim", more=more))
        return opened[-1].__enter__()

    yield make
    for one in opened:
        one.__exit__(None, None, None)


def edit(editor, path, text=TEXT):
    path.write_text(text)
    editor.edit(path)
    editor.wait("#vim.lsp.get_clients({ bufnr = 0 }) == 2")


def collected(editor, *paths):
    editor.lua(
        "_G.answer = nil\n"
        "local own = vim.lsp.get_clients({ name = 'verify_lsp' })[1].id\n"
        "require('verify_lsp.others').collect(uris, own, function(files) _G.answer = files end)",
        uris=[path.as_uri() for path in paths],
    )
    editor.wait("_G.answer ~= nil")
    return editor.lua("return _G.answer") or []


@pytest.mark.parametrize("mode", ["push", "unversioned", "pull"])
def test_another_server_is_heard_in_our_columns(start, folder, mode):
    editor = start(mode)
    edit(editor, folder / "a.py")
    editor.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, { '', '# TODO' })")
    (file,) = collected(editor, folder / "a.py")
    assert file["uri"] == (folder / "a.py").as_uri()
    assert file["version"] == editor.lua("return vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]")
    places = [(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in file["diagnostics"]]
    assert places == [(1, 2), (2, len(TEXT[: TEXT.index("TODO")].encode()))]


def test_a_text_without_a_mistake_is_an_answer(start, folder):
    editor = start("push")
    edit(editor, folder / "a.py", "x = 1\n")
    (file,) = collected(editor, folder / "a.py")
    assert not file["diagnostics"]


def test_a_server_that_says_nothing_is_not_taken_for_one_that_found_nothing(start, folder):
    editor = start("silent")
    edit(editor, folder / "a.py")
    assert collected(editor, folder / "a.py") == []


def test_our_own_word_is_not_offered_to_us(nvim, folder):
    (folder / "a.py").write_text("x = (\n")
    nvim.edit(folder / "a.py")
    nvim.wait_for_rules("python.syntax")
    assert collected(nvim, folder / "a.py") == []


def test_a_file_that_no_buffer_shows_is_looked_at_by_the_server_of_its_folder(start, folder, tmp_path):
    editor = start("push")
    edit(editor, folder / "a.py", "x = 1\n")
    (folder / "b.py").write_text(TEXT)
    (tmp_path / "c.py").write_text(TEXT)
    (file,) = collected(editor, folder / "b.py", tmp_path / "c.py", folder / "gone.py")
    assert [d["message"] for d in file["diagnostics"]] == ["to do"]
    assert editor.lua("return vim.api.nvim_buf_is_loaded(vim.fn.bufnr(path))", path=str(folder / "b.py")) is False
    assert editor.lua("return #vim.fn.getbufinfo({ buflisted = 1 })") == 1


def test_a_run_asks_the_editor_and_gives_its_word_as_a_fact(start, folder):
    editor = start("unversioned")  # So that there is something to wait for.
    edit(editor, folder / "a.py")
    (folder / "verify.toml").write_text('checks = ["diagnostics"]\n')
    editor.lua("vim.cmd.Verify('trust')")
    editor.wait("#_G.notes > 0")
    editor.lua("_G.notes = {} vim.cmd.Verify({ args = { 'run', 'files', '%' } })")
    editor.wait("#_G.notes > 0")
    editor.lua("vim.cmd.Verify('report')")
    editor.wait("vim.bo.filetype == 'verify-report'")
    lines = editor.text().splitlines()
    assert "- a.py:1:12: to do (todo, high)" in lines, "\n".join(lines)
    assert [line for line in lines if line.startswith("1. diagnostics: the editor's language servers report ")]
