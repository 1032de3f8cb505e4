"""What a person sees: Neovim's own screen, drawn in the terminal of another Neovim, which is read as text."""

import pytest

from tests.harness.neovim import configuration, neovim
from tests.harness.python_shop import SOURCE, shop

COLUMNS, LINES = 240, 30  # Wide enough for a message with the path of a folder of a test.
PERSON = """
vim.lsp.enable('verify_lsp')
vim.diagnostic.config({ virtual_text = true })
vim.o.statusline = "%f%=%{v:lua.require'verify_lsp'.statusline()}"
"""


class Screen:
    """A terminal with a Neovim in it."""

    def __init__(self, outer, words, pictures):
        self.outer, self.pictures = outer, pictures
        self.numbers = iter(range(1, 100))
        outer.lua(
            "vim.o.columns, vim.o.lines, vim.o.laststatus = columns, lines, 0\n"
            "vim.cmd.enew()\n"
            "_G.job = vim.fn.jobstart(words, { term = true, env = { TERM = 'xterm-256color', NVIM = '' } })\n"
            "_G.screen = vim.api.nvim_get_current_buf()",
            columns=COLUMNS,
            lines=LINES,
            words=words,
        )

    def keys(self, keys):
        self.outer.lua("vim.api.nvim_chan_send(_G.job, vim.keycode(keys))", keys=keys)

    def see(self, *texts):
        """Wait until the screen shows all of these on one line each, and keep a picture of it."""
        condition = (
            "(function() local shown = vim.api.nvim_buf_get_lines(_G.screen, 0, -1, false)"
            " return vim.iter(texts):all(function(text) return vim.iter(shown):any(function(line)"
            " return line:find(text, 1, true) ~= nil end) end) end)()"
        )
        try:
            self.outer.wait(condition, texts=texts)
        finally:
            self.picture()

    def picture(self):
        """Return the screen, and keep it beside what the test leaves behind."""
        lines = self.outer.lua("return vim.api.nvim_buf_get_lines(_G.screen, 0, -1, false)")
        path = self.pictures / f"screen-{next(self.numbers)}.txt"
        path.write_text("\n".join(lines) + "\n")
        return lines


@pytest.fixture
def project(tmp_path):
    made = shop(tmp_path / "shop")
    made.commit({"verify.toml": 'mutationTesting = false\nchecks = ["tests", "security"]\n'})
    made.write("shop.py", SOURCE.replace("amount * 2", "amount * 3"))
    made.write("prices.json", '{\n  "bread": [1, 2,],\n  "milk": 3\n}\n')
    return made.path


@pytest.fixture
def screen(nvim_program, tmp_path, project):
    (tmp_path / "init.lua").write_text(configuration(PERSON))
    words = [nvim_program, "-u", str(tmp_path / "init.lua"), "-i", "NONE", "-n", str(project / "prices.json")]
    with neovim(nvim_program, tmp_path / "outer", more="") as outer:
        outer.lua("vim.cmd.cd(path)", path=str(project))
        screen = Screen(outer, words, tmp_path)
        yield screen
        screen.keys("<C-\\><C-n>:qall!<CR>")
        outer.wait("vim.fn.jobwait({ _G.job }, 0)[1] ~= -1")


def test_a_person_sees_the_mistake_mends_it_and_reads_a_report(screen, project):
    screen.see('"bread": [1, 2,],', "JSON allows no comma after the last element.", "verify: ready")
    (line,) = [line for line in screen.picture() if '"bread"' in line]
    assert "JSON allows no comma" in line
    screen.keys("2Ggra")
    screen.see("1: ")
    screen.keys("1<CR>")
    screen.see('"bread": [1, 2],')
    screen.keys(":Verify trust<CR>")
    screen.see("is trusted now")
    screen.keys("<CR>:w<CR>:Verify run<CR>")
    screen.see("verify: fail, tier ")
    screen.keys("<CR>:Verify report<CR>")
    screen.see("# verify-lsp: fail, risk tier ", "## Facts", "2. tests: ")
    screen.keys("/^- test_shop.py<CR><CR>")
    screen.see("def test_price():")
    assert (project / "prices.json").read_text() == '{\n  "bread": [1, 2],\n  "milk": 3\n}\n'
