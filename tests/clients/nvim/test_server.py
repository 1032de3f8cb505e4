"""The server's life in Neovim: missing, killed, started anew, several at once."""

import json
import os
import re
import shutil
import signal

from tests.harness.neovim import CLIENT, neovim
from tests.harness.processes import eventually, is_running
from tests.harness.repository import new_repository

COMMA = "json.trailing-comma"
CLIENTS = "#vim.lsp.get_clients({ name = 'verify_lsp' })"


def test_a_killed_server_is_told_of_and_can_be_started_anew(nvim, folder):
    (folder / "a.json").write_text("[1,]\n")
    (folder / "b.json").write_text("[2,]\n")
    nvim.edit(folder / "a.json")
    nvim.edit(folder / "b.json")
    nvim.wait_for_rules(COMMA)
    first = nvim.lua("return vim.lsp.get_clients()[1].id")
    for pid in nvim.server_pids():
        os.kill(pid, signal.SIGKILL)
    nvim.wait("#vim.tbl_filter(function(note) return note:find('Verify restart', 1, true) end, _G.notes) == 1")
    notes = "\n".join(nvim.lua("return _G.notes"))
    assert "verify-lsp: the server was ended by signal 9. :Verify restart starts it again" in notes
    nvim.wait(f"{CLIENTS} == 0")
    nvim.lua("_G.notes = {} vim.cmd.Verify('run')")
    nvim.wait(
        "vim.deep_equal(_G.notes, { told })", told="verify-lsp: the server has ended; :Verify restart starts it again"
    )
    nvim.lua("vim.cmd.Verify('restart')")
    nvim.wait(f"{CLIENTS} == 1 and vim.lsp.get_clients()[1].id ~= first", first=first)
    assert nvim.lua("return vim.tbl_count(vim.lsp.get_clients()[1].attached_buffers)") == 2
    nvim.wait_for_rules(COMMA)
    nvim.wait_for_rules(COMMA, path=folder / "a.json")


def test_a_running_server_is_started_anew_without_an_alarm(nvim, folder):
    (folder / "a.json").write_text("[1,]\n")
    nvim.edit(folder / "a.json")
    nvim.wait_for_rules(COMMA)
    (before,) = nvim.server_pids()
    nvim.lua("vim.cmd.Verify('restart')")
    nvim.wait(f"{CLIENTS} == 1")
    nvim.wait_for_rules(COMMA)
    assert nvim.lua("return _G.notes") == ["verify-lsp: the server was started anew"]
    assert eventually(lambda: not is_running(before))


def test_no_server_outlives_neovim(nvim_program, tmp_path, folder):
    with neovim(nvim_program, tmp_path / "nvim") as editor:
        editor.edit(folder / "notes.md")
        pids = editor.server_pids()
        assert pids
    assert eventually(lambda: not any(map(is_running, pids)))


def test_a_missing_server_is_named_by_every_command(nvim_program, tmp_path, folder):
    with neovim(nvim_program, tmp_path / "nvim", command=["no-such-verify-lsp"]) as editor:
        editor.lua("vim.cmd.edit(path)", path=str(folder / "notes.md"))
        editor.lua("vim.cmd.Verify('run')")
        editor.wait("#_G.notes == 1")
        (note,) = editor.lua("return _G.notes")
        assert note.startswith("verify-lsp: `no-such-verify-lsp` is not to be found. Install verify-lsp")


def test_a_server_that_is_not_enabled_is_no_error_before_it_is_asked_for(nvim_program, tmp_path, folder):
    with neovim(nvim_program, tmp_path / "nvim", more="") as editor:
        editor.lua("vim.cmd.edit(path)", path=str(folder / "notes.md"))
        assert editor.lua("return _G.notes") == []
        assert editor.lua("return vim.lsp.is_enabled('verify_lsp')") is False


def test_each_folder_has_a_server_and_a_command_means_the_one_at_hand(nvim, folder, tmp_path):
    second = new_repository(tmp_path / "second", {"notes.md": "# Second\n"}).path
    nvim.edit(folder / "notes.md")
    nvim.edit(second / "notes.md")
    nvim.wait(f"{CLIENTS} == 2")
    nvim.lua("vim.cmd.Verify('run')")
    nvim.wait("#_G.notes == 1")
    reports = (
        "(function() local client = require('verify_lsp.clients').covering(vim.lsp.get_clients(), path)"
        " return #client:request_sync('verify/list', vim.empty_dict(), 30000).result end)()"
    )
    assert nvim.lua(f"return {reports}", path=str(second)) == 1
    assert nvim.lua(f"return {reports}", path=str(folder)) == 0
    nvim.lua("vim.cmd.enew() vim.cmd.cd(path) vim.cmd.Verify('run')", path=str(folder))
    nvim.wait("#_G.notes == 2")
    assert nvim.lua(f"return {reports}", path=str(folder)) == 1


def test_the_server_starts_by_hand_as_older_versions_need_it(nvim_program, tmp_path, folder):
    by_hand = (
        "vim.api.nvim_create_autocmd('FileType', { callback = function(event)"
        " local config = require('verify_lsp').config({ cmd = vim.lsp.config.verify_lsp.cmd,"
        " cmd_env = vim.lsp.config.verify_lsp.cmd_env, root_dir = vim.fs.root(event.buf, { '.git' }) })"
        " vim.lsp.start(config, { bufnr = event.buf }) end })"
    )
    (folder / "a.json").write_text("[1,]\n")
    with neovim(nvim_program, tmp_path / "nvim", more=by_hand) as editor:
        editor.edit(folder / "a.json")
        editor.wait_for_rules(COMMA)


def test_checkhealth_says_what_is_there_and_what_is_not(nvim, folder):
    nvim.edit(folder / "notes.md")
    nvim.lua("vim.cmd.checkhealth('verify_lsp')")
    text = nvim.text()
    assert "OK Neovim 0." in text
    assert f"{folder}: Not trusted" in text
    assert f"verify-lsp trust {folder}" in text
    assert "ERROR" not in text


def test_checkhealth_names_a_missing_program(nvim_program, tmp_path):
    with neovim(nvim_program, tmp_path / "nvim", command=["no-such-verify-lsp"]) as editor:
        editor.lua("vim.cmd.checkhealth('verify_lsp')")
        assert "`no-such-verify-lsp` is not to be found" in editor.text()


def test_nothing_is_loaded_and_no_global_is_made_before_it_is_needed(nvim_program, tmp_path):
    with neovim(nvim_program, tmp_path / "nvim", more="") as editor:
        loaded = "return vim.tbl_filter(function(n) return vim.startswith(n, 'verify_lsp') end, vim.tbl_keys(package.loaded))"
        assert json.dumps(editor.lua(loaded)) in {"[]", "{}"}
        names = editor.lua(
            "return vim.tbl_filter(function(n) return n:lower():find('verify') end, vim.tbl_keys(vim.g))"
        )
        assert names in ([], {}, ["loaded_verify_lsp"])
        assert editor.lua("return vim.fn.exists(':Verify')") == 2


def test_every_reference_of_the_help_page_is_found(nvim, tmp_path):
    copy = tmp_path / "copy"
    shutil.copytree(CLIENT / "doc", copy / "doc")
    nvim.lua("vim.cmd.helptags(path .. '/doc') vim.opt.runtimepath:prepend(path)", path=str(copy))
    page = (CLIENT / "doc" / "verify_lsp.txt").read_text()
    references = set(re.findall(r"\|([^|\s]+)\|", page))
    assert len(references) > 5
    for reference in sorted(references):
        nvim.lua("vim.cmd.help({ args = { tag } })", tag=reference)
    assert max(map(len, page.splitlines())) <= 78
