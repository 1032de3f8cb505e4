"""What each scope means, on real repositories."""

import os

import pytest

from tests.harness.repository import Repository, clone, counts, lines, new_repository, numstat, run_git, scoped
from verify_lsp.model.errors import EngineError, UsageError
from verify_lsp.model.scope import VerifyScope
from verify_lsp.scope.gitdiff import filechange, output
from verify_lsp.scope.resolve import resolved

pytestmark = pytest.mark.anyio

SECRET = 'password = "correct-horse-9917"\n'


@pytest.fixture
def repository(tmp_path):
    return new_repository(tmp_path / "repo", {"a.py": "one\n", "b.py": "two\n"})


async def files_of(folder, kind="working-tree", **given):
    change = (await scoped(folder, kind, **given)).change
    return {file.path: file for file in change.files}


async def test_lines_end_at_line_feeds_and_nowhere_else(repository):
    repository.commit({"a.py": "first = 1\n"})
    repository.write("a.py", 'first = 1\na = "x\x0cy"\nb = "p\u2028q"\nc = "1\rmid"\n' + SECRET)

    added = lines((await files_of(repository.path))["a.py"].added_lines)

    assert [number for number, _ in added] == [2, 3, 4, 5]
    assert added[3] == (5, SECRET.rstrip("\n"))
    assert added[2] == (4, 'c = "1\rmid"')


async def test_names_outside_ascii_stay_as_they_are(repository):
    repository.commit({"src/naïve 数据.py": "x = 1\n"})
    repository.write("src/naïve 数据.py", "x = 1\n" + SECRET)

    assert lines((await files_of(repository.path))["src/naïve 数据.py"].added_lines) == [(2, SECRET.rstrip("\n"))]


async def test_names_keep_the_form_of_their_letters(repository):
    decomposed = "cafe\u0301.py"
    repository.write(decomposed, "x = 1\n")

    assert set(await files_of(repository.path)) == {decomposed}
    assert (await files_of(repository.path, "files", files=(decomposed,)))[decomposed].change == "added"


async def test_names_with_blanks_tabs_and_line_ends_bear_no_trace_of_quoting(repository):
    names = ["NCR API GW.collection.json", "Audit Repo/x.txt", "tab\there", 'quo"te', "new\nline", "back\\slash", " "]
    for name in names:
        repository.write(name, "x\n")
    assert set(await files_of(repository.path)) == set(names)

    repository.commit()
    for name in names:
        repository.write(name, "y\n")
    found = await files_of(repository.path)

    assert set(found) == set(names)
    assert all(lines(file.added_lines) == [(1, "y")] for file in found.values())


async def test_a_name_that_is_not_utf_8_is_shown_with_escapes_and_its_lines_are_read(repository):
    repository.write(os.fsdecode(b"caf\xe9.py"), SECRET)
    change = (await scoped(repository.path, "working-tree")).change

    assert lines(change.files[0].added_lines) == [(1, SECRET.rstrip("\n"))]
    assert change.files[0].path == "caf\\xe9.py"
    assert any("named in bytes that are not UTF-8" in note for note in change.notes)


CONFIGURATIONS = [
    ("diff.noprefix", "true"),
    ("diff.mnemonicPrefix", "true"),
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("diff.external", "/bin/true"),
    ("core.pager", "/bin/false"),
    ("diff.algorithm", "patience"),
    ("diff.interHunkContext", "50"),
    ("diff.context", "0"),
    ("diff.renames", "copies"),
    ("diff.srcPrefix", "x/"),
    ("diff.suppressBlankEmpty", "true"),
    ("diff.relative", "true"),
    ("diff.orderFile", "no-such-file"),
    ("diff.wsErrorHighlight", "all"),
    ("diff.submodule", "log"),
    ("diff.colorMoved", "zebra"),
    ("diff.ignoreSubmodules", "none"),
    ("core.quotePath", "true"),
    ("status.showUntrackedFiles", "no"),
    ("status.relativePaths", "true"),
    ("core.splitIndex", "true"),
    ("log.showSignature", "true"),
]


async def _everything(repository):
    return [await files_of(repository.path, kind) for kind in ("working-tree", "staged", "branch")]


async def test_no_configuration_changes_what_is_found(repository, monkeypatch, tmp_path):
    text = "".join(f"line {number}\n" for number in range(40))
    repository.commit({"naïve b.py": text, "gone.py": "was\nhere\n", "sub/s.py": "x\n"})
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({"c.py": text + "more\n"})
    repository.write("naïve b.py", text.replace("line 3\n", "\nLINE 3\n").replace("line 30\n", SECRET))
    repository.add("naïve b.py")
    repository.write("copy.py", text)
    (repository.path / "gone.py").rename(repository.path / "moved.py")
    expected = await _everything(repository)
    assert [len(found) for found in expected] == [3, 1, 1]

    for key, value in CONFIGURATIONS:
        repository.git("config", key, value)
        assert await _everything(repository) == expected, key

    everything = "".join(f"[{k.rpartition('.')[0]}]\n{k.rpartition('.')[2]} = {v}\n" for k, v in CONFIGURATIONS)
    (tmp_path / "gitconfig").write_text(everything)
    (tmp_path / "wrong").write_bytes(b"")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/bin/true")
    monkeypatch.setenv("GIT_DIFF_OPTS", "-u0")
    monkeypatch.setenv("GIT_DIR", str(tmp_path))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "wrong"))
    monkeypatch.setenv("GIT_PREFIX", "sub/")
    monkeypatch.setenv("GIT_LITERAL_PATHSPECS", "0")
    assert await _everything(repository) == expected


async def test_what_the_user_tells_git_to_ignore_everywhere_is_ignored(repository, monkeypatch, tmp_path):
    (tmp_path / "ignore").write_text("*.swp\n")
    (tmp_path / "gitconfig").write_text(f"[core]\nexcludesFile = {tmp_path}/ignore\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    repository.write("a.swp", "x\n")

    assert await files_of(repository.path) == {}


async def test_line_ends_that_git_converts_are_no_change(repository, monkeypatch, tmp_path):
    (tmp_path / "gitconfig").write_text("[core]\nautocrlf = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    repository.write("a.py", "one\r\n")
    repository.write("b.py", "two\r\nthree\r\n")

    found = await files_of(repository.path)

    assert set(found) == {"b.py"}
    assert lines(found["b.py"].added_lines) == [(2, "three")]


async def test_untracked_files_are_in_scope_and_ignored_ones_are_not(repository):
    repository.commit({".gitignore": "*.log\n/out/\n"})
    repository.write("pkg/deep/new.py", "eval(request.args['q'])\n")
    repository.write("x.log", "x\n")
    repository.write("out/y.py", "y\n")

    found = await files_of(repository.path)

    assert set(found) == {"pkg/deep/new.py"}
    assert found["pkg/deep/new.py"].change == "added"
    assert found["pkg/deep/new.py"].before is None
    assert found["pkg/deep/new.py"].after == "eval(request.args['q'])\n"
    assert found["pkg/deep/new.py"].diff.startswith("diff --git a/pkg/deep/new.py b/pkg/deep/new.py\nnew file mode")


async def test_a_clean_tree_is_an_empty_change(repository):
    for kind in ("working-tree", "staged"):
        resolution = await scoped(repository.path, kind)

        assert resolution.change.files == ()
        assert resolution.change.head.dirty is False
        assert resolution.place == repository.path


async def test_a_folder_that_its_repository_ignores_says_so(repository):
    repository.commit({".gitignore": "*\n"})
    inner = repository.write("scratch/x.py", "x\n").parent
    change = (await scoped(inner, "working-tree")).change

    assert change.files == ()
    assert any("ignores this folder" in note for note in change.notes)


async def test_installed_packages_that_nobody_ignores_are_left_out_and_named(repository):
    repository.write("node_modules/p/index.js", "x\n")
    repository.write("env/pyvenv.cfg", "home = /usr\n")
    repository.write("env/lib/m.py", "x\n")
    repository.write("target/debug.rs", "x\n")
    change = (await scoped(repository.path, "working-tree")).change

    assert [file.path for file in change.files] == ["target/debug.rs"]
    assert any("3 untracked files" in note and "node_modules" in note for note in change.notes)


async def test_staged_reads_the_index_and_working_tree_reads_the_disk(repository):
    repository.write("a.py", "one\n" + SECRET)
    repository.add("a.py")
    repository.write("a.py", "one\n")
    repository.write("late.py", "x\ny\n")
    repository.git("add", "--intent-to-add", "late.py")

    staged, working = await files_of(repository.path, "staged"), await files_of(repository.path)

    assert lines(staged["a.py"].added_lines) == [(2, SECRET.rstrip("\n"))]
    assert staged["a.py"].after == "one\n" + SECRET
    assert set(staged) == {"a.py"}
    assert set(working) == {"late.py"}
    assert working["late.py"].change == "added"
    assert lines(working["late.py"].added_lines) == [(1, "x"), (2, "y")]


async def test_half_a_file_staged_is_half_a_file_verified(repository):
    repository.write("a.py", "one\nstaged\n")
    repository.add("a.py")
    repository.write("a.py", "one\nstaged\nnot staged\n")

    assert lines((await files_of(repository.path, "staged"))["a.py"].added_lines) == [(2, "staged")]
    assert lines((await files_of(repository.path))["a.py"].added_lines) == [(2, "staged"), (3, "not staged")]


async def test_changes_without_lines_are_listed_all_the_same(repository):
    repository.commit({"run.sh": "echo\n", "old.py": "x\n" * 20, "logo.png": b"\x89PNG\0\1", "c.py": "x\ny\n"})
    (repository.path / "run.sh").chmod(0o755)
    (repository.path / "old.py").rename(repository.path / "new.py")
    repository.write("logo.png", b"\x89PNG\0\2")
    (repository.path / "c.py").unlink()

    for stage in (False, True):
        if stage:
            repository.add()
        found = await files_of(repository.path, "staged" if stage else "working-tree")

        assert {path: file.change for path, file in found.items()} == {
            "run.sh": "mode",
            "new.py": "renamed",
            "logo.png": "modified",
            "c.py": "deleted",
        }
        assert found["new.py"].old_path == "old.py"
        assert found["new.py"].before == found["new.py"].after == "x\n" * 20
        assert found["logo.png"].binary
        assert [counts_of(found[path]) for path in ("run.sh", "new.py", "logo.png", "c.py")] == [
            (0, 0),
            (0, 0),
            (0, 0),
            (0, 2),
        ]
        assert found["c.py"].before == "x\ny\n"
        assert found["c.py"].after is None


def counts_of(file):
    return len(file.added_lines), len(file.removed_lines)


async def test_a_moved_file_that_was_edited_shows_its_edit_alone(repository):
    repository.commit({"old.py": "".join(f"line {number}\n" for number in range(20))})
    text = (repository.path / "old.py").read_text()
    (repository.path / "old.py").unlink()
    repository.write("deep/new.py", text.replace("line 7\n", "LINE 7\n"))

    found = await files_of(repository.path)

    assert found["deep/new.py"].old_path == "old.py"
    assert lines(found["deep/new.py"].added_lines) == [(8, "LINE 7")]
    assert lines(found["deep/new.py"].removed_lines) == [(8, "line 7")]


@pytest.mark.parametrize(
    ("before", "after", "added", "removed"),
    [
        ("a\nb", "a\nc", [(2, "c")], [(2, "b")]),
        ("a\nb", "a\nb\n", [(2, "b")], [(2, "b")]),
        ("a\nb\n", "a\nb", [(2, "b")], [(2, "b")]),
        ("", "a", [(1, "a")], []),
        ("a", "", [], [(1, "a")]),
        ("a", "a\nb", [(1, "a"), (2, "b")], [(1, "a")]),
    ],
)
async def test_a_missing_line_end_is_neither_counted_nor_shown(repository, before, after, added, removed):
    repository.commit({"f.txt": before})
    repository.write("f.txt", after)
    file = (await files_of(repository.path))["f.txt"]

    assert (lines(file.added_lines), lines(file.removed_lines)) == (added, removed)
    assert (file.before, file.after) == (before, after)


async def test_an_empty_file_is_a_file(repository):
    repository.write("empty.py", "")
    file = (await files_of(repository.path))["empty.py"]

    assert (file.change, file.binary, file.before, file.after) == ("added", False, None, "")


async def test_before_the_first_commit_every_line_is_added(tmp_path):
    repository = new_repository(tmp_path / "repo", {"a.py": "x = 1\n" + SECRET}, commit=False)
    repository.add()
    repository.write("a.py", "x = 1\n" + SECRET + "y = 2\n")
    repository.write("b.py", "z\n")

    staged = await scoped(repository.path, "staged")
    working = await scoped(repository.path, "working-tree")
    named = await scoped(repository.path, "files", files=("a.py",))

    assert counts(staged.change) == {"a.py": (2, 0)}
    assert counts(working.change) == {"a.py": (3, 0), "b.py": (1, 0)}
    assert counts(named.change) == {"a.py": (3, 0)}
    assert staged.change.base is None
    assert staged.change.head.sha is None
    with pytest.raises(EngineError, match="no base"):
        await scoped(repository.path, "branch")
    assert (repository.path / "a.py").read_text().endswith("y = 2\n")


async def test_an_empty_repository_holds_no_change(tmp_path):
    repository = new_repository(tmp_path / "repo", commit=False)

    assert (await scoped(repository.path, "working-tree")).change.files == ()
    assert (await scoped(repository.path, "staged")).change.files == ()


async def test_a_worktree_is_a_repository_of_its_own(repository, tmp_path):
    repository.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
    side = Repository(tmp_path / "wt")
    side.write("a.py", "one\nside\n")
    side.add("a.py")
    side.write("u.py", "u\n")

    assert set(await files_of(side.path)) == {"a.py", "u.py"}
    assert set(await files_of(side.path, "staged")) == {"a.py"}
    assert await files_of(repository.path) == {}


async def test_a_detached_head_is_a_head(repository):
    sha = repository.commit({"a.py": "two\n"})
    repository.git("checkout", "-q", "--detach")
    repository.write("a.py", "three\n")
    change = (await scoped(repository.path, "working-tree")).change

    assert counts(change) == {"a.py": (1, 1)}
    assert change.head.sha == change.base.sha == sha


@pytest.fixture
def superproject(tmp_path):
    inner = new_repository(tmp_path / "inner", {"x.py": "x\n"})
    outer = new_repository(tmp_path / "outer", {"main.py": "m\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "libs/x")
    outer.commit()
    return outer


async def test_a_change_inside_a_submodule_belongs_to_the_submodule(superproject):
    superproject.write("libs/x/x.py", "x\ny\n")

    assert set(await files_of(superproject.path / "libs/x")) == {"x.py"}
    change = (await scoped(superproject.path, "working-tree")).change
    assert change.files == ()
    assert change.notes == (
        "submodules are verified on their own, and what is uncommitted in them is not in scope: libs/x",
    )
    assert await files_of(superproject.path, "staged") == {}


async def test_a_moved_submodule_is_listed_without_being_read_as_text(superproject):
    inner = Repository(superproject.path / "libs/x")
    inner.commit({"x.py": "x\ny\n"})
    file = (await files_of(superproject.path))["libs/x"]

    assert (file.change, file.binary, file.before, file.after) == ("modified", True, None, None)
    assert (file.added_lines, file.removed_lines) == ((), ())
    assert "Subproject commit" in file.diff


async def test_a_repository_inside_another_is_not_part_of_it(repository):
    new_repository(repository.path / "vendor/own", {"v.py": "v\n"})
    change = (await scoped(repository.path, "working-tree")).change

    assert change.files == ()
    assert any("vendor/own" in note for note in change.notes)
    new = Repository(repository.path / "vendor/own")
    new.write("v.py", "w\n")
    assert set(await files_of(new.path)) == {"v.py"}


async def test_a_subfolder_as_workspace_sees_its_own_files_by_their_own_names(repository):
    repository.commit({"web/app.js": "a\n", "web/lib/l.js": "l\n", "web 2/z.js": "z\n"})
    for name in ("a.py", "web/app.js", "web/lib/l.js", "web 2/z.js", "new.py", "web/new.js"):
        repository.write(name, "changed\n")
    web = repository.path / "web"

    assert set(await files_of(web)) == {"app.js", "lib/l.js", "new.js"}
    assert set(await files_of(web, "files", files=("app.js", "new.js"))) == {"app.js", "new.js"}
    repository.add()
    assert set(await files_of(web, "staged")) == {"app.js", "lib/l.js", "new.js"}
    repository.git("checkout", "-q", "-b", "work")
    repository.commit()
    assert set(await files_of(web, "branch")) == {"app.js", "lib/l.js", "new.js"}


async def test_a_workspace_reached_through_a_link_is_the_folder_it_leads_to(repository, tmp_path):
    repository.write("a.py", "one\nmore\n")
    (tmp_path / "link").symlink_to(repository.path)
    resolution = await scoped(tmp_path / "link", "working-tree")

    assert counts(resolution.change) == {"a.py": (1, 0)}
    assert resolution.place == tmp_path / "link"


async def test_latin_1_python_is_read_as_it_declares(repository):
    head = b"# -*- coding: latin-1 -*-\n"
    repository.commit({"l.py": head + b"x = 1\n", "v.vim": b"map <Esc>\n", "ok.py": "ok\n"})
    repository.write("l.py", head + b"x = 1\nname = '\xe9t\xe9'\n")
    repository.write("data.json", '{"a": 1}\n'.encode("utf-16"))
    repository.write("v.vim", b"map \x1b x\n")
    repository.write("raw.c", b"/* \xe9 */\n")
    repository.write("ok.py", "okay\n")
    change = (await scoped(repository.path, "working-tree")).change
    found = {file.path: file for file in change.files}

    assert lines(found["l.py"].added_lines) == [(3, "name = 'été'")]
    assert "name = 'été'" in found["l.py"].diff
    assert lines(found["v.vim"].added_lines) == [(1, "map \x1b x")]
    assert lines(found["raw.c"].added_lines) == [(1, "/* é */")]
    assert found["data.json"].binary
    assert lines(found["ok.py"].added_lines) == [(1, "okay")]
    assert any(note.startswith("data.json: UTF-16") for note in change.notes)
    assert any(note.startswith("raw.c: not UTF-8") for note in change.notes)
    assert not any("l.py" in note for note in change.notes)


async def test_an_attribute_cannot_hide_lines(repository):
    repository.commit({".gitattributes": "*.lock -diff\n*.py binary\n", "p.lock": "a\nb\n", "image.py": b"\0\1"})
    repository.write("p.lock", "a\nc\n")
    repository.write("new.py", SECRET)
    repository.write("image.py", b"\0\2")
    (repository.path / "a.py").unlink()

    for kind in ("working-tree", "staged"):
        found = await files_of(repository.path, kind)

        assert not found["p.lock"].binary
        assert (found["p.lock"].before, found["p.lock"].after) == ("a\nb\n", "a\nc\n")
        assert lines(found["p.lock"].added_lines) == [(2, "c")]
        assert lines(found["new.py"].added_lines) == [(1, SECRET.rstrip("\n"))]
        assert lines(found["a.py"].removed_lines) == [(1, "one")]
        assert found["image.py"].binary
        assert found["p.lock"].diff.startswith("diff --git a/p.lock b/p.lock\n")
        repository.add()


async def test_links_are_listed_and_never_followed(repository, tmp_path):
    (tmp_path / "outside.py").write_text(SECRET)
    (repository.path / "link.py").symlink_to(tmp_path / "outside.py")
    (repository.path / "folder").symlink_to(tmp_path)
    (repository.path / "a.py").unlink()
    (repository.path / "a.py").symlink_to("b.py")
    found = await files_of(repository.path)

    assert {path: file.change for path, file in found.items()} == {
        "a.py": "typechange",
        "folder": "added",
        "link.py": "added",
    }
    assert all(file.after is None and file.added_lines == () for file in found.values())
    assert lines(found["a.py"].removed_lines) == [(1, "one")]
    repository.commit()
    (repository.path / "a.py").unlink()
    repository.write("a.py", "again\n")
    file = (await files_of(repository.path))["a.py"]
    assert (file.change, file.before, lines(file.added_lines)) == ("typechange", None, [(1, "again")])


async def test_a_large_file_keeps_its_lines_and_loses_its_texts(repository, monkeypatch):
    monkeypatch.setattr(filechange, "TEXT_LIMIT", 200)
    text = "".join(f"line {number}\n" for number in range(100))
    repository.commit({"large.txt": text})
    repository.write("large.txt", text.replace("line 50\n", "LINE 50\nmore\n"))
    repository.write("new.txt", text)
    change = (await scoped(repository.path, "working-tree")).change
    large, new = change.files

    assert lines(large.added_lines) == [(51, "LINE 50"), (52, "more")]
    assert len(new.added_lines) == 100
    assert (large.after, new.after, new.diff) == (None, None, "")
    assert any(note.startswith("large.txt, new.txt: larger than") for note in change.notes)


async def test_behind_the_limit_of_a_whole_change_files_are_named_and_left_out(repository, monkeypatch):
    monkeypatch.setattr(output.SectionSplitter.__init__, "__defaults__", (600,))
    repository.write("1.txt", "short\n")
    repository.write("2.txt", "x" * 90_000 + "\n")
    change = (await scoped(repository.path, "working-tree")).change

    assert counts(change) == {"1.txt": (1, 0), "2.txt": (0, 0)}
    assert any(note.startswith("2.txt: left out") for note in change.notes)


async def test_a_file_in_conflict_is_compared_with_the_last_commit(repository):
    repository.git("checkout", "-q", "-b", "other")
    repository.commit({"a.py": "theirs\n", "n.py": "theirs\n"})
    repository.git("checkout", "-q", "main")
    repository.commit({"a.py": "ours\n", "n.py": "ours\n"})
    run_git(repository.path, "merge", "other", expect=(1,))
    found = await files_of(repository.path)

    assert {path: file.change for path, file in found.items()} == {"a.py": "modified", "n.py": "modified"}
    assert found["a.py"].before == "ours\n"
    assert "<<<<<<<" in found["a.py"].after
    assert set(await files_of(repository.path, "files", files=("a.py",))) == {"a.py"}
    with pytest.raises(EngineError, match=r"in conflict.*a\.py"):
        await scoped(repository.path, "staged")


async def test_a_time_stamp_is_no_change(repository):
    os.utime(repository.path / "a.py", (1, 1))

    assert await files_of(repository.path) == {}
    assert (await scoped(repository.path, "staged")).shadow is False


async def test_a_file_that_changed_in_the_instant_of_its_commit_is_seen(repository):
    for number in range(20):
        repository.commit({"a.py": f"{number:04}\n"})
        repository.write("a.py", f"{number + 1:04}\n")
        repository.write(f"new{number}.py", "n\n")

        assert set(await files_of(repository.path)) == {"a.py", f"new{number}.py"}


async def test_a_folder_in_place_of_a_file_and_the_other_way_round(repository):
    repository.commit({"d/x.py": "x\n"})
    (repository.path / "a.py").unlink()
    repository.write("a.py/inner.py", "new\n")
    (repository.path / "d/x.py").unlink()
    (repository.path / "d").rmdir()
    repository.write("d", "plain\n")

    assert {path: file.change for path, file in (await files_of(repository.path)).items()} == {
        "a.py": "deleted",
        "a.py/inner.py": "added",
        "d": "added",
        "d/x.py": "deleted",
    }


async def test_counts_are_those_of_numstat(repository):
    repository.commit({f"f{number}.txt": "".join(f"{line}\n" for line in range(number)) for number in range(30)})
    for number in range(0, 30, 2):
        repository.write(f"f{number}.txt", "".join(f"{line}\n" for line in range(0, 30, number + 1)))
    for number in range(1, 30, 4):
        (repository.path / f"f{number}.txt").unlink()

    assert counts((await scoped(repository.path, "working-tree")).change) == numstat(repository, "HEAD")


async def test_named_files_are_compared_with_the_last_commit(repository):
    repository.commit({".gitignore": "*.env\n", "c.py": "c\n", "pkg/d.py": "d\n"})
    repository.write("a.py", "one\nmore\n")
    repository.write("b.py", "changed\n")
    repository.write("new.py", "n\n")
    repository.write("local.env", "KEY=1\n")
    repository.write("pkg/d.py", "dd\n")
    repository.write("pkg/e.py", "e\n")
    (repository.path / "c.py").unlink()

    found = await files_of(repository.path, "files", files=("a.py", "new.py", "local.env", "c.py", "pkg"))

    assert {path: file.change for path, file in found.items()} == {
        "a.py": "modified",
        "new.py": "added",
        "local.env": "added",
        "c.py": "deleted",
        "pkg/d.py": "modified",
        "pkg/e.py": "added",
    }
    absolute = str(repository.path / "a.py")
    assert set(await files_of(repository.path, "files", files=(absolute, "./pkg/../b.py"))) == {"a.py", "b.py"}
    assert await files_of(repository.path, "files", files=(".gitignore",)) == {}


@pytest.mark.parametrize("path", ["../x.py", "/etc/hostname", "link/x.py", ".git/config", "pkg/../../x.py"])
async def test_files_outside_the_workspace_are_refused(repository, tmp_path, path):
    (tmp_path / "x.py").write_text("x\n")
    (repository.path / "link").symlink_to(tmp_path)

    with pytest.raises(UsageError, match="not a path inside the workspace"):
        await scoped(repository.path, "files", files=(path,))


async def test_a_file_that_is_nowhere_is_refused(repository):
    with pytest.raises(UsageError, match=r"no such file: nowhere\.py"):
        await scoped(repository.path, "files", files=("nowhere.py", "a.py"))
    with pytest.raises(UsageError, match="at least one file"):
        await scoped(repository.path, "files")


async def test_outside_a_repository_named_files_count_as_added(tmp_path):
    (tmp_path / "a.json").write_text('{"a":1,}\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/b.py").write_text("b\n")
    resolution = await scoped(tmp_path, "files", files=("a.json", "sub"))

    assert counts(resolution.change) == {"a.json": (1, 0), "sub/b.py": (1, 0)}
    assert resolution.change.head is None
    assert any("in no git repository" in note for note in resolution.change.notes)
    for kind in ("working-tree", "staged", "branch"):
        with pytest.raises(EngineError, match="is not in a git repository"):
            await scoped(tmp_path, kind)


async def test_without_a_record_there_is_no_session(repository):
    with pytest.raises(EngineError, match="no session is recorded here"):
        await scoped(repository.path, "session", session_id="s1")


async def test_a_session_is_held_against_the_texts_before_it(repository):
    repository.write("a.py", "one\nmine\nagent\n")
    repository.write("new.py", "n\n")

    def recorded(session, changes):
        assert (session, changes) == ("s1", ("c1",))
        return {"a.py": b"one\nmine\n", "new.py": None, "b.py": b"two\n", "gone.py": b"g\n"}

    resolution = await scoped(repository.path, "session", session_id="s1", change_ids=("c1",), sessions=recorded)
    found = {file.path: file for file in resolution.change.files}

    assert {path: file.change for path, file in found.items()} == {
        "a.py": "modified",
        "gone.py": "deleted",
        "new.py": "added",
    }
    assert lines(found["a.py"].added_lines) == [(3, "agent")]
    assert resolution.place == repository.path


async def test_a_missing_workspace_is_said(tmp_path):
    with pytest.raises(EngineError, match="there is no folder"):
        await scoped(tmp_path / "nowhere", "working-tree")


async def test_a_broken_or_bare_repository_is_said(tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken/.git").write_text("gitdir: /nowhere\n")
    run_git(tmp_path, "init", "-q", "--bare", "bare")

    with pytest.raises(EngineError, match="not a git repository"):
        await scoped(tmp_path / "broken", "working-tree")
    for folder in ("bare", "bare/objects"):
        with pytest.raises(EngineError, match="no tree of files"):
            await scoped(tmp_path / folder, "working-tree")


async def test_a_repository_that_keeps_its_files_elsewhere_is_refused(repository, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    repository.git("config", "core.worktree", str(tmp_path / "elsewhere"))

    with pytest.raises(EngineError):
        await scoped(repository.path, "working-tree")


async def test_a_partial_clone_never_fetches(repository, tmp_path):
    repository.git("config", "uploadpack.allowFilter", "true")
    partial = clone(repository, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    partial.git("reset", "-q")

    with pytest.raises(EngineError):
        async with resolved(VerifyScope("working-tree"), partial.path):
            pass


async def test_names_in_a_made_up_tree_cannot_lead_out(repository):
    blob = repository.git("hash-object", "-w", "--stdin", stdin=b"evil\n")
    bad = repository.git("mktree", "--missing", stdin=f"100644 blob {blob}\t..\0".encode().rstrip(b"\0") + b"\n")
    tree = repository.git("mktree", stdin=f"040000 tree {bad}\tsub\n100644 blob {blob}\tok.py\n".encode())
    commit = repository.git("commit-tree", "-p", "HEAD", "-m", "x", tree)
    repository.git("update-ref", "refs/heads/evil", commit)
    repository.git("symbolic-ref", "HEAD", "refs/heads/evil")
    repository.git("read-tree", "--empty")

    change = (await scoped_branch_files(repository)).files

    assert {file.path for file in change} == {"a.py", "b.py", "ok.py"}


async def scoped_branch_files(repository):
    from verify_lsp.scope.gitdiff.changes import read_changes
    from verify_lsp.system.git import open_git

    return await read_changes(await open_git(repository.path), ("diff-tree", "-r", "main", "evil"))
