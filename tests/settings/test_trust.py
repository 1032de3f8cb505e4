import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.processes import PROJECT_ROOT
from verify_lsp.model.errors import EngineError
from verify_lsp.settings.trust import is_trusted, trust, trusted_folders, trusting_folder, untrust


@pytest.fixture
def listed(tmp_path, monkeypatch) -> Path:
    """Where the trust list lies."""
    monkeypatch.setenv("VERIFY_LSP_HOME", str(tmp_path / "home"))
    return tmp_path / "home/state/trust.json"


@pytest.fixture
def workspace(tmp_path, listed) -> Path:
    folder = tmp_path / "work/app"
    (folder / "inner/deep").mkdir(parents=True)
    return folder


def test_nothing_is_trusted_before_the_user_says_so(workspace, tmp_path):
    assert not is_trusted(workspace)
    assert trusted_folders() == ()
    assert not (tmp_path / "home").exists(), "asking makes nothing"


def test_a_trusted_folder_is_trusted_until_it_is_not(workspace):
    trust(workspace)
    assert is_trusted(workspace)
    assert trusted_folders() == (workspace,)
    untrust(workspace)
    assert not is_trusted(workspace)
    assert trusted_folders() == ()


def test_trust_covers_what_is_below_and_nothing_above_or_beside(workspace, tmp_path):
    beside = tmp_path / "work/application"
    beside.mkdir()
    trust(workspace)
    assert is_trusted(workspace / "inner/deep")
    assert is_trusted(workspace / "not there yet")
    assert not is_trusted(workspace.parent)
    assert not is_trusted(beside)
    assert not is_trusted(workspace / "../application")


def test_the_nearest_trusted_folder_is_the_one_that_covers(workspace):
    trust(workspace.parent)
    trust(workspace)
    assert trusting_folder(workspace / "inner") == workspace
    assert trusting_folder(workspace.parent) == workspace.parent


def test_a_folder_below_a_trusted_one_stays_covered_when_it_is_taken_off(workspace):
    trust(workspace.parent)
    trust(workspace)
    untrust(workspace)
    assert trusting_folder(workspace) == workspace.parent


def test_taking_a_folder_off_takes_those_below_it_off_too(workspace):
    trust(workspace / "inner")
    trust(workspace)
    untrust(workspace)
    assert trusted_folders() == ()


def test_links_are_followed_when_trusting_and_when_asking(workspace, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(workspace)
    trust(link)
    assert trusted_folders() == (workspace,)
    assert is_trusted(workspace)
    assert is_trusted(link / "inner")
    untrust(link)
    assert not is_trusted(workspace)


def test_a_link_inside_of_a_trusted_folder_trusts_nothing_outside(workspace, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (workspace / "vendor").symlink_to(outside)
    trust(workspace)
    assert not is_trusted(workspace / "vendor")


def test_a_link_that_is_turned_elsewhere_takes_no_trust_along(workspace, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(workspace)
    trust(link)
    link.unlink()
    (tmp_path / "other").mkdir()
    link.symlink_to(tmp_path / "other")
    assert not is_trusted(link)


def test_a_relative_folder_is_taken_from_where_we_stand(workspace, monkeypatch):
    monkeypatch.chdir(workspace)
    trust(Path())
    assert trusted_folders() == (workspace,)
    assert is_trusted(Path("inner"))


def test_only_a_folder_can_be_trusted(workspace, tmp_path):
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "nowhere"):
        with pytest.raises(EngineError, match=rf"^no such folder: {path}$"):
            trust(path)


def test_a_folder_that_is_gone_can_be_taken_off(workspace):
    trust(workspace / "inner/deep")
    (workspace / "inner/deep").rmdir()
    untrust(workspace / "inner/deep")
    assert trusted_folders() == ()


def test_a_name_that_is_no_unicode_can_be_trusted(workspace):
    folder = workspace / "caf\udce9"
    folder.mkdir()
    trust(folder)
    assert trusted_folders() == (folder,)
    assert is_trusted(folder)


def test_a_list_that_a_repository_carries_is_not_believed(workspace, monkeypatch, tmp_path):
    trust(workspace)
    carried = (tmp_path / "home/state/trust.json").read_bytes()
    for home in (workspace / ".verify", workspace / "inner"):
        (home / "state").mkdir(parents=True)
        (home / "state/trust.json").write_bytes(carried)
        monkeypatch.setenv("VERIFY_LSP_HOME", str(home))
        assert trusted_folders() == (workspace,)
        assert not is_trusted(workspace)
    monkeypatch.chdir(workspace)
    monkeypatch.setenv("VERIFY_LSP_HOME", "inner")
    assert not is_trusted(workspace)


def test_nothing_in_the_workspace_speaks_for_it(workspace):
    for name in ("verify.toml", "pyproject.toml", ".vscode/settings.json", "trust.json", ".verify-lsp/trust.json"):
        (workspace / name).parent.mkdir(exist_ok=True)
        (workspace / name).write_text(f'trusted = true\n[tool.verify-lsp]\ntrusted = true\nfolders = ["{workspace}"]\n')
    assert not is_trusted(workspace)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b'"x"', b"\xff\xff", b"[" * 100_000, b"{}"),
        *(b'{"version": 1}', b'{"folders": ["/"]}', b'{"version": 2, "folders": ["/"]}'),
        *(b'{"version": 1, "folders": "/"}', b'{"version": 1, "folders": ["."]}', b'{"version": 1, "folders": [1]}'),
        b'{"version": 1, "folders": {"/": 1}, "folders": null}',
    ],
)
def test_a_damaged_list_trusts_nothing_and_says_how_to_go_on(workspace, listed, content):
    trust(workspace)
    listed.write_bytes(content)
    assert not is_trusted(workspace)
    for act in (trusted_folders, lambda: trust(workspace), lambda: untrust(workspace)):
        with pytest.raises(
            EngineError, match=rf"^the trust list {listed} is damaged, so nothing is trusted; remove it"
        ):
            act()
    assert listed.read_bytes() == content, "what the user may want to mend is not thrown away"
    listed.unlink()
    trust(workspace)
    assert is_trusted(workspace)


def test_a_list_that_others_could_have_written_is_not_believed(workspace, listed):
    trust(workspace)
    for mode in (0o660, 0o606, 0o666):
        listed.chmod(mode)
        assert not is_trusted(workspace)
        with pytest.raises(EngineError, match="others than you can write the trust list"):
            trusted_folders()
    listed.chmod(0o644)
    assert is_trusted(workspace)


def test_a_list_that_cannot_be_read_trusts_nothing(workspace, listed):
    listed.mkdir(parents=True)
    assert not is_trusted(workspace)
    with pytest.raises(EngineError, match=r"^cannot read "):
        trusted_folders()


def test_the_list_is_its_owners_alone_and_says_what_it_is(workspace, listed):
    trust(workspace)
    assert stat.S_IMODE(listed.stat().st_mode) == 0o600
    assert stat.S_IMODE(listed.parent.stat().st_mode) == 0o700
    assert json.loads(listed.read_text()) == {"version": 1, "folders": [str(workspace)]}


def test_a_home_that_cannot_be_written_is_one_sentence(workspace, tmp_path):
    (tmp_path / "home").write_text("in the way")
    with pytest.raises(EngineError, match=r"^cannot make the folder .*: file exists$"):
        trust(workspace)


def test_no_writer_loses_what_another_writes(workspace):
    names = [f"{number:02}" for number in range(24)]
    for name in names:
        (workspace / name).mkdir()
    code = "import sys; from pathlib import Path; from verify_lsp.settings.trust import trust; [trust(Path(name)) for name in sys.argv[1:]]"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", code, *(str(workspace / name) for name in names[start::3])], cwd=PROJECT_ROOT
        )
        for start in range(3)
    ]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert trusted_folders() == tuple(workspace / name for name in names)


def test_another_users_list_is_not_believed(workspace, listed, monkeypatch):
    trust(workspace)
    if os.geteuid() == 0:
        os.chown(listed, 65534, 65534)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 65533)
    assert not is_trusted(workspace)
