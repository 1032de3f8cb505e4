"""What is noticed of files that change under a run."""

import anyio
import attrs
import pytest

from tests.harness.mutation import context_for
from tests.harness.tool_runs import project_in
from verify_lsp.checks.changed_meanwhile import changed_meanwhile
from verify_lsp.model.change import Change, FileChange

TEXT = "one\ntwo\n"


def noticed(folder, after=TEXT, *, pinned=(), begun=0.0):
    project = project_in(folder, "a.py", "b.py", root="sub")
    change = Change(tuple(FileChange(f"sub/{name}", "modified", after=after) for name in ("a.py", "b.py")))
    context = attrs.evolve(context_for(project, change), begun=begun)
    return anyio.run(changed_meanwhile, context, context.projects[0], pinned)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("a.py", "b.py"):
        (tmp_path / "sub" / name).write_text(TEXT, encoding="utf-8")
    return tmp_path


def test_files_that_stayed_are_not_named(folder):
    assert noticed(folder) is None


def test_a_file_with_another_text_is_named_by_its_place_in_the_workspace(folder):
    (folder / "sub" / "b.py").write_text("one\n", encoding="utf-8")

    assert noticed(folder) == "sub/b.py"


def test_a_file_that_is_gone_was_changed(folder):
    (folder / "sub" / "b.py").unlink()

    assert noticed(folder) == "sub/b.py"


def test_a_file_whose_text_is_that_of_the_change_anyway_may_change(folder):
    (folder / "sub" / "b.py").write_text("one\n", encoding="utf-8")

    assert noticed(folder, pinned={"b.py"}) is None


def test_a_file_that_a_filter_of_git_lays_out_otherwise_was_not_changed(folder):
    begun = (folder / "sub" / "b.py").stat().st_ctime + 1

    assert noticed(folder, "smudged\n", begun=begun) is None


@pytest.mark.parametrize("content", [b"one\r\ntwo\r\n", b"\xef\xbb\xbfone\ntwo\n"])
def test_line_ends_and_a_byte_order_mark_are_no_other_text(folder, content):
    for name in ("a.py", "b.py"):
        (folder / "sub" / name).write_bytes(content)

    assert noticed(folder) is None


def test_a_text_that_is_not_known_cannot_have_changed(folder):
    (folder / "sub" / "b.py").unlink()

    assert noticed(folder, None) is None
