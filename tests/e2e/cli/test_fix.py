import subprocess
import sys

import pytest

from tests.harness.command_line import verify_lsp
from tests.harness.repository import run_git

BEFORE = '{\r\n  "a": [1, 2],\r\n  "b": 1\r\n}'
AFTER = '{\r\n  "a": [1, 2,],\r\n  "b": 1,\r\n}'
MENDED = '{\r\n  "a": [1, 2],\r\n  "b": 1\r\n}'


@pytest.fixture
def reported(tmp_path):
    """A repository with a run over a file with two mistakes, and the ids of their findings."""
    folder = tmp_path / "work"
    folder.mkdir()
    run_git(folder, "init", "-q", "-b", "main")
    (folder / "cfg.json").write_bytes(BEFORE.encode())
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "one")
    (folder / "cfg.json").write_bytes(AFTER.encode())
    (folder / "cfg.json").chmod(0o640)
    report = verify_lsp("run", "--checks", "diagnostics", "--format", "json", cwd=folder).report()
    return folder, report.id, [finding.id for finding in report.findings()]


def content(folder):
    return (folder / "cfg.json").read_bytes().decode()


def test_a_dry_run_prints_a_patch_that_git_takes_and_writes_nothing(reported):
    folder, report_id, _ = reported
    done = verify_lsp("fix", report_id, "--all", "--dry-run", cwd=folder)
    assert (done.code, content(folder)) == (0, AFTER)
    (folder.parent / "p.patch").write_bytes(done.out.encode())
    run_git(folder, "apply", str(folder.parent / "p.patch"))
    assert content(folder) == MENDED


def test_all_is_mended_and_the_rest_of_the_file_stays_as_it_was(reported):
    folder, report_id, _ = reported
    done = verify_lsp("fix", report_id, "--all", cwd=folder)
    assert (done.code, done.out) == (0, "2 of 2 findings fixed in 1 file\n")
    assert content(folder) == MENDED
    assert (folder / "cfg.json").stat().st_mode & 0o777 == 0o640
    again = verify_lsp("fix", report_id, "--all", cwd=folder)
    assert (again.code, content(folder)) == (1, MENDED)
    assert "is not found in cfg.json any more" in again.err


def test_one_finding_is_mended_where_its_line_is_now(reported):
    folder, _, (_, second) = reported
    (folder / "cfg.json").write_bytes(AFTER.replace('  "b"', '  "new": 0,\r\n  "b"').encode())
    done = verify_lsp("fix", "latest", second, cwd=folder)
    assert (done.code, done.out) == (0, "1 of 1 findings fixed in 1 file\n")
    assert content(folder) == AFTER.replace('  "b": 1,', '  "new": 0,\r\n  "b": 1')


def test_a_line_that_was_rewritten_is_refused_and_left_alone(reported):
    folder, _, (_, second) = reported
    other = AFTER.replace('  "b": 1,', '  "b": 1')
    (folder / "cfg.json").write_bytes(other.encode())
    done = verify_lsp("fix", "latest", second, cwd=folder)
    assert (done.code, content(folder)) == (1, other)
    assert f"{second} was not fixed: line 3 of cfg.json is no longer what was found" in done.err


def test_a_link_that_leads_out_of_the_workspace_is_not_followed(reported):
    folder, report_id, _ = reported
    outside = folder.parent / "outside.json"
    outside.write_bytes(AFTER.encode())
    (folder / "cfg.json").unlink()
    (folder / "cfg.json").symlink_to(outside)
    done = verify_lsp("fix", report_id, "--all", cwd=folder)
    assert (done.code, outside.read_bytes()) == (1, AFTER.encode())
    assert "leads out of the workspace" in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("latest",), "name the findings to fix, or give --all"),
        (("latest", "nonsense"), "no such finding in report"),
        (("nonsense", "--all"), "no such report: nonsense"),
    ],
)
def test_a_wrong_command_is_one_sentence(reported, arguments, said):
    done = verify_lsp("fix", *arguments, cwd=reported[0])
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.count("\n") == 1


def test_the_patch_of_a_file_in_another_encoding_is_in_that_encoding(tmp_path):
    run_git(tmp_path, "init", "-q")
    content = b'# coding: latin-1\nimport requests\ns = "\xe9"; requests.get(u, timeout=1, verify=False)\n'
    (tmp_path / "a.py").write_bytes(content)
    verify_lsp("run", "--checks", "security", "--format", "json", cwd=tmp_path).report()
    command = [sys.executable, "-m", "verify_lsp", "fix", "latest", "--all", "--dry-run"]
    patch = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=60).stdout
    (tmp_path / "p.patch").write_bytes(patch)
    run_git(tmp_path, "apply", "p.patch")
    assert (tmp_path / "a.py").read_bytes() == content.replace(b", verify=False", b"")
