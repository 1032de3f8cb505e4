"""What the client says of itself, held against what the server knows."""

import re
from pathlib import Path

import pytest

from tests.harness.neovim import CLIENT, neovim
from verify_lsp.security.kinds import _EXTENSIONS
from verify_lsp.verifiers.code.registrations import REGISTRATIONS as CODE
from verify_lsp.verifiers.data.registrations import REGISTRATIONS as DATA

ROOT = CLIENT.parent

# Neovim takes an empty .tf for TinyFugue's, and every .map for one of a map server.
GUESSED_WRONGLY = {"tf", "map"}


def names():
    """Return a path for each name that something of ours is for, spelled as people spell it."""
    spelled = {
        "dockerfile": "Dockerfile",
        "containerfile": "Containerfile",
        "pipfile": "Pipfile",
        "cargo.lock": "Cargo.lock",
    }
    found = [spelled.get(name, name) for one in (*DATA, *CODE) for name in one.names]
    for name in (*found, *_EXTENSIONS, "Makefile", "justfile", ".env"):
        concrete = re.sub(r"[*?]", "some", name)
        is_extension = concrete.startswith(".") and "/" not in concrete
        yield f"/p/a{concrete}" if is_extension else f"/p/{concrete}"


def test_every_file_type_that_neovim_gives_to_a_file_of_ours_is_listed(nvim):
    listed = set(nvim.lua("return require('verify_lsp.config').FILETYPES"))
    given = nvim.lua(
        "local given = {}\n"
        "for _, path in ipairs(paths) do\n"
        "  local buffer = vim.api.nvim_create_buf(false, true)\n"
        "  given[path] = vim.filetype.match({ filename = path, buf = buffer }) or ''\n"
        "  vim.api.nvim_buf_delete(buffer, { force = true })\n"
        "end\n"
        "return given",
        paths=sorted(set(names())),
    )
    unlisted = {path: kind for path, kind in given.items() if kind and kind not in listed | GUESSED_WRONGLY}
    assert unlisted == {}
    assert len([kind for kind in given.values() if kind]) > 140


@pytest.mark.parametrize("page", [CLIENT / "doc" / "verify_lsp.txt", ROOT / "docs" / "neovim.md"])
def test_every_command_is_documented(nvim, page):
    text = page.read_text()
    missing = [
        name for name in nvim.lua("return require('verify_lsp.commands').names()") if f":Verify {name}" not in text
    ]
    assert [name for name in missing if f":Verify [{name}]" not in text] == []


def test_no_module_is_long_and_none_makes_a_global():
    modules = sorted(Path(CLIENT).rglob("*.lua"))
    assert len(modules) > 10
    assert {path.name: n for path in modules if (n := len(path.read_text().splitlines())) > 300} == {}
    assert [
        path.name
        for path in modules
        if re.search(r"^\s*(?:_G\.|function [A-Z]\w*\()|^[a-z]\w* = ", path.read_text(), re.MULTILINE)
    ] == []


def test_settings_of_the_editor_hold(nvim_program, tmp_path, folder):
    more = (
        "vim.lsp.config('verify_lsp', { settings = { verify = { rules = { ['json.trailing-comma'] = 'off' } } } })\n"
        "vim.lsp.enable('verify_lsp')"
    )
    (folder / "a.json").write_text("[1,]\n")
    with neovim(nvim_program, tmp_path / "nvim", more=more) as editor:
        editor.edit(folder / "a.json")
        assert editor.settled() == []
        editor.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { '[1 2]' })")
        editor.wait_for_rules("json.missing-comma")


HOSTILE = "\x1b[31mred\x1b[0m \u202eevil\u202c\nsecond\rthird\x00 \x9b" + "x" * 1000


def report(**more):
    finding = {
        "id": "f1", "check": "lint", "severity": "high", "path": "a.py", "line": 3, "column": 2, "rule": HOSTILE,
        "message": HOSTILE, "fixable": True, "preexisting": False, "suggestion": HOSTILE, "evidence": HOSTILE,
    }  # fmt: skip
    check = {
        "kind": "lint", "status": "fail", "summary": HOSTILE, "findings": [finding], "durationMs": 61_500,
        "metrics": {}, "command": HOSTILE, "output": "~~~~\n# no title\n" + HOSTILE,
    }  # fmt: skip
    return {
        "id": "r", "workspace": "/p", "scope": {"kind": "staged"}, "createdAt": "2026-01-02T10:15:00Z", "status": "fail",
        "checks": [check], "riskTier": 2, "riskReasons": [HOSTILE],
        "facts": [{"id": "1", "text": HOSTILE, "check": "lint", "evidence": {"command": HOSTILE}}],
        "claims": [{"text": HOSTILE, "kind": "tests", "status": "contradicted", "facts": ["1"]}],
        **more,
    }  # fmt: skip


RENDER = "local page = require('verify_lsp.report').render(report) return { page.lines, vim.tbl_values(page.places) }"


def test_text_of_others_stays_on_its_line_without_control_characters(nvim):
    lines, places = nvim.lua(RENDER, report=report())
    text = "".join(lines)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert max(map(len, lines)) < 1000
    assert [line for line in lines if line.startswith("#")] == [
        "# verify-lsp: fail, risk tier 2 of 2: lint failed", "## Facts", "## Claims", "## ✗ lint failed, 1 min 1 s", "# no title", "## Risk",
    ]  # fmt: skip
    assert lines.count("~~~~") == 2
    assert all(place == {"path": "a.py", "line": 3, "column": 2} for place in places)


@pytest.mark.parametrize("path", ["../secret", "/etc/hostname", "a/../../secret", "gone.py"])
def test_no_line_leads_out_of_the_folder(nvim, tmp_path, path):
    (tmp_path / "secret").write_text("x\n")
    root = tmp_path / "root"
    root.mkdir()
    nvim.lua("require('verify_lsp.view').open(root, { path = path, line = 1 })", root=str(root), path=path)
    nvim.wait("#_G.notes == 1")
    assert nvim.lua("return _G.notes[1]") == f"verify-lsp: there is no file {path}"
    assert nvim.lua("return vim.api.nvim_buf_get_name(0)") == ""


@pytest.mark.parametrize(
    ("status", "said"),
    [
        ("pass", "pass, risk tier 0 of 2: tests passed; not verified: lint"),
        ("empty", "empty: there is no change in this scope, so that nothing was verified"),
        ("cancelled", "cancelled: stopped before its end; tests passed; not verified: lint"),
    ],
)
def test_what_was_skipped_is_never_called_a_pass(nvim, status, said):
    made = report(status=status, riskTier=0, checks=[
        {"kind": "tests", "status": "pass", "summary": "", "findings": [], "durationMs": 1, "metrics": {}},
        {"kind": "lint", "status": "skipped", "summary": "", "findings": [], "durationMs": 1, "metrics": {}},
    ])  # fmt: skip
    assert nvim.lua("return require('verify_lsp.report').sentence(report)", report=made) == said
