from verify_lsp.server.editor_settings import EditorSettings
from verify_lsp.server.folders import Folders, is_below
from verify_lsp.server.texts.uris import key_of


def test_the_innermost_folder_owns_a_file(tmp_path):
    folders = Folders()
    for name in ("x", "x/services/api", "xy"):
        folders.add((tmp_path / name).as_uri())

    def owner(name: str) -> str | None:
        folder = folders.owner(key_of(tmp_path / name))
        return folder and folder.path.relative_to(tmp_path).as_posix()

    assert owner("x/a.py") == "x"
    assert owner("x/services/api/a.py") == "x/services/api"
    assert owner("x/services/apis/a.py") == "x"
    assert owner("xy/a.py") == "xy"
    assert owner("z/a.py") is None


def test_a_folder_reached_through_a_link_owns_the_files_it_links_to(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    folders = Folders()
    folders.add((tmp_path / "link").as_uri())
    assert folders.owner(key_of(tmp_path / "real" / "a.py")) is folders.all[0]
    assert folders.address(tmp_path / "link" / "a.py") == (tmp_path / "link").as_uri() + "/a.py"


def test_a_folder_is_there_once_however_it_is_spelled(tmp_path):
    folders = Folders()
    for uri in (tmp_path.as_uri(), tmp_path.as_uri() + "/", "untitled:x", "vscode-remote://host/x"):
        folders.add(uri)
    assert len(folders.all) == 1
    assert folders.remove(tmp_path.as_uri() + "/") is not None
    assert folders.remove(tmp_path.as_uri()) is None


def test_the_root_of_the_disk_may_be_a_folder():
    assert is_below("/a", "/")
    assert not is_below("/ab", "/a")


def test_a_nearer_and_later_word_wins(tmp_path):
    folders = Folders()
    folders.add(tmp_path.as_uri())
    (folder,) = folders.all
    said = EditorSettings(
        initial={"verify": {"timeoutSecs": 1, "mutationMaxMutants": 1, "runTests": False}},
        pushed={"timeoutSecs": 2, "mutationMaxMutants": 2},
        by_folder={folder.key: {"timeoutSecs": 3, "runTests": None}},
    )
    assert dict(said.options(folder).values) == {"timeout_secs": 3, "mutation_max_mutants": 2, "run_tests": False}
    assert dict(said.options(None).values) == {"timeout_secs": 2, "mutation_max_mutants": 2, "run_tests": False}


def test_settings_of_another_shape_are_a_problem_and_no_crash():
    assert EditorSettings(initial=[1]).options(None).problems == ("the editor's settings: expected an object",)
