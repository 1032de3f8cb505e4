"""Which commit a branch is held against."""

import pytest

from tests.harness.repository import clone, counts, new_repository, scoped
from verify_lsp.model.errors import EngineError

pytestmark = pytest.mark.anyio


@pytest.fixture
def repository(tmp_path):
    """`main`, and `work` which left it one commit ago and has one commit of its own."""
    made = new_repository(tmp_path / "repo", {"a.py": "one\n"})
    made.git("checkout", "-q", "-b", "work")
    made.commit({"w.py": "w\n"})
    made.git("checkout", "-q", "main")
    made.commit({"a.py": "one\nmain went on\n"})
    made.git("checkout", "-q", "work")
    return made


async def branch_of(repository, **given):
    return (await scoped(repository.path, "branch", **given)).change


async def test_a_branch_is_held_against_where_it_left_main(repository):
    change = await branch_of(repository)

    assert counts(change) == {"w.py": (1, 0)}
    assert change.base.ref == "main"
    assert change.base.sha == repository.git("merge-base", "main", "work")
    assert change.head.sha == repository.git("rev-parse", "work")


async def test_a_guess_is_disclosed_and_a_choice_is_not(repository):
    assert any("a guess" in note for note in (await branch_of(repository)).notes)
    assert (await branch_of(repository, base="main")).notes == ()
    assert (await branch_of(repository, default_base="main")).notes == ()


async def test_the_request_wins_over_the_setting(repository):
    repository.git("branch", "older", "work")
    repository.commit({"v.py": "v\n"})

    assert set(counts(await branch_of(repository, base="older", default_base="main"))) == {"v.py"}
    assert set(counts(await branch_of(repository, default_base="older"))) == {"v.py"}


async def test_only_master_is_master(tmp_path):
    repository = new_repository(tmp_path / "repo", {"a.py": "one\n"}, branch="master")
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"w.py": "w\n"})
    change = await branch_of(repository)

    assert (change.base.ref, set(counts(change))) == ("master", {"w.py"})


async def test_the_remotes_default_branch_wins_over_a_stale_main(repository, tmp_path):
    repository.git("checkout", "-q", "-b", "dev", "main")
    repository.commit({"d.py": "d\n"})
    copy = clone(repository, tmp_path / "clone")
    copy.git("branch", "main", "origin/main")
    copy.git("checkout", "-q", "-b", "feature")
    copy.commit({"f.py": "f\n"})
    change = await branch_of(copy)

    assert (change.base.ref, set(counts(change))) == ("origin/dev", {"f.py"})
    assert any("origin/dev" in note for note in change.notes)


async def test_the_upstream_wins_when_it_is_another_branch(repository):
    repository.git("checkout", "-q", "-b", "dev", "main")
    repository.commit({"d.py": "d\n"})
    repository.git("checkout", "-q", "-b", "feature", "--track", "dev")
    repository.commit({"f.py": "f\n"})
    change = await branch_of(repository)

    assert (change.base.ref, set(counts(change))) == ("dev", {"f.py"})


async def test_a_branchs_own_copy_on_the_remote_is_not_its_base(repository, tmp_path):
    repository.git("checkout", "-q", "main")
    copy = clone(repository, tmp_path / "clone")
    copy.git("checkout", "-q", "-b", "work", "--track", "origin/work")
    change = await branch_of(copy)

    assert (change.base.ref, set(counts(change))) == ("origin/main", {"w.py"})


async def test_main_itself_is_held_against_the_remotes_main(repository, tmp_path):
    repository.git("checkout", "-q", "main")
    copy = clone(repository, tmp_path / "clone")
    copy.commit({"u.py": "not pushed\n"})
    change = await branch_of(copy)

    assert (change.base.ref, set(counts(change))) == ("origin/main", {"u.py"})


async def test_main_alone_is_held_against_nothing_and_says_so(tmp_path):
    repository = new_repository(tmp_path / "repo", {"a.py": "one\n"})
    change = await branch_of(repository)

    assert change.files == ()
    assert any("main is the main branch itself" in note for note in change.notes)


async def test_a_detached_head_has_a_base_too(repository):
    repository.git("checkout", "-q", "--detach")

    assert set(counts(await branch_of(repository))) == {"w.py"}


@pytest.mark.parametrize("given", [{}, {"base": "main"}])
async def test_a_branch_wins_over_a_tag_of_its_name(repository, given):
    repository.git("tag", "main", "work")
    change = await branch_of(repository, **given)

    assert set(counts(change)) == {"w.py"}


async def test_a_base_may_be_any_revision(repository):
    repository.commit({"v.py": "v\n"})
    first = repository.git("rev-parse", "HEAD~1")

    for base in ("HEAD~1", first, first[:10], "HEAD^"):
        assert set(counts(await branch_of(repository, base=base))) == {"v.py"}


async def test_a_remotes_branch_may_be_named_by_its_short_name(repository, tmp_path):
    copy = clone(repository, tmp_path / "clone")
    copy.git("checkout", "-q", "--detach")

    assert set(counts(await branch_of(copy, base="main"))) == {"w.py"}


@pytest.mark.parametrize("base", ["nowhere", "--help", "-x", "HEAD:a.py", "a b"])
async def test_a_base_that_is_no_commit_is_said(repository, base):
    with pytest.raises(EngineError, match="no such base"):
        await branch_of(repository, base=base)


async def test_without_a_base_to_guess_one_must_be_named(tmp_path):
    repository = new_repository(tmp_path / "repo", {"a.py": "one\n"}, branch="trunk")

    with pytest.raises(EngineError, match="no base is named"):
        await branch_of(repository)


async def test_a_history_that_is_cut_off_is_said(repository, tmp_path):
    repository.git("checkout", "-q", "main")
    shallow = clone(repository, tmp_path / "shallow", "--depth=1", "--no-single-branch", "--branch=work")

    with pytest.raises(EngineError, match="cut off"):
        await branch_of(shallow)


async def test_histories_without_a_commit_in_common_are_said(repository):
    repository.git("checkout", "-q", "--orphan", "apart")
    repository.commit({"o.py": "o\n"})

    with pytest.raises(EngineError, match="no commit in common"):
        await branch_of(repository)


async def test_what_is_not_committed_is_not_part_of_a_branch(repository):
    repository.write("w.py", "w\nmore\n")
    resolution = await scoped(repository.path, "branch")

    assert counts(resolution.change) == {"w.py": (1, 0)}
    assert resolution.shadow
    assert resolution.change.head.dirty
    assert any("not committed" in note for note in resolution.change.notes)


async def test_heads_own_parent_is_not_looked_for_at_the_remote(repository, tmp_path):
    copy = clone(repository, tmp_path / "copy")
    copy.git("checkout", "-q", "-b", "more")
    copy.commit({"m.py": "m\n"})
    copy.commit({"n.py": "n\n"})

    assert counts(await branch_of(copy, base="HEAD~1")) == {"n.py": (1, 0)}
    assert counts(await branch_of(copy, base="@~2")) == {"m.py": (1, 0), "n.py": (1, 0)}
