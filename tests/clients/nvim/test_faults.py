"""A fault that no test notices, in Neovim: shown beside the text, copied for an agent, answered with a test."""

import pytest

from tests.clients.nvim.test_commands import trust, verify
from tests.harness.python_shop import SOURCE, TESTS, shop

LINE = 10
MORE = SOURCE + "\n\ndef discount(amount: int) -> int:\n    return amount - 10 if amount >= 100 else amount\n"
MORE_TESTS = TESTS.replace("import label", "import discount, label") + (
    "\n\ndef test_discount():\n    assert discount(200) == 190\n    assert discount(5) == 5\n"
)


@pytest.fixture
def project(tmp_path):
    """A Python project with one change that its tests do not wholly hold."""
    made = shop(tmp_path / "shop")
    made.commit({"verify.toml": 'checks = ["tests", "mutation"]\n'})
    made.write("shop.py", MORE)
    made.write("test_shop.py", MORE_TESTS)
    return made.path


@pytest.fixture
def fault(nvim, project):
    """Neovim with the cursor on the fault."""
    nvim.edit(project / "shop.py")
    trust(nvim)
    verify(nvim)
    nvim.wait("#vim.diagnostic.get(0) == 1")
    nvim.lua("_G.notes = {} vim.api.nvim_win_set_cursor(0, { line, 0 })", line=LINE)
    return nvim


def choose(editor, beginning):
    """Take the one code action of the cursor's line that begins so."""
    editor.lua(
        "vim.lsp.buf.code_action({ apply = true, filter = function(one) return vim.startswith(one.title, title) end })",
        title=beginning,
    )


def windows(editor):
    """Return the buffers of the tab: kind, whether they can be changed, whether they are compared, their text."""
    return editor.lua(
        "return vim.tbl_map(function(window) local buffer = vim.api.nvim_win_get_buf(window) return {"
        " vim.bo[buffer].buftype, vim.bo[buffer].modifiable, vim.wo[window].diff,"
        " table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\\n') .. '\\n' } end,"
        " vim.api.nvim_tabpage_list_wins(0))"
    )


@pytest.mark.parametrize("how", ["action", "command"])
def test_the_program_that_survives_stands_beside_the_text_and_in_no_file(fault, project, how):
    if how == "action":
        choose(fault, "Show the program")
    else:
        fault.lua("vim.cmd.Verify({ args = { 'fault' } })")
    fault.wait("#vim.api.nvim_list_tabpages() == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2")

    assert windows(fault) == [["", True, True, MORE], ["nofile", False, True, MORE.replace(">=", ">")]]
    assert (project / "shop.py").read_text() == MORE
    assert fault.lua("return vim.bo.filetype") == "python"
    fault.lua("vim.api.nvim_feedkeys('q', 'xt', false)")
    assert fault.lua("return #vim.api.nvim_list_tabpages()") == 1


def test_the_brief_is_in_the_register(fault):
    choose(fault, "Copy what an agent")
    fault.wait("#_G.notes == 1")

    brief = fault.lua("return vim.fn.getreg('\"')")
    assert brief.startswith(f"File: shop.py\nLine: {LINE}, in discount\n")
    assert "- test_shop.py::test_discount\n" in brief


@pytest.mark.parametrize("how", ["action", "command"])
def test_a_failing_test_is_inserted_and_shown_and_not_saved(fault, project, how):
    if how == "action":
        choose(fault, "Insert a failing test")
    else:
        fault.lua("vim.cmd.Verify({ args = { 'fault', 'test' } })")
    fault.wait("vim.api.nvim_buf_get_name(0) == path", path=str(project / "test_shop.py"))

    assert fault.lua("return vim.api.nvim_get_current_line()").startswith('    raise AssertionError("not written yet:')
    assert fault.lua("return vim.bo.modified") is True
    assert (project / "test_shop.py").read_text() == MORE_TESTS


def test_a_line_that_was_edited_has_no_fault_any_more(fault):
    fault.lua("vim.api.nvim_set_current_line('    return amount')")
    fault.wait("#vim.diagnostic.get(0) == 0")
    fault.lua("vim.cmd.Verify({ args = { 'fault' } })")
    fault.wait("#_G.notes == 1")

    assert fault.lua("return _G.notes") == ["verify-lsp: no fault on this line went unnoticed in the last proof"]
