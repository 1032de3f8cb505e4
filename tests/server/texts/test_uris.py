from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.server.texts.uris import below, file_path, key_of, path_of, uri_of


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/work/My%20App/a%23b.py", r"C:\work\My App\a#b.py"),
        ("file:///C:/work/My%20App/a%23b.py", r"C:\work\My App\a#b.py"),
        ("file://server/share/a.py", r"\\server\share\a.py"),
    ],
)
def test_all_spellings_of_a_windows_file_mean_it(uri, path):
    assert file_path(uri, windows=True) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///tmp/My%20App/100%25/%C3%BCn%C3%AF.py", "/tmp/My App/100%/ünï.py"),
        ("file:///tmp/My App/ünï.py", "/tmp/My App/ünï.py"),
        ("FILE:///tmp/a%3Fb%3Bc.py", "/tmp/a?b;c.py"),
        ("file://localhost/tmp/a", "/tmp/a"),
    ],
)
def test_an_address_means_its_path(uri, path):
    assert file_path(uri, windows=False) == path


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "git:/tmp/a.py?x",
        "vscode-notebook-cell:/a#b",
        "",
        "file:",
        "file:///a%00b",
        "http://[a/b",
    ],
)
def test_what_is_no_file_has_no_path(uri):
    assert file_path(uri, windows=False) is None


@given(
    st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1).filter(
        lambda n: n.strip(".")
    )
)
def test_every_name_comes_back_from_its_address(name):
    path = Path("/work") / name
    assert path_of(uri_of(path)) == path
    assert path_of(below("file:///work", name)) == path


def test_a_file_in_a_folder_is_spelled_as_the_folder_is():
    assert below("file:///c%3A/work/My%20App", "a#b/ü.py") == "file:///c%3A/work/My%20App/a%23b/%C3%BC.py"


def test_a_file_reached_through_a_link_is_the_same_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert key_of(tmp_path / "link" / "a.py") == key_of(tmp_path / "real" / "a.py")
