"""What git prints, cut up as it arrives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.model.errors import EngineError
from verify_lsp.scope.gitdiff.output import BlobReader, Record, Section, SectionSplitter, paired

DIFF = (
    b':100644 100644 1111 2222 M\ta.py\n:000000 100644 0000 3333 A\t"n\\n.py"\n\n'
    b"diff --git a/a.py b/a.py\nindex 1111..2222 100644\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-diff --git a b\n+x\n"
    b'diff --git "a/n\\n.py" "b/n\\n.py"\nnew file mode 100644\nindex 0000..3333\nBinary files /dev/null and b/n differ\n'
)


def cut(text, sizes):
    at = 0
    for size in sizes:
        yield text[at : at + size]
        at += size
    yield text[at:]


@given(st.lists(st.integers(1, 40), max_size=30))
def test_the_cut_does_not_depend_on_the_chunks(sizes):
    splitter = SectionSplitter()
    for chunk in cut(DIFF, sizes):
        splitter.feed(chunk)
    records, sections = splitter.finish()

    assert [record.new_name for record in records] == [b"a.py", b'"n\\n.py"']
    assert [section.content.partition(b"\n")[0] for section in sections] == [
        b"a/a.py b/a.py",
        b'"a/n\\n.py" "b/n\\n.py"',
    ]
    assert [section.binary for section in sections] == [False, True]
    assert b"-diff --git a b\n+x" in sections[0].content
    assert [len(own) for _, own in paired(records, sections)] == [1, 1]


def test_a_diff_without_its_file_is_not_guessed_at():
    record = Record("100644", "100644", "1", "2", "M", b"a.py", b"a.py")

    with pytest.raises(EngineError, match="does not match"):
        list(paired([record], [Section(b"a/b.py b/b.py\n")]))
    assert list(paired([record], [])) == [(record, [])]


def test_beyond_the_limit_only_heads_are_kept():
    splitter = SectionSplitter(limit=200)
    splitter.feed(b":100644 100644 1 2 M\ta\n\n")
    head = b"a/a b/a\n--- a/a\n+++ b/a"
    splitter.feed(b"diff --git " + head + b"\n@@ -1 +1 @@\n")
    for _ in range(100):
        splitter.feed(b"+x\n" * 10)
    splitter.feed(b"diff --git " + head + b"\n@@ -1 +1 @@\n+x\n")
    _, sections = splitter.finish()

    assert sections == [Section(head, cut=True), Section(head + b"\n@@ -1 +1 @@\n+x\n")]


BLOBS = {"a" * 40: b"text\n", "b" * 40: b"", "c" * 40: b"bin\0ary" + b"x" * 9000, "d" * 40: b"long\n" * 100}


@given(st.lists(st.integers(1, 3000), max_size=20))
def test_contents_do_not_depend_on_the_chunks(sizes):
    stream = b"".join(f"{name} blob {len(content)}\n".encode() + content + b"\n" for name, content in BLOBS.items())
    reader = BlobReader(limit=100)
    for chunk in cut(stream + b"nowhere missing\n", sizes):
        reader.feed(chunk)

    assert reader.contents == {"a" * 40: b"text\n", "b" * 40: b"", "c" * 40: None, "d" * 40: None, "nowhere": None}
    assert {name: len(head) for name, head in reader.heads.items()} == {"c" * 40: 8000, "d" * 40: 500}
