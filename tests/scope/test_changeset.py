"""Changes that are given: as diffs and as texts."""

import pytest

from tests.harness.repository import counts, lines, new_repository, scoped
from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.scope import FileText, VerifyScope
from verify_lsp.scope.resolve import base_tree, resolved

pytestmark = pytest.mark.anyio

BEFORE = "".join(f"line {number}\n" for number in range(1, 11))
AFTER = BEFORE.replace("line 5\n", "LINE 5\nmore\n")


@pytest.fixture
def repository(tmp_path):
    return new_repository(tmp_path / "repo", {"a.py": BEFORE, "b.py": "b\n", "run.sh": "echo\n"})


def diff_to(repository, files, *options):
    """Make the edits, take git's diff of them, and undo them."""
    for name, content in files.items():
        if content is None:
            (repository.path / name).unlink()
        else:
            repository.write(name, content)
    repository.add()
    diff = repository.git("diff", "--cached", *options) + "\n"
    repository.git("reset", "-q", "--hard")
    return diff


def change_set(diff=None, files=None):
    return VerifyScope("change-set", diff=diff, files=files)


async def test_a_diff_that_is_on_disk_already_is_verified_there(repository):
    diff = diff_to(repository, {"a.py": AFTER, "new.py": "n\n", "b.py": None})
    repository.write("a.py", AFTER)
    repository.write("new.py", "n\n")
    (repository.path / "b.py").unlink()
    resolution = await scoped(repository.path, "change-set", diff=diff)
    found = {file.path: file for file in resolution.change.files}

    assert (resolution.place, resolution.shadow) == (repository.path, False)
    assert {path: file.change for path, file in found.items()} == {
        "a.py": "modified",
        "b.py": "deleted",
        "new.py": "added",
    }
    assert (found["a.py"].before, found["a.py"].after) == (BEFORE, AFTER)
    assert lines(found["a.py"].added_lines) == [(5, "LINE 5"), (6, "more")]
    assert lines(found["a.py"].removed_lines) == [(5, "line 5")]
    assert resolution.change.base.sha == repository.git("rev-parse", "HEAD")


@pytest.mark.parametrize("options", [(), ("--no-prefix",), ("--src-prefix=i/", "--dst-prefix=w/"), ("-U0",), ("-U99",)])
async def test_a_diff_that_is_not_on_disk_is_applied_to_a_copy(repository, options):
    diff = diff_to(repository, {"a.py": AFTER, "sub/new.py": "n\n", "b.py": None}, *options)
    repository.write("other.py", "of the user\n")
    async with resolved(change_set(diff), repository.path) as resolution:
        assert resolution.shadow
        assert (resolution.place / "a.py").read_text() == AFTER
        assert (resolution.place / "sub/new.py").read_text() == "n\n"
        assert (resolution.place / "other.py").read_text() == "of the user\n"
        assert not (resolution.place / "b.py").exists()
    assert (repository.path / "a.py").read_text() == BEFORE
    assert not resolution.place.exists()


async def test_a_diff_that_fits_the_last_commit_alone_is_applied_to_that(repository):
    diff = diff_to(repository, {"a.py": AFTER})
    repository.write("a.py", "something else\n")
    async with resolved(change_set(diff), repository.path) as resolution:
        assert (resolution.place / "a.py").read_text() == AFTER
        assert resolution.change.base.ref == "HEAD"
        async with base_tree(resolution.change, repository.path) as base:
            assert (base / "a.py").read_text() == BEFORE


async def test_a_diff_against_unsaved_work_is_applied_to_that_work(repository):
    repository.write("a.py", BEFORE + "mine\n")
    diff = "--- a/a.py\n+++ b/a.py\n@@ -11 +11 @@\n-mine\n+yours\n"
    async with resolved(change_set(diff), repository.path) as resolution:
        assert (resolution.place / "a.py").read_text() == BEFORE + "yours\n"
        assert resolution.change.base is None
        async with base_tree(resolution.change, repository.path) as base:
            assert (base / "a.py").read_text() == BEFORE + "mine\n"


async def test_a_diff_that_fits_nowhere_is_refused_by_name(repository):
    diff = diff_to(repository, {"a.py": AFTER}).replace("line 4", "line four")

    with pytest.raises(EngineError, match=r"does not fit: a\.py reads otherwise"):
        await scoped(repository.path, "change-set", diff=diff)


async def test_line_numbers_are_not_trusted_when_the_lines_are_not_there(repository):
    diff = diff_to(repository, {"a.py": AFTER}).replace("@@ -2,7 +2,8 @@", "@@ -3,7 +3,8 @@")

    with pytest.raises(EngineError, match="does not fit"):
        await scoped(repository.path, "change-set", diff=diff)


async def test_renames_copies_and_modes_come_through(repository):
    (repository.path / "run.sh").chmod(0o755)
    diff = diff_to(repository, {"a.py": None, "moved.py": BEFORE + "end\n"}, "--find-renames")
    async with resolved(change_set(diff), repository.path) as resolution:
        found = {file.path: file for file in resolution.change.files}
        assert {path: file.change for path, file in found.items()} == {"moved.py": "renamed", "run.sh": "mode"}
        assert found["moved.py"].old_path == "a.py"
        assert counts(resolution.change) == {"moved.py": (1, 0), "run.sh": (0, 0)}
        assert not (resolution.place / "a.py").exists()
        assert (resolution.place / "run.sh").stat().st_mode & 0o100
    copied = "diff --git a/b.py b/c.py\nsimilarity index 100%\ncopy from b.py\ncopy to c.py\n"
    async with resolved(change_set(copied), repository.path) as resolution:
        assert [(file.change, file.path, file.old_path) for file in resolution.change.files] == [
            ("copied", "c.py", "b.py")
        ]
        assert (resolution.place / "b.py").read_text() == (resolution.place / "c.py").read_text()


async def test_a_script_stays_one_when_its_text_changes(repository):
    repository.write("run.sh", "echo\n", executable=True)
    repository.commit()
    texts = (FileText("run.sh", before="echo\n", after="echo 2\n"),)
    async with resolved(change_set(files=texts), repository.path) as resolution:
        assert (resolution.place / "run.sh").stat().st_mode & 0o100
        assert (resolution.place / "run.sh").read_text() == "echo 2\n"


async def test_texts_that_are_on_disk_are_verified_there(repository):
    repository.write("a.py", AFTER)
    repository.write("n.py", "n\n")
    texts = (FileText("a.py", before=BEFORE, after=AFTER), FileText("n.py", after="n\n"))
    resolution = await scoped(repository.path, "change-set", files=texts)

    assert not resolution.shadow
    assert counts(resolution.change) == {"a.py": (2, 1), "n.py": (1, 0)}


async def test_texts_that_are_not_on_disk_are_put_into_a_copy(repository):
    texts = (FileText("a.py", before=BEFORE, after=AFTER), FileText("b.py", before="b\n"))
    async with resolved(change_set(files=texts), repository.path) as resolution:
        assert (resolution.place / "a.py").read_text() == AFTER
        assert not (resolution.place / "b.py").exists()
        assert [file.change for file in resolution.change.files] == ["modified", "deleted"]


async def test_texts_that_fit_nowhere_are_refused(repository):
    for text in (FileText("a.py", before="other\n", after="x\n"), FileText("a.py", after="x\n")):
        with pytest.raises(EngineError, match="does not fit"):
            await scoped(repository.path, "change-set", files=(text,))


async def test_line_ends_lost_on_the_way_are_given_back(repository):
    crlf = BEFORE.replace("\n", "\r\n")
    repository.commit({"a.py": crlf})
    diff = "--- a/a.py\n+++ b/a.py\n@@ -4,3 +4,3 @@\n line 4\n-line 5\n+LINE 5\n line 6\n"
    async with resolved(change_set(diff), repository.path) as resolution:
        assert (resolution.place / "a.py").read_bytes() == crlf.replace("line 5", "LINE 5").encode()
    texts = (FileText("a.py", before=BEFORE, after=BEFORE.replace("line 5", "LINE 5")),)
    assert counts((await scoped(repository.path, "change-set", files=texts)).change) == {"a.py": (1, 1)}


async def test_a_file_in_latin_1_takes_a_diff_in_unicode(repository):
    repository.commit({"l.c": "/* \xe9 */\nint a;\n".encode("latin-1")})
    diff = "--- a/l.c\n+++ b/l.c\n@@ -1,2 +1,2 @@\n /* é */\n-int a;\n+int ä;\n"
    async with resolved(change_set(diff), repository.path) as resolution:
        assert (resolution.place / "l.c").read_bytes() == b"/* \xe9 */\nint \xe4;\n"


async def test_git_names_files_from_the_root_of_the_repository(repository):
    repository.commit({"web/app.js": "one\n", "web/web/app.js": "one\n"})
    diff = diff_to(repository, {"web/app.js": "two\n"})
    async with resolved(change_set(diff), repository.path / "web") as resolution:
        assert [file.path for file in resolution.change.files] == ["app.js"]
        assert (resolution.place / "app.js").read_text() == "two\n"
        assert (resolution.place / "web/app.js").read_text() == "one\n"
    relative = "--- a/app.js\n+++ b/app.js\n@@ -1 +1 @@\n-one\n+two\n"
    assert counts((await scoped(repository.path / "web", "change-set", diff=relative)).change) == {"app.js": (1, 1)}


@pytest.mark.parametrize("path", ["../x.py", "/etc/x.py", ".git/hooks/post-commit", "a/../../x", "sub/.GIT/config"])
async def test_a_change_cannot_name_what_is_outside(repository, path):
    diff = f"--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+x\n"
    for scope in (change_set(diff), change_set(files=(FileText(path, after="x\n"),))):
        with pytest.raises(UsageError, match="not a path inside the workspace"):
            async with resolved(scope, repository.path):
                pass


async def test_a_change_cannot_write_through_a_link(repository, tmp_path):
    (tmp_path / "outside").mkdir()
    (repository.path / "link").symlink_to(tmp_path / "outside")
    repository.commit()
    with pytest.raises(EngineError):
        await scoped(repository.path, "change-set", files=(FileText("link/x.py", after="x\n"),))

    assert list((tmp_path / "outside").iterdir()) == []


async def test_a_diff_without_the_content_is_refused(repository):
    repository.commit({"logo.png": b"\0\1"})
    diff = diff_to(repository, {"logo.png": b"\0\2"})

    with pytest.raises(EngineError, match=r"binary file logo\.png"):
        await scoped(repository.path, "change-set", diff=diff)


async def test_a_diff_that_makes_a_link_is_refused(repository):
    (repository.path / "l").symlink_to("/etc")
    repository.add()
    diff = repository.git("diff", "--cached") + "\n"
    repository.git("reset", "-q", "--hard")

    with pytest.raises(EngineError, match="l is a link"):
        await scoped(repository.path, "change-set", diff=diff)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "needs a `diff`, or `files`"),
        ({"files": ("a.py",)}, r"needs the texts of a\.py"),
        ({"files": (FileText("a.py"),)}, "needs a text before or after"),
        ({"diff": "", "files": ()}, "not as both"),
        ({"diff": "words"}, "no unified diff"),
        ({"diff": "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n" * 2}, "changes f twice"),
    ],
)
async def test_a_request_without_a_change_is_wrong(repository, given, words):
    with pytest.raises(UsageError, match=words):
        await scoped(repository.path, "change-set", **given)


async def test_an_empty_diff_is_an_empty_change(repository):
    assert (await scoped(repository.path, "change-set", diff="")).change.files == ()


async def test_outside_a_repository_a_change_is_held_against_the_disk(tmp_path):
    folder = tmp_path / "plain"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.py").write_text("one\n")
    (folder / "sub/b.py").write_text("b\n")
    diff = "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
    async with resolved(change_set(diff), folder) as resolution:
        assert resolution.shadow
        assert (resolution.place / "a.py").read_text() == "two\n"
        assert (resolution.place / "sub/b.py").read_text() == "b\n"
        assert (resolution.change.base, resolution.change.head) == (None, None)
        async with base_tree(resolution.change, folder) as base:
            assert (base / "a.py").read_text() == "one\n"
    (folder / "a.py").write_text("two\n")
    assert (await scoped(folder, "change-set", diff=diff)).place == folder
