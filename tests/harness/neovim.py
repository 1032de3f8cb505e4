"""A real Neovim without a screen, told what to do in Lua; it loads the client as a user's Neovim does."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.harness.processes import eventually

ROOT = Path(__file__).resolve().parents[2]
CLIENT = ROOT / "client-nvim"
LIMIT_MS = 120_000

SERVER = [sys.executable, "-m", "verify_lsp"]

_INIT = """
vim.g.loaded_python3_provider = 0
vim.opt.runtimepath:prepend({client})
vim.o.swapfile = false
vim.lsp.config('verify_lsp', {{ cmd = vim.json.decode({command}), cmd_env = {{ PYTHONPATH = {root} }} }})
{more}
"""
_RECORD = """
_G.notes = {}
vim.notify = function(text) table.insert(_G.notes, text) end
"""
_ENABLE = "vim.lsp.enable('verify_lsp')"

_CALL = """
local values = vim.json.decode({values})
local ok, result = xpcall(function() {code} end, debug.traceback)
return vim.json.encode({{ ok = ok, result = result == nil and vim.NIL or result }})
"""

_PLACES = """
local buffer = name == nil and 0 or vim.fn.bufnr(name)
if buffer == -1 then return {} end
return vim.tbl_map(function(d)
  return { d.code, d.lnum, d.col, d.end_lnum, d.end_col, d.severity }
end, vim.diagnostic.get(buffer))
"""


class LuaError(Exception):
    """What was run in Neovim failed."""


class Neovim:
    """One Neovim process. Paths and values go in as JSON, and come back so."""

    def __init__(self, program: str, home: Path, init: str) -> None:
        home.mkdir(parents=True, exist_ok=True)
        self._home, self._program = home, program
        self._sockets = tempfile.mkdtemp(prefix="nvim-")  # Addresses of sockets must be short.
        self._socket = str(Path(self._sockets) / "s")
        self._numbers = iter(range(1, 1_000_000))
        (home / "init.lua").write_text(init)
        folders = {name: str(home / name.lower()) for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")}
        self.environment = {**os.environ, **folders, "XDG_CACHE_HOME": str(home / "cache"), "NVIM_LOG_FILE": os.devnull}
        words = ["-u", str(home / "init.lua"), "-i", "NONE", "-n"]
        self.words = [program, *words]
        self._stderr = (home / "stderr").open("wb")
        self.process = subprocess.Popen(
            [*self.words, "--headless", "--listen", self._socket],
            env=self.environment,
            cwd=home,
            stdin=subprocess.DEVNULL,
            stdout=self._stderr,
            stderr=self._stderr,
        )
        try:
            assert eventually(self._is_ready), self.stderr()
            assert self.lua("return _G.notes ~= nil"), self.stderr()
        except BaseException:
            self.close()
            raise

    def _is_ready(self) -> bool:
        try:
            return self.lua("return vim.v.vim_did_enter") == 1
        except LuaError:
            return False

    def lua(self, code: str, **values: Any) -> Any:
        """Run the body of a Lua function, in which `values` are locals, and return what it returns."""
        names = "".join(f"local {name} = values.{name}\n" for name in values)
        chunk = self._home / f"chunk-{next(self._numbers)}.lua"
        chunk.write_text(_CALL.format(values=_quoted(json.dumps(values)), code=names + code))
        done = subprocess.run(
            [self._program, "--server", self._socket, "--remote-expr", f"luaeval('dofile(_A)', '{chunk}')"],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=3 * LIMIT_MS / 1000,
            check=False,
        )
        chunk.unlink()
        if done.returncode != 0 or not done.stdout.startswith("{"):
            raise LuaError(f"{done.stdout}{done.stderr}{self.stderr()}")
        answer = json.loads(done.stdout)
        if not answer["ok"]:
            raise LuaError(answer["result"])
        return answer["result"]

    def wait(self, condition: str, **values: Any) -> None:
        """Let Neovim go about its business until the Lua expression `condition` is true."""
        met = self.lua(f"return (vim.wait({LIMIT_MS}, function() return {condition} end, 10))", **values)
        if not met:
            state = self.lua(
                "return { notes = _G.notes, shown = vim.diagnostic.get(),"
                " running = require('verify_lsp.state').running, line = require('verify_lsp').statusline(),"
                " buffer = vim.api.nvim_buf_get_name(0), servers = #vim.lsp.get_clients() }"
            )
            raise AssertionError(f"never came true: {condition}\n{json.dumps(state, indent=1)}\n{self.stderr()}")

    def edit(self, path: Path) -> None:
        """Open a file, and wait for the server to be at work in it."""
        self.lua("vim.cmd.edit(vim.fn.fnameescape(path))", path=str(path))
        self.wait("#vim.lsp.get_clients({ name = 'verify_lsp', bufnr = 0 }) == 1")

    def places(self, path: Path | None = None) -> list[list[Any]]:
        """Return `[rule, line, column, end line, end column, severity]` of each diagnostic, from 0, in bytes."""
        return self.lua(_PLACES if path else "local name\n" + _PLACES, **({"name": str(path)} if path else {}))

    def wait_for_rules(self, *rules: str, path: Path | None = None) -> None:
        """Wait until exactly these rules are shown in a buffer, each as often as it stands here."""
        codes = "vim.tbl_map(function(d) return d.code end, vim.diagnostic.get(buffer))"
        condition = f"(function() local buffer = {_BUFFER} if buffer == -1 then return #rules == 0 end local found = {codes} table.sort(found) return vim.deep_equal(found, rules) end)()"
        self.wait(condition, rules=sorted(rules), path=str(path or ""))

    def text(self) -> str:
        """Return the current buffer's text as it would be written."""
        return self.lua("return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')") + "\n"

    def settled(self) -> list[Any]:
        """Wait until the server has looked at exactly the current text; return what it shows of it."""
        return self.lua(
            "local client = vim.lsp.get_clients({ name = 'verify_lsp', bufnr = 0 })[1]\n"
            "local asked = { uri = vim.uri_from_bufnr(0), version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()] }\n"
            f"local answer = client:request_sync('verify/awaitFresh', asked, {LIMIT_MS})\n"
            "assert(answer and answer.result and answer.result.fresh, vim.inspect(answer))\n"
            "return answer.result.diagnostics"
        )

    def server_pids(self) -> list[int]:
        """Return the process ids of all servers and other children."""
        return self.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())")

    def stderr(self) -> str:
        """Return what Neovim printed."""
        return (self._home / "stderr").read_text(errors="replace")

    def close(self) -> None:
        """End Neovim."""
        if self.process.poll() is None:
            with contextlib.suppress(LuaError, subprocess.TimeoutExpired):
                self.lua("vim.schedule(function() vim.cmd('qall!') end)")
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(20)
        self._stderr.close()
        shutil.rmtree(self._sockets, ignore_errors=True)


_BUFFER = "(path == '' and vim.api.nvim_get_current_buf() or vim.fn.bufnr(path))"


@contextlib.contextmanager
def neovim(program: str, home: Path, more: str = _ENABLE, command: Sequence[str] = SERVER) -> Iterator[Neovim]:
    """Start Neovim with the client installed; `more` ends its configuration."""
    init = configuration(_RECORD + more, command)
    editor = Neovim(program, home, init)
    try:
        yield editor
    finally:
        editor.close()


def configuration(more: str = _ENABLE, command: Sequence[str] = SERVER) -> str:
    """Return an init.lua that has the client installed, and ends with `more`."""
    return _INIT.format(
        client=_quoted(str(CLIENT)), command=_quoted(json.dumps(list(command))), root=_quoted(str(ROOT)), more=more
    )


def _quoted(text: str) -> str:
    """Return `text` as a Lua string."""
    return f"[==========[\n{text}]==========]"
