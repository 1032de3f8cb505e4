"""`:Verify` in Neovim: runs, their reports, and the way from a report to the file."""

import pytest

from tests.harness.python_shop import SOURCE, TESTS, shop

CONFIG = 'mutationTesting = false\nchecks = ["tests"]\n'


@pytest.fixture
def project(tmp_path):
    """A Python project with one change, which breaks a test."""
    made = shop(tmp_path / "shop")
    made.commit({"verify.toml": CONFIG})
    made.write("shop.py", SOURCE.replace("amount * 2", "amount * 3"))
    return made.path


def trust(editor):
    editor.lua("vim.cmd.Verify('trust')")
    editor.wait("#_G.notes > 0")
    (note,) = editor.lua("local told = _G.notes _G.notes = {} return told")
    assert "is trusted now" in note, note


def verify(editor, *words):
    """Start a run and wait for its end; return what was announced."""
    editor.lua("_G.notes = {} vim.cmd.Verify({ args = words })", words=["run", *words])
    editor.wait("#_G.notes > 0 and next(require('verify_lsp.state').running) == nil")
    return editor.lua("return _G.notes")


def show(editor, *words):
    editor.lua("vim.cmd.Verify({ args = words })", words=list(words))
    editor.wait("vim.bo.filetype == 'verify-report'")
    return editor.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")


def choose(editor, line):
    """Press enter on a line of a report."""
    editor.lua(
        "vim.api.nvim_win_set_cursor(0, { line, 0 }) vim.api.nvim_feedkeys(vim.keycode('<CR>'), 'xt', false)", line=line
    )


def test_a_run_ends_in_a_report_whose_lines_lead_to_their_files(nvim, project):
    nvim.edit(project / "shop.py")
    trust(nvim)
    (note,) = verify(nvim)
    assert note.startswith("verify-lsp: fail, tier ")
    assert "tests failed" in note
    lines = show(nvim, "report")
    assert lines[0].startswith("# verify-lsp: fail, risk tier ")
    assert "## Facts" in lines
    assert "working-tree against HEAD · 1 file" in lines[2]
    # A finding leads to its place, and a fact to what its check found.
    for beginning in ("- test_shop.py:5: ", "1. tests: "):
        line = next(number for number, line in enumerate(lines, 1) if line.startswith(beginning))
        choose(nvim, line)
        nvim.wait("vim.api.nvim_buf_get_name(0) == path", path=str(project / "test_shop.py"))
        assert nvim.lua("return vim.api.nvim_win_get_cursor(0)[1]") == 5
        assert nvim.lua("return #vim.api.nvim_list_wins()") == 2
        # The report stands where it stood; asked for again, it might come to the front only after the next choice.
        nvim.lua(
            "vim.cmd.bwipeout() vim.api.nvim_set_current_win(vim.fn.win_findbuf(vim.fn.bufnr('verify://report'))[1])"
        )
    choose(nvim, 1)
    nvim.wait("_G.notes[#_G.notes] == 'verify-lsp: this line speaks of no place'")


def test_what_a_run_found_is_shown_in_the_files_and_in_the_status_line(nvim, project):
    nvim.edit(project / "test_shop.py")
    trust(nvim)
    assert nvim.lua("return require('verify_lsp').statusline()") == "verify: ready"
    verify(nvim, "files", str(project / "shop.py"), "%")
    nvim.wait("#vim.diagnostic.get(0) == 1")
    assert nvim.lua("return vim.diagnostic.get(0)[1].lnum") == 4
    assert nvim.lua("return require('verify_lsp').statusline()").startswith("verify: fail, tier ")


def test_a_run_can_be_cancelled(nvim, project):
    (project / "test_shop.py").write_text(TESTS + "\n\ndef test_long():\n    import time\n\n    time.sleep(600)\n")
    nvim.edit(project / "shop.py")
    trust(nvim)
    nvim.lua("_G.notes = {} vim.cmd.Verify('run')")
    nvim.wait("require('verify_lsp').statusline():find('running tests', 1, true)")
    nvim.lua("vim.cmd.Verify('cancel')")
    nvim.wait("next(require('verify_lsp.state').running) == nil")
    nvim.wait("#_G.notes > 0")
    (note,) = nvim.lua("return _G.notes")
    assert note.startswith("verify-lsp: cancelled: stopped before its end")
    nvim.lua("_G.notes = {} vim.cmd.Verify('cancel')")
    nvim.wait("vim.deep_equal(_G.notes, { 'verify-lsp: nothing is running' })")


def test_the_list_leads_to_each_report(nvim, project):
    nvim.edit(project / "shop.py")
    verify(nvim)
    verify(nvim, "staged")
    lines = show(nvim, "list")
    assert lines[0] == "# verify-lsp: 2 reports"
    assert " · empty · tier 0 · staged · no findings" in lines[2]
    choose(nvim, 4)
    nvim.wait("vim.api.nvim_buf_get_name(0) == 'verify://report'")
    assert nvim.lua("return vim.api.nvim_get_current_line()").startswith("# verify-lsp: warn")


def test_a_finding_is_mended_from_its_report(nvim, folder):
    (folder / "prices.json").write_text('{"bread": [1, 2,]}\n')
    (folder / "verify.toml").write_text('checks = ["diagnostics"]\n')
    nvim.edit(folder / "notes.md")
    trust(nvim)
    verify(nvim)
    lines = show(nvim, "report")
    line = next(number for number, line in enumerate(lines, 1) if line.startswith("- prices.json:1:16: "))
    assert lines[line - 1].endswith("(json.trailing-comma, high, fixable)")
    nvim.lua("_G.notes = {} vim.api.nvim_win_set_cursor(0, { line, 0 }) vim.cmd.Verify('fix')", line=line)
    nvim.wait("vim.deep_equal(_G.notes, { 'verify-lsp: fixed, but not saved yet (:wall saves all buffers)' })")
    nvim.lua("vim.cmd.wall()")
    assert (folder / "prices.json").read_text() == '{"bread": [1, 2]}\n'


def test_an_untrusted_folder_runs_nothing_and_one_is_told_how_to_trust_it(nvim, project):
    nvim.edit(project / "shop.py")
    (note,) = verify(nvim)
    assert "not verified: 1 check (not trusted: see :Verify trust)" in note
    assert "- tests: " in "\n".join(line for line in show(nvim, "report") if "not trusted" in line)
    shown = "\n".join(show(nvim, "status"))
    nvim.wait("vim.api.nvim_buf_get_name(0) == 'verify://status'")
    shown = "\n".join(nvim.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))
    assert f"`verify-lsp trust {project}`" in shown
    assert "`:Verify trust`" in shown


def test_a_report_is_not_made_where_there_is_none(nvim, folder):
    nvim.edit(folder / "notes.md")
    nvim.lua("vim.cmd.Verify('report')")
    nvim.wait("vim.deep_equal(_G.notes, { 'verify-lsp: there is no report yet; :Verify run makes one' })")
    nvim.lua("_G.notes = {} vim.cmd.Verify({ args = { 'report', 'no-such' } })")
    nvim.wait("#_G.notes == 1 and _G.notes[1]:find('no such report', 1, true)")


def test_outside_of_git_a_run_says_so(nvim, tmp_path):
    loose = tmp_path / "loose"
    loose.mkdir()
    (loose / "a.json").write_text("{}\n")
    nvim.edit(loose / "a.json")
    (note,) = verify(nvim)
    assert "is not in a git repository" in note


def test_words_are_completed(nvim, project):
    nvim.edit(project / "shop.py")
    verify(nvim, "staged")

    def completed(line):
        return nvim.lua("return vim.fn.getcompletion(line, 'cmdline')", line=line)

    names = ["cancel", "fault", "fix", "fixall", "list", "report", "restart", "run", "status", "trust"]
    assert completed("Verify ") == names
    assert completed("Verify re") == ["report", "restart"]
    assert completed("Verify run ") == ["working-tree", "staged", "branch", "files"]
    assert completed("Verify run st") == ["staged"]
    assert completed(f"Verify run files {project}/sh") == [f"{project}/shop.py"]
    assert len(completed("Verify report ")) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nonsense"], "verify-lsp: no such command: nonsense (there are cancel, fault,"),
        (["run", "nonsense"], "verify-lsp: no such scope: nonsense (there are working-tree,"),
    ],
)
def test_a_wrong_word_is_named(nvim, folder, words, told):
    nvim.edit(folder / "notes.md")
    nvim.lua("vim.cmd.Verify({ args = words })", words=words)
    nvim.wait("#_G.notes == 1")
    assert nvim.lua("return _G.notes[1]").startswith(told)


def test_a_run_is_started_where_no_file_is_open(nvim, project):
    nvim.lua("vim.cmd.cd(vim.fn.fnameescape(path))", path=str(project))
    (note,) = verify(nvim)
    assert note.startswith("verify-lsp: ")
    assert nvim.lua("return vim.lsp.get_clients()[1].config.root_dir") == str(project)
