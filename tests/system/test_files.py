import os
import stat
import subprocess
import sys
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.processes import PROJECT_ROOT
from verify_lsp.model.errors import EngineError
from verify_lsp.system.files import (
    make_private_folder,
    read_bytes_if_there,
    read_text_if_there,
    remove_tree,
    write_atomically,
    write_private,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def as_nobody():
    """Act as a user without rights, where we have all of them."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


def test_a_private_file_and_its_new_folders_are_their_owners_alone(tmp_path, open_umask):
    path = tmp_path / "a/b/c.json"
    write_private(path, "text")
    assert mode(path) == 0o600
    assert mode(tmp_path / "a") == mode(tmp_path / "a/b") == 0o700


def test_a_folder_that_was_there_keeps_its_rights(tmp_path):
    tmp_path.chmod(0o755)
    write_private(tmp_path / "a", "text")
    assert mode(tmp_path) == 0o755


def test_a_private_file_that_was_open_to_others_is_shut(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, "new")
    assert (mode(path), path.read_text()) == (0o600, "new")


def test_text_bytes_and_pieces_are_written_as_they_are(tmp_path):
    path = tmp_path / "a"
    for content, written in (("ü\r\n", "ü\r\n".encode()), (b"\xff", b"\xff"), (iter(["a", b"b", "c"]), b"abc")):
        write_private(path, content)
        assert path.read_bytes() == written


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_comes_back_as_it_was_written(tmp_path, text):
    write_private(tmp_path / "a", text, durable=False)
    assert read_text_if_there(tmp_path / "a") == text


def test_what_is_no_unicode_can_still_be_written(tmp_path):
    write_private(tmp_path / "a", "caf\udce9")
    assert (tmp_path / "a").read_bytes() == rb"caf\udce9"


def test_a_reader_never_sees_a_half(tmp_path):
    path = tmp_path / "a"
    sizes = (1, 500_000)
    write_private(path, "x")
    seen = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.add(len(path.read_bytes()))

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(30):
        write_private(path, "x" * sizes[number % 2], durable=False)
    done.set()
    reader.join()
    assert seen <= set(sizes)


def test_a_source_that_fails_leaves_the_old_content_and_nothing_beside_it(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def pieces():
        yield "new"
        raise RuntimeError("source")

    with pytest.raises(RuntimeError, match="source"):
        write_private(path, pieces())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_content_and_nothing_beside_it(tmp_path, monkeypatch):
    path = tmp_path / "a"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, os.strerror(28))))
    for write in (write_private, write_atomically):
        with pytest.raises(EngineError, match=rf"^cannot write {path}: no space left on device$"):
            write(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_place_without_rights_is_one_sentence(tmp_path, as_nobody):
    tmp = tmp_path / "a"
    with pytest.raises(EngineError, match=r": permission denied$") as caught:
        write_private(tmp / "b", "text")
    assert "\n" not in str(caught.value)
    with pytest.raises(EngineError, match=r": permission denied$"):
        make_private_folder(tmp)


def test_a_file_in_the_way_of_a_folder_is_named(tmp_path):
    (tmp_path / "a").touch()
    with pytest.raises(EngineError, match=rf"^cannot make the folder {tmp_path}/a: "):
        write_private(tmp_path / "a/b/c", "text")
    with pytest.raises(EngineError, match=rf"^cannot make the folder {tmp_path}/a: "):
        make_private_folder(tmp_path / "a")


def test_a_long_name_can_be_written(tmp_path):
    path = tmp_path / ("ä" * 127)
    write_private(path, "text")
    assert path.read_text() == "text"


def test_a_users_document_has_the_rights_of_new_files_and_keeps_those_of_old_ones(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", "text")
    finally:
        os.umask(before)
    assert mode(tmp_path / "new") == 0o640
    (tmp_path / "new").chmod(0o664)
    write_atomically(tmp_path / "new", "other")
    assert (mode(tmp_path / "new"), (tmp_path / "new").read_text()) == (0o664, "other")


def test_a_users_document_makes_no_folders(tmp_path):
    with pytest.raises(EngineError, match="no such file or directory"):
        write_atomically(tmp_path / "a/b", "text")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link_and_its_target_is_written(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder/target")
    write_atomically(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "folder/target").read_text() == "text"


def test_a_device_is_written_to_and_never_replaced(tmp_path):
    write_atomically(Path("/dev/null"), "text")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    code = "from pathlib import Path; from verify_lsp.system.files import write_atomically; write_atomically(Path('/dev/stdout'), 'ü')"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=PROJECT_ROOT).stdout
        == "ü".encode()
    )


def test_a_full_device_is_one_sentence():
    with pytest.raises(EngineError, match=r"^cannot write /dev/full: no space left on device$"):
        write_atomically(Path("/dev/full"), "text")


def test_a_folder_that_is_made_private_is_shut(tmp_path):
    folder = tmp_path / "a"
    folder.mkdir(mode=0o755)
    make_private_folder(folder)
    assert mode(folder) == 0o700


def test_a_file_that_is_not_there_reads_as_nothing(tmp_path):
    (tmp_path / "file").touch()
    assert read_bytes_if_there(tmp_path / "a") is None
    assert read_text_if_there(tmp_path / "a/b") is None
    assert read_text_if_there(tmp_path / "file/b") is None
    assert read_bytes_if_there(tmp_path / "file") == b""


def test_bytes_that_are_no_text_read_as_replaced(tmp_path):
    (tmp_path / "a").write_bytes(b"a\xff\r\n")
    assert read_text_if_there(tmp_path / "a") == "a\ufffd\r\n"


def test_a_file_up_to_the_limit_is_read_and_a_larger_one_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bytes_if_there(tmp_path / "a", 5) == b"12345"
    with pytest.raises(EngineError, match="it is larger than 4 bytes"):
        read_bytes_if_there(tmp_path / "a", 4)


def test_a_high_limit_costs_a_small_file_no_memory(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 200_000)
    tracemalloc.start()
    try:
        assert len(read_bytes_if_there(tmp_path / "a", 2**31) or b"") == 200_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 500_000


def test_a_file_that_tells_no_size_is_read_whole():
    assert (read_bytes_if_there(Path("/proc/self/status")) or b"").startswith(b"Name:")


def test_what_is_no_file_is_refused_and_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(EngineError, match=rf"^cannot read {path}: it is not a file$"):
            read_bytes_if_there(path)


def test_a_tree_is_removed_with_its_read_only_folders_and_links_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    (outside / "kept").mkdir(parents=True)
    tree = tmp_path / "root/tree"
    (tree / "a/b").mkdir(parents=True)
    (tree / "a/b/file").touch()
    (tree / "a/b/link").symlink_to(outside)
    (tree / "a/b").chmod(0o500)
    (tree / "a").chmod(0o000)
    remove_tree(tree, tmp_path / "root")
    assert list((tmp_path / "root").iterdir()) == []
    assert (outside / "kept").is_dir()


def test_a_tree_of_read_only_folders_goes_without_special_rights(tmp_path):
    code = f"""
import os
import shutil
from pathlib import Path
from verify_lsp.system.files import remove_tree
if os.geteuid() == 0:
    os.chown({str(tmp_path)!r}, 65534, 65534)
    os.chdir({str(tmp_path)!r})
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
tree = Path("tree")
(tree / "a/b").mkdir(parents=True)
(tree / "a/b/file").touch()
(tree / "a/b").chmod(0o500); (tree / "a").chmod(0o000); tree.chmod(0o500)
remove_tree(tree, Path("."))
print(list(Path(".").iterdir()))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        check=False,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "[]\n", done.stderr


def test_a_tree_that_is_not_there_is_none_to_remove(tmp_path):
    remove_tree(tmp_path / "a", tmp_path)


def test_a_root_that_is_a_link_is_where_it_leads(tmp_path):
    (tmp_path / "real/a").mkdir(parents=True)
    (tmp_path / "root").symlink_to("real")
    remove_tree(tmp_path / "root/a", tmp_path / "root")
    assert list((tmp_path / "real").iterdir()) == []


@pytest.mark.parametrize("name", ["../outside", "..", ".", "", "link", "link/kept", "../root", "/", "a/../../outside"])
def test_nothing_outside_of_the_root_is_removed_nor_the_root_itself(tmp_path, name):
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (tmp_path / "outside/kept").mkdir(parents=True)
    (root / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(EngineError, match=r"^will not remove "):
        remove_tree(root / name, root)
    assert (tmp_path / "outside/kept").is_dir()
    assert (root / "a").is_dir()
