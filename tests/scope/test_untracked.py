"""An index of our own, as git reads it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.harness.repository import new_repository, run_git
from verify_lsp.scope.repository import EMPTY_FILES
from verify_lsp.scope.untracked import IndexEntry, index_content

NAMES = st.text(alphabet="ab.- ü\n/", min_size=1, max_size=30).map(
    lambda name: "/".join(f"x{part}" for part in name.split("/")).encode()
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return new_repository(tmp_path_factory.mktemp("index") / "repo", {"a.py": "one\n"})


@settings(max_examples=20)
@given(
    st.dictionaries(NAMES, st.sampled_from([("100644", None), ("120000", "a" * 40), ("100755", "b" * 40)]), max_size=6)
)
def test_git_reads_what_is_written(bench, files):
    entries = [IndexEntry(name, mode, value) for name, (mode, value) in files.items()]
    (bench.path / "index").write_bytes(index_content(entries, "sha1"))
    told = run_git(bench.path, "ls-files", "--stage", "-z", env={"GIT_INDEX_FILE": str(bench.path / "index")})
    fields = [entry.partition(b"\t") for entry in told.split(b"\0") if entry]

    assert [name for _, _, name in fields] == sorted(files)
    assert {name: about.decode() for about, _, name in fields} == {
        name: f"{mode} {value or EMPTY_FILES['sha1']} 0" for name, (mode, value) in files.items()
    }


def test_a_long_name_fits(bench):
    name = b"d/" + b"x" * 5000
    (bench.path / "index").write_bytes(index_content([IndexEntry(name)], "sha1"))

    assert name in run_git(bench.path, "ls-files", "-z", env={"GIT_INDEX_FILE": str(bench.path / "index")})
