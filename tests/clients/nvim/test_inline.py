"""The inline loop in Neovim: what is shown is right, once, and follows the text."""

from pathlib import Path

import pytest

ERROR = 1
COMMA = "json.trailing-comma"


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_mistake_in_json_is_shown_at_its_place_once(nvim, folder):
    nvim.edit(write(folder / "a.json", '{"ä": [1,],\n "b": 2}\n'))
    nvim.wait_for_rules(COMMA)
    assert nvim.places() == [[COMMA, 0, 9, 0, 10, ERROR]]
    assert nvim.settled()[0]["source"] == "verify"
    nvim.lua("vim.cmd.edit()")
    nvim.settled()
    nvim.wait_for_rules(COMMA)


def test_a_mistake_in_python_is_shown_once(nvim, folder):
    nvim.edit(write(folder / "a.py", 'x = 1\nname = "😀" + (\n'))
    nvim.wait_for_rules("python.syntax")
    ((_, line, _, _, _, severity),) = nvim.places()
    assert (line, severity) == (1, ERROR)


def test_there_is_one_channel_for_diagnostics(nvim, folder):
    nvim.edit(write(folder / "a.json", "[1,]\n"))
    nvim.wait_for_rules(COMMA)
    offered = nvim.lua("return vim.lsp.get_clients({ bufnr = 0 })[1].server_capabilities")
    assert offered.get("diagnosticProvider") is None
    namespaces = nvim.lua(
        "local seen = {} for _, d in ipairs(vim.diagnostic.get(0)) do seen[tostring(d.namespace)] = true end"
        " return vim.tbl_keys(seen)"
    )
    assert len(namespaces) == 1


def test_a_finding_moves_with_its_line_and_goes_when_it_is_mended(nvim, folder):
    nvim.edit(write(folder / "a.json", '{\n "a": [1,]\n}\n'))
    nvim.wait_for_rules(COMMA)
    nvim.lua("vim.api.nvim_buf_set_lines(0, 1, 1, false, { ' \"new\": 0,', '' })")
    nvim.settled()
    nvim.wait("#vim.diagnostic.get(0) == 1 and vim.diagnostic.get(0)[1].lnum == 3")
    assert nvim.places() == [[COMMA, 3, 8, 3, 9, ERROR]]
    nvim.lua("vim.api.nvim_buf_set_lines(0, 3, 4, false, { ' \"a\": [1]' })")
    nvim.wait_for_rules()
    nvim.lua("vim.cmd.write()")
    assert nvim.settled() == []
    nvim.wait_for_rules()


def test_what_is_typed_is_looked_at_before_it_is_saved(nvim, folder):
    nvim.edit(write(folder / "a.json", "{}\n"))
    nvim.settled()
    nvim.lua("vim.api.nvim_feedkeys(vim.keycode('A<BS>\"a\": [1,]}<Esc>'), 'xt', false)")
    nvim.wait_for_rules(COMMA)
    assert nvim.text() == '{"a": [1,]}\n'
    assert nvim.lua("return vim.bo.modified")


APPLY = """
vim.api.nvim_win_set_cursor(0, { line, column })
vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
"""


@pytest.mark.parametrize("file_format", ["unix", "dos"])
def test_a_quick_fix_changes_its_place_alone(nvim, folder, file_format):
    end = "\n" if file_format == "unix" else "\r\n"
    text = f'["🚀🚀",{end} "😀", {{"ä": "🚀",}}{end}]{end}'
    nvim.edit(write(folder / "a.json", ""))
    (folder / "a.json").write_bytes(text.encode())
    nvim.lua("vim.cmd.edit({ bang = true })")
    assert nvim.lua("return vim.bo.fileformat") == file_format
    nvim.wait_for_rules(COMMA)
    nvim.lua(APPLY, line=2, column=0)
    nvim.wait("not vim.api.nvim_get_current_line():find(',}', 1, true)")
    nvim.lua("vim.cmd.write()")
    assert (folder / "a.json").read_bytes() == text.replace(",}", "}").encode()
    nvim.wait_for_rules()


def test_four_fixes_in_a_row_without_a_save_all_land(nvim, folder):
    text = '{\n  "a": [1,], "b": [2,],\n  "c": [3,],\n  "d": [4,]\n}\n'
    nvim.edit(write(folder / "a.json", text))
    nvim.wait_for_rules(COMMA, COMMA, COMMA, COMMA)
    for line, left in ((2, 3), (2, 2), (3, 1), (4, 0)):
        nvim.lua(
            "_G.tick = vim.b.changedtick\n"
            "vim.api.nvim_win_set_cursor(0, { line, 0 })\n"
            "local first\n"
            "vim.lsp.buf.code_action({ apply = true, filter = function(action)\n"
            "  if not action.isPreferred or first then return false end\n"
            "  first = true\n"
            "  return true\n"
            "end })",
            line=line,
        )
        nvim.wait("vim.b.changedtick > _G.tick")
        assert nvim.text().count(",]") == left
    assert nvim.text() == '{\n  "a": [1], "b": [2],\n  "c": [3],\n  "d": [4]\n}\n'
    assert nvim.settled() == []
    nvim.wait_for_rules()
    assert (folder / "a.json").read_text() == text


def test_fix_mends_the_finding_under_the_cursor_and_fixall_the_rest(nvim, folder):
    nvim.edit(write(folder / "a.json", '{\n  "a": [1,], "b": [2,],\n  "c": [3,],\n  "d": [4,]\n}\n'))
    nvim.wait_for_rules(COMMA, COMMA, COMMA, COMMA)
    nvim.lua("vim.api.nvim_win_set_cursor(0, { 2, 20 }) vim.cmd.Verify('fix')")
    nvim.wait("vim.api.nvim_buf_get_lines(0, 1, 2, false)[1] == line", line='  "a": [1,], "b": [2],')
    nvim.wait_for_rules(COMMA, COMMA, COMMA)
    nvim.lua("vim.cmd.Verify('fixall')")
    nvim.wait_for_rules()
    assert nvim.text() == '{\n  "a": [1], "b": [2],\n  "c": [3],\n  "d": [4]\n}\n'
    nvim.lua("vim.cmd.Verify('fix')")
    nvim.wait("vim.tbl_contains(_G.notes, note)", note="verify-lsp: no finding on this line can be fixed safely")


def test_what_another_process_writes_to_a_file_that_is_not_open_is_shown(nvim, folder):
    nvim.edit(write(folder / "a.json", "{}\n"))
    nvim.settled()
    other = write(folder / "other.json", "[1,]\n")
    nvim.wait_for_rules(COMMA, path=other)
    assert nvim.places(other) == [[COMMA, 0, 2, 0, 3, ERROR]]
    write(other, "[1]\n")
    nvim.wait_for_rules(path=other)
    write(other, "[1,]\n")
    nvim.wait_for_rules(COMMA, path=other)
    other.unlink()
    nvim.wait_for_rules(path=other)


def test_what_another_process_writes_to_an_open_file_is_shown_once_it_is_read(nvim, folder):
    path = write(folder / "a.json", "{}\n")
    nvim.edit(path)
    nvim.settled()
    write(path, '\n\n{"a": 1,}\n')
    nvim.lua("vim.o.autoread = true")
    nvim.wait("(function() vim.cmd.checktime() return vim.api.nvim_buf_line_count(0) == 3 end)()")
    nvim.wait_for_rules(COMMA)
    assert nvim.places() == [[COMMA, 2, 7, 2, 8, ERROR]]


def test_a_file_under_a_new_name_keeps_its_findings_and_the_old_name_loses_them(nvim, folder):
    old, new = write(folder / "old.json", "[1,]\n"), folder / "new.json"
    nvim.edit(old)
    nvim.wait_for_rules(COMMA)
    nvim.lua("vim.lsp.util.rename(old, new)", old=str(old), new=str(new))
    assert new.exists()
    assert not old.exists()
    nvim.lua("vim.cmd.edit(vim.fn.fnameescape(path))", path=str(new))
    nvim.wait_for_rules(COMMA)
    nvim.wait_for_rules(path=old)


def test_a_closed_file_shows_what_is_on_disk(nvim, folder):
    path = write(folder / "a.json", "[1]\n")
    nvim.edit(path)
    nvim.settled()
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { '[1,]' })")
    nvim.wait_for_rules(COMMA)
    nvim.lua("vim.cmd.enew() vim.cmd('bunload! ' .. vim.fn.fnameescape(path))", path=str(path))
    nvim.wait_for_rules(path=path)


def test_a_file_without_a_folder_is_looked_at(nvim, tmp_path):
    loose = tmp_path / "loose"
    loose.mkdir()
    nvim.edit(write(loose / "one.json", '{"a":1,}\n'))
    nvim.wait_for_rules(COMMA)
    assert nvim.lua("return vim.lsp.get_clients({ bufnr = 0 })[1].config.root_dir") is None
    assert nvim.lua("return _G.notes") == []


def test_hover_says_what_is_wrong_and_what_to_do(nvim, folder):
    nvim.edit(write(folder / "a.json", "[1,]\n"))
    nvim.wait_for_rules(COMMA)
    nvim.lua("vim.api.nvim_win_set_cursor(0, { 1, 2 }) vim.lsp.buf.hover()")
    shown = (
        "(function() for _, window in ipairs(vim.api.nvim_list_wins()) do"
        " if vim.api.nvim_win_get_config(window).relative ~= '' then"
        " return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n') end"
        " end return '' end)()"
    )
    nvim.wait(f"{shown} ~= ''")
    text = nvim.lua(f"return {shown}")
    assert "JSON allows no comma after the last element" in text
    assert COMMA in text
