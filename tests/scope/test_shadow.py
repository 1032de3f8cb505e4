"""Shadow copies: where commands run when the verified content is not what is on disk."""

import os
import venv
from pathlib import Path

import anyio
import pytest

from tests.harness.repository import Repository, new_repository, run_git, scoped
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.copies import carry
from verify_lsp.scope.copies.disk import real_path
from verify_lsp.scope.copies.folder import shadows_dir
from verify_lsp.scope.resolve import base_tree, disk_copy, resolved

pytestmark = pytest.mark.anyio

STAGED = VerifyScope("staged")


@pytest.fixture
def repository(tmp_path):
    return new_repository(tmp_path / "home" / "repo", {"a.py": "one\n", ".gitignore": "*.env\n/gen/\nnode_modules/\n"})


def snapshot(folder):
    """Return every file, link and folder below `folder`, with what is in it and its time stamps."""
    return {
        path.relative_to(folder).as_posix(): (
            path.lstat().st_mtime_ns,
            path.readlink() if path.is_symlink() else None,
        )
        for path in folder.rglob("*")
    }


async def test_a_staged_change_is_run_in_the_tree_only_where_the_disk_is_the_index(repository):
    repository.write("a.py", "two\n")
    repository.add()
    assert not (await scoped(repository.path, "staged")).shadow

    for name, content in (("a.py", "three\n"), ("untracked.py", "u\n"), (".gitignore", "")):
        repository.write(name, content)
        assert (await scoped(repository.path, "staged")).shadow, name
        run_git(repository.path, "checkout", "-q", "--", ".")
        (repository.path / "untracked.py").unlink(missing_ok=True)
        assert not (await scoped(repository.path, "staged")).shadow


async def test_a_copy_of_the_index_holds_what_is_staged_and_nothing_else(repository):
    repository.commit({"gone.py": "g\n", "run.sh": "r\n", "deep/x.py": "x\n"})
    repository.write("a.py", "staged\n")
    repository.write("run.sh", "r\n", executable=True)
    repository.git("rm", "-q", "gone.py")
    repository.add()
    repository.write("a.py", "not staged\n")
    repository.write("untracked.py", "u\n")
    repository.write("later.py", "l\n")
    repository.git("add", "--intent-to-add", "later.py")
    before = snapshot(repository.path)
    async with resolved(STAGED, repository.path) as resolution:
        place = resolution.place
        assert (place / "a.py").read_text() == "staged\n"
        assert os.access(place / "run.sh", os.X_OK)
        assert (place / "deep/x.py").read_text() == "x\n"
        for name in ("gone.py", "untracked.py", "later.py"):
            assert not (place / name).exists()
        assert snapshot(repository.path) == before
    assert snapshot(repository.path) == before
    assert not place.exists()


async def test_a_copy_asks_git_and_gets_the_answers_of_the_original(repository):
    repository.git("tag", "v1.0")
    repository.write("a.py", "staged\n")
    repository.add()
    repository.write("a.py", "not staged\n")
    async with resolved(STAGED, repository.path) as resolution:
        copy = Repository(resolution.place)
        assert copy.git("rev-parse", "HEAD") == repository.git("rev-parse", "HEAD")
        assert copy.git("describe", "--tags") == "v1.0"
        assert copy.git("status", "--porcelain") == "M  a.py"
        head, branches = repository.git("rev-parse", "HEAD"), repository.git("branch", "--list")
        copy.commit({"a.py": "the copy's own\n"})
    assert (repository.git("rev-parse", "HEAD"), repository.git("branch", "--list")) == (head, branches)
    assert repository.git("fsck", "--no-dangling") == ""


async def test_a_branch_is_run_in_the_tree_only_when_that_is_clean(repository):
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"w.py": "w\n"})
    assert not (await scoped(repository.path, "branch")).shadow
    repository.write("w.py", "dirty\n")
    repository.write("u.py", "u\n")
    async with resolved(VerifyScope("branch"), repository.path) as resolution:
        assert (resolution.place / "w.py").read_text() == "w\n"
        assert not (resolution.place / "u.py").exists()


async def test_the_base_is_laid_out_as_it_was(repository):
    repository.write("a.py", "two\n")
    repository.write("new.py", "n\n")
    change = (await scoped(repository.path, "working-tree")).change
    async with base_tree(change, repository.path) as base:
        assert (base / "a.py").read_text() == "one\n"
        assert not (base / "new.py").exists()
    assert not base.exists()


async def test_before_the_first_commit_the_base_is_what_was_not_added(tmp_path):
    repository = new_repository(tmp_path / "repo", {"a.py": "a\n"}, commit=False)
    change = (await scoped(repository.path, "working-tree")).change
    async with base_tree(change, repository.path) as base:
        assert not (base / "a.py").exists()


async def test_a_second_tree_holds_what_is_on_disk(repository):
    repository.commit({"gone.py": "g\n", "d/x.py": "x\n", "f": "f\n"})
    repository.write("a.py", "changed\n")
    repository.write("u/new.sh", "n\n", executable=True)
    (repository.path / "gone.py").unlink()
    (repository.path / "d/x.py").unlink()
    (repository.path / "d").rmdir()
    repository.write("d", "a file now\n")
    (repository.path / "f").unlink()
    repository.write("f/inner", "i\n")
    async with disk_copy(repository.path) as place:
        assert (place / "a.py").read_text() == "changed\n"
        assert os.access(place / "u/new.sh", os.X_OK)
        assert not (place / "gone.py").exists()
        assert (place / "d").read_text() == "a file now\n"
        assert (place / "f/inner").read_text() == "i\n"
        (place / "a.py").write_text("an experiment\n")
    assert (repository.path / "a.py").read_text() == "changed\n"


async def shadow_of(repository, folder=None, **options):
    """Make the tree dirty, so that the staged scope needs a copy."""
    repository.write("dirty.py", "d\n")
    return resolved(STAGED, folder or repository.path, **options)


async def test_ignored_files_that_are_needed_come_along(repository):
    repository.write(".env", "KEY=1\n")
    repository.write("gen/schema.py", "s\n")
    repository.write("gen/deep/more.py", "m\n")
    repository.write("gen/__pycache__/schema.pyc", "c\n")
    async with await shadow_of(repository) as resolution:
        assert (resolution.place / ".env").read_text() == "KEY=1\n"
        assert (resolution.place / "gen/deep/more.py").read_text() == "m\n"
        assert not (resolution.place / "gen/__pycache__").exists()
        (resolution.place / ".env").write_text("KEY=2\n")
    assert (repository.path / ".env").read_text() == "KEY=1\n"


async def test_what_is_too_large_to_copy_is_left_out_by_name(repository, monkeypatch):
    monkeypatch.setattr(carry.Room.__init__, "__defaults__", (3, 1000))
    for number in range(5):
        repository.write(f"gen/{number}.py", "x\n")
    repository.write("big.env", "x" * 2000)
    repository.write("small.env", "x")
    async with await shadow_of(repository) as resolution:
        assert not (resolution.place / "gen").exists()
        assert not (resolution.place / "big.env").exists()
        assert (resolution.place / "small.env").exists()
        assert any("big.env, gen/" in note for note in resolution.change.notes)


async def test_heavy_folders_are_linked_and_not_copied(repository):
    repository.commit({".gitignore": "target/\nnode_modules/\nbig/\ndirty.py\n", "packages/a/package.json": "{}\n"})
    for folder in ("target/debug", "node_modules/left-pad", "packages/a/node_modules/dep", "big/data"):
        repository.write(f"{folder}/file", "x\n")
    repository.write("a.py", "dirty\n")
    async with await shadow_of(repository, linked=frozenset({"big"})) as resolution:
        place = resolution.place
        for folder in ("target/debug", "node_modules/left-pad", "packages/a/node_modules/dep", "big/data"):
            assert (place / folder / "file").read_text() == "x\n"
            assert real_path(place / folder) == repository.path / folder


async def test_a_package_of_the_workspace_is_the_copys_own(repository):
    repository.commit({"packages/a/index.js": "committed\n"})
    modules = repository.path / "node_modules"
    (modules / "@scope").mkdir(parents=True)
    (modules / "a").symlink_to("../packages/a")
    (modules / "@scope/a").symlink_to("../../packages/a")
    (modules / "absolute").symlink_to(repository.path / "packages/a")
    repository.write("packages/a/index.js", "not staged\n")
    async with resolved(STAGED, repository.path) as resolution:
        for name in ("a", "@scope/a", "absolute"):
            assert (resolution.place / "node_modules" / name / "index.js").read_text() == "committed\n"


async def test_a_package_installed_in_place_is_the_copys_own(repository):
    repository.commit({"src/pkg/__init__.py": "WHERE = 'committed'\n", ".gitignore": ".venv/\n"})
    venv.create(repository.path / ".venv", symlinks=True)
    (packages,) = (repository.path / ".venv/lib").glob("python*/site-packages")
    (packages / "pkg.pth").write_text(f"{repository.path}/src\n")
    (packages / "dep.py").write_text("x = 1\n")
    repository.write("src/pkg/__init__.py", "WHERE = 'not staged'\n")
    async with resolved(STAGED, repository.path) as resolution:
        python = resolution.place / ".venv/bin/python"
        code = "import dep, pkg; print(pkg.WHERE, dep.x)"
        done = await anyio.run_process([python, "-c", code], cwd="/")
    assert done.stdout == b"committed 1\n"


async def test_neighbours_are_found_where_they_are_at_home(repository):
    shared = repository.path.parent / "neighbour"
    shared.mkdir()
    (shared / "lib.rs").write_text("l\n")
    (repository.path / "way").symlink_to("../neighbour")
    (repository.path / "far").symlink_to("../../home/neighbour")
    repository.commit()
    async with await shadow_of(repository) as resolution:
        for way in ("../neighbour", "way", "far"):
            assert (resolution.place / way / "lib.rs").read_text() == "l\n"
    assert (shared / "lib.rs").exists()


async def test_a_repository_in_an_ignored_folder_is_itself_all_the_same(tmp_path):
    outer = new_repository(tmp_path / "outer", {"o.py": "o\n"})
    outer.write(".gitignore", "*\n")
    inner = new_repository(outer.path / "work/inner", {"i.py": "i\n", "src/j.py": "j\n"})
    async with await shadow_of(inner) as resolution:
        assert (resolution.place / "src/j.py").read_text() == "j\n"


async def test_loops_of_links_are_not_followed(repository):
    (repository.path / "loop").symlink_to(".")
    (repository.path / "gen").mkdir()
    (repository.path / "gen/up").symlink_to("..")
    (repository.path / "gen/self").symlink_to("self")
    repository.add("loop")
    async with await shadow_of(repository) as resolution:
        assert (resolution.place / "loop").readlink() == Path()
        assert (resolution.place / "gen/up/a.py").read_text() == "one\n"
        assert real_path(resolution.place / "gen/up") == resolution.place


async def test_a_link_into_the_users_tree_leads_into_the_copy(repository):
    (repository.path / "absolute.py").symlink_to(repository.path / "a.py")
    repository.add("absolute.py")
    async with await shadow_of(repository) as resolution:
        (resolution.place / "absolute.py").write_text("written by a test\n")
    assert (repository.path / "a.py").read_text() == "one\n"


async def test_a_subfolder_as_workspace_is_laid_out_with_all_around_it(repository):
    repository.commit({"web/app.js": "a\n", "neighbour/s.js": "s\n"})
    async with await shadow_of(repository, repository.path / "web") as resolution:
        assert (resolution.place / "app.js").read_text() == "a\n"
        assert (resolution.place / "../neighbour/s.js").read_text() == "s\n"


async def test_submodules_are_laid_out_at_their_commit(tmp_path):
    inner = new_repository(tmp_path / "inner", {"x.py": "x\n"})
    outer = new_repository(tmp_path / "outer", {"main.py": "m\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "libs/x")
    outer.commit()
    Repository(outer.path / "libs/x").commit({"x.py": "later\n"})
    outer.write("dirty.py", "d\n")
    async with resolved(STAGED, outer.path) as resolution:
        assert (resolution.place / "libs/x/x.py").read_text() == "x\n"
    async with disk_copy(outer.path) as place:
        assert (place / "libs/x/x.py").read_text() == "later\n"


async def test_line_ends_come_out_as_the_user_has_them(repository, monkeypatch, tmp_path):
    (tmp_path / "gitconfig").write_text("[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    async with await shadow_of(repository) as resolution:
        assert (resolution.place / "a.py").read_bytes() == b"one\r\n"


async def test_a_worktree_and_a_clone_that_borrows_objects_can_be_laid_out(repository, tmp_path):
    run_git(tmp_path, "clone", "-q", "--shared", str(repository.path), "borrower")
    borrower = Repository(tmp_path / "borrower")
    borrower.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    for folder in (borrower.path, tmp_path / "wt"):
        async with await shadow_of(Repository(folder)) as resolution:
            assert (resolution.place / "a.py").read_text() == "one\n"


async def test_a_repository_with_sha256_names_is_read_and_laid_out(tmp_path):
    run_git(tmp_path, "init", "-q", "--object-format=sha256", "--initial-branch=main", "new")
    repository = Repository(tmp_path / "new")
    repository.commit({"a.py": "one\n"})
    repository.write("a.py", "one\ntwo\n")
    repository.write("u.py", "u\n")
    change = (await scoped(repository.path, "working-tree")).change
    assert [(file.path, file.change) for file in change.files] == [("a.py", "modified"), ("u.py", "added")]
    async with resolved(STAGED, repository.path) as resolution:
        assert (resolution.place / "a.py").read_text() == "one\n"


async def test_nothing_is_left_behind_when_the_work_inside_fails(repository):
    with pytest.raises(RuntimeError):
        async with await shadow_of(repository):
            raise RuntimeError
    assert list(shadows_dir().iterdir()) == []
