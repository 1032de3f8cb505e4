"""Files that git stores as pointers, without the programs that would fetch them."""

import hashlib
import os

import pytest

from tests.harness.repository import new_repository, scoped
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.lfs import Pointer, pointer_in
from verify_lsp.scope.resolve import resolved

pytestmark = pytest.mark.anyio

CONTENT = b"\x00large\n" * 1000


def pointer_to(content):
    value = hashlib.sha256(content).hexdigest()
    return f"version https://git-lfs.github.com/spec/v1\noid sha256:{value}\nsize {len(content)}\n".encode()


@pytest.fixture
def repository(tmp_path):
    """A repository with `data.bin` and `gone.bin` stored as pointers, and the content of the first on disk."""
    files = {".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "data.bin": pointer_to(CONTENT)}
    made = new_repository(tmp_path / "repo", {**files, "gone.bin": pointer_to(b"elsewhere"), "a.py": "one\n"})
    made.write("data.bin", CONTENT)
    return made


def test_only_a_pointer_is_a_pointer():
    assert pointer_in(pointer_to(b"x")) == Pointer(hashlib.sha256(b"x").hexdigest(), 1)
    assert pointer_in(pointer_to(b"x") + b"more\n") is None
    assert pointer_in(b"x" * 5000) is None
    assert pointer_in(None) is None


async def test_the_content_that_a_pointer_means_is_no_change(repository):
    assert (await scoped(repository.path, "working-tree")).change.files == ()
    os.utime(repository.path / "data.bin", (1, 1))
    assert (await scoped(repository.path, "files", files=("data.bin",))).change.files == ()


async def test_another_content_is_a_change(repository):
    repository.write("data.bin", CONTENT + b"\0more")
    (file,) = (await scoped(repository.path, "working-tree")).change.files

    assert (file.path, file.change, file.binary) == ("data.bin", "modified", True)


async def test_a_copy_holds_contents_where_they_are_on_disk_and_names_the_others(repository):
    repository.write("dirty.py", "d\n")
    async with resolved(VerifyScope("staged"), repository.path) as resolution:
        assert (resolution.place / "data.bin").read_bytes() == CONTENT
        assert (resolution.place / "gone.bin").read_bytes() == pointer_to(b"elsewhere")
        assert any("gone.bin" in note for note in resolution.change.notes)
        assert not any("data.bin" in note for note in resolution.change.notes)
