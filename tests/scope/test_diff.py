"""Diffs as data, held against git and against another parser."""

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unidiff import PatchSet

from tests.harness.repository import lines, new_repository, numstat, run_git, scoped
from verify_lsp.model.errors import UsageError
from verify_lsp.scope.diff import added_lines, apply, parse_diff, read_diff, removed_lines, reversed_hunks
from verify_lsp.scope.names import quote, unquote

ODD_LINES = st.lists(
    st.sampled_from(
        ["a", "b", "", "x\x0cy", "p\u2028q", "1\rmid", "end\r", "n\x85m", "\\ No newline", "-- ", "+", "@@ -1 +1 @@"]
    ),
    max_size=12,
)


@st.composite
def texts(draw):
    text = "\n".join(draw(ODD_LINES))
    return (text + "\n" if text and draw(st.booleans()) else text).encode()


def patch_of(diff):
    (patch,) = parse_diff(diff if isinstance(diff, bytes) else diff.encode())
    return patch


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    return new_repository(tmp_path_factory.mktemp("diff") / "repo", {"file.txt": ""})


@pytest.fixture(scope="module", autouse=True)
def module_home(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERIFY_LSP_HOME", str(tmp_path_factory.mktemp("home")))
        yield


def git_diff(bench, before, after, *options):
    bench.write("a.bin", before)
    bench.write("b.bin", after)
    return run_git(bench.path, "diff", "--no-index", "--text", *options, "a.bin", "b.bin", expect=(0, 1))


@settings(max_examples=60)
@given(texts(), texts())
def test_a_diff_of_git_leads_from_one_side_to_the_other_and_back(bench, before, after):
    diff = git_diff(bench, before, after)
    if before == after:
        assert diff == b""
        return
    hunks = patch_of(diff).hunks

    assert apply(hunks, before) == after
    assert apply(reversed_hunks(hunks), after) == before


@settings(max_examples=60)
@given(texts(), texts())
def test_added_and_removed_lines_are_those_of_the_two_texts(bench, before, after):
    if before == after:
        return
    hunks = patch_of(git_diff(bench, before, after)).hunks
    old, new = before.split(b"\n"), after.split(b"\n")

    assert [new[number - 1] for number, _ in added_lines(hunks)] == [text for _, text in added_lines(hunks)]
    assert [old[number - 1] for number, _ in removed_lines(hunks)] == [text for _, text in removed_lines(hunks)]
    assert len(list(added_lines(hunks))) - len(list(removed_lines(hunks))) == line_count(after) - line_count(before)


@settings(max_examples=25)
@given(texts(), texts())
@pytest.mark.anyio
async def test_a_random_edit_counts_as_numstat_counts_it(bench, before, after):
    bench.commit({"file.txt": before})
    bench.write("file.txt", after)
    change = (await scoped(bench.path, "working-tree")).change
    theirs = numstat(bench, "HEAD")

    assert [file.path for file in change.files] == ([] if before == after else ["file.txt"])
    for file in change.files:
        assert (len(file.added_lines), len(file.removed_lines)) == theirs.get(file.path, (0, 0))
        assert (file.before, file.after) == (before.decode(), after.decode())
        split = [line.removesuffix("\r") for line in file.after.split("\n")]
        assert [(line.line, split[line.line - 1]) for line in file.added_lines] == lines(file.added_lines)


def line_count(text):
    return text.count(b"\n") + (not text.endswith(b"\n") and text != b"")


PLAIN = st.lists(st.text(alphabet=string.ascii_letters + " ", max_size=8), max_size=15)


@settings(max_examples=40)
@given(PLAIN, PLAIN)
def test_where_lines_are_plain_another_parser_says_the_same(bench, before, after):
    texts = ["".join(line + "\n" for line in side).encode() for side in (before, after)]
    if texts[0] == texts[1]:
        return
    diff = git_diff(bench, *texts, "--no-prefix")
    hunks = patch_of(diff).hunks
    told = [line for hunk in PatchSet(diff.decode())[0] for line in hunk]

    assert [(line.target_line_no, line.value.rstrip("\n")) for line in told if line.is_added] == [
        (number, text.decode()) for number, text in added_lines(hunks)
    ]
    assert [(line.source_line_no, line.value.rstrip("\n")) for line in told if line.is_removed] == [
        (number, text.decode()) for number, text in removed_lines(hunks)
    ]


def test_hunks_that_do_not_say_what_is_there_do_not_apply():
    hunks = patch_of("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n").hunks

    assert apply(hunks, b"one\ntwo\nthree\n") == b"one\nTWO\nthree\n"
    assert apply(hunks, b"zero\none\ntwo\n") is None
    assert apply(hunks, b"one\ntwo") is None
    assert apply(hunks, b"one\n") is None
    assert apply(hunks, b"") is None


def test_the_marker_of_a_missing_line_end_is_no_line():
    hunks = patch_of(
        "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+TWO\n\\ No newline at end of file\n"
    ).hunks

    assert list(added_lines(hunks)) == [(2, b"TWO")]
    assert list(removed_lines(hunks)) == [(2, b"two")]
    assert apply(hunks, b"one\ntwo") == b"one\nTWO"


def test_a_line_end_that_would_stand_in_the_middle_is_refused():
    hunks = patch_of("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+ONE\n\\ No newline at end of file\n").hunks

    assert apply(hunks, b"one\n") == b"ONE"
    assert apply(hunks, b"one\ntwo\n") is None


def test_a_mailed_patch_is_read_from_its_first_diff_to_its_last_hunk():
    diff = (
        "From abc Mon Sep 17 00:00:00 2001\nSubject: [PATCH] Change\n\n---\n f | 2 +-\n\n"
        "diff --git a/f b/f\nindex 1..2 100644\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-one\n+two\n-- \n2.39.5\n\n"
    )
    patch = patch_of(diff)

    assert patch.header.path == b"f"
    assert list(added_lines(patch.hunks)) == [(1, b"two")]


def test_lines_that_look_like_heads_stay_lines():
    diff = "--- a/f.sql\n+++ b/f.sql\n@@ -1,2 +1,2 @@\n--- a comment\n+-- another\n ++ b\n"
    patch = patch_of(diff)

    assert list(removed_lines(patch.hunks)) == [(1, b"-- a comment")]
    assert list(added_lines(patch.hunks)) == [(1, b"-- another")]


def test_an_empty_context_line_may_have_lost_its_blank():
    hunks = patch_of("--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n\n-two\n+TWO\n").hunks

    assert apply(hunks, b"one\n\ntwo\n") == b"one\n\nTWO\n"


def test_a_diff_with_crlf_everywhere_is_read_as_if_it_had_none():
    diff = "diff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n@@ -1 +1 @@\r\n-one\r\n+two\r\n"

    assert list(added_lines(patch_of(diff).hunks)) == [(1, b"two")]


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        ("diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,2 @@@\n  a\n", "combined diff"),
        ("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n", "middle of a hunk"),
        ("--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\nhello\n", "not part of a hunk"),
        ("--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n one\n-two\n", "longer than it says"),
        ("@@ -1 +1 @@\n-one\n+two\n", "no file is named"),
        ("just words\n", "no unified diff"),
        ("diff --git some thing\n", "names no file"),
    ],
)
def test_what_is_no_diff_is_refused_in_a_sentence(diff, words):
    with pytest.raises(UsageError, match=words):
        parse_diff(diff.encode())


def test_a_diff_alone_shows_its_lines_and_the_texts_that_are_whole():
    diff = (
        "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -3,2 +3,2 @@ def f():\n a\r\n-b\r\n+c\r\n"
        "diff --git a/new.py b/new.py\nnew file mode 100644\n--- /dev/null\n+++ b/new.py\n@@ -0,0 +1 @@\n+n\n"
        "diff --git a/gone.py b/gone.py\ndeleted file mode 100644\n--- a/gone.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "diff --git a/o.py b/p.py\nsimilarity index 100%\nrename from o.py\nrename to p.py\n"
        "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
        "diff --git a/empty b/empty\nnew file mode 100644\nindex 000..e69\n"
        "diff --git a/l.png b/l.png\nindex 1234..5678 100644\nBinary files a/l.png and b/l.png differ\n"
    )
    found = {file.path: file for file in read_diff(diff)}

    assert {path: file.change for path, file in found.items()} == {
        "m.py": "modified",
        "new.py": "added",
        "gone.py": "deleted",
        "p.py": "renamed",
        "run.sh": "mode",
        "empty": "added",
        "l.png": "modified",
    }
    assert (lines(found["m.py"].removed_lines), lines(found["m.py"].added_lines)) == ([(4, "b")], [(4, "c")])
    assert (found["new.py"].before, found["new.py"].after, found["empty"].after) == (None, "n\n", "")
    assert (found["gone.py"].before, found["gone.py"].after) == ("g\n", None)
    assert (found["p.py"].old_path, found["l.png"].binary) == ("o.py", True)
    assert found["new.py"].diff == diff[diff.index("diff --git a/new") : diff.index("diff --git a/gone")]


def test_an_empty_diff_is_an_empty_change():
    assert parse_diff(b"") == ()
    assert parse_diff(b"\n \n") == ()


NAMES = st.binary(min_size=1, max_size=20).filter(lambda name: b"\0" not in name)


@given(NAMES)
def test_a_quoted_name_comes_back(name):
    assert unquote(quote(name)) == name or (quote(name) == name and name.startswith(b'"'))


@settings(max_examples=25)
@given(st.text(alphabet='ab "\\\t\n\x01é数', min_size=1, max_size=8).filter(lambda name: name.strip() == name))
def test_names_read_from_a_diff_are_the_names_on_disk(tmp_path_factory, name):
    bench = new_repository(tmp_path_factory.mktemp("names") / "repo", {f"{name}.txt": "one\n"})
    bench.write(f"{name}.txt", "two\n")
    for config in ("core.quotePath=true", "core.quotePath=false"):
        diff = run_git(bench.path, "-c", config, "diff")

        assert patch_of(diff).header.path == f"{name}.txt".encode()
