import pytest

from verify_lsp.toolchains.sample import sample_projects


def samples(folder):
    return {chain.language: (project.root, project.changed) for chain, project in sample_projects(folder, "", folder)}


@pytest.fixture
def write(tmp_path):
    def put(*paths):
        for path in paths:
            file = tmp_path / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("")

    return put


def test_a_language_is_known_by_one_of_its_files_without_a_manifest(tmp_path, write):
    write("notes.txt", "tool.py")

    assert samples(tmp_path) == {"python": (".", ("tool.py",))}


def test_the_file_nearest_to_the_top_stands_for_its_language(tmp_path, write):
    write("a/deep/one.py", "b/two.py", "go.mod", "z.go")

    assert samples(tmp_path) == {"python": (".", ("b/two.py",)), "go": (".", ("z.go",))}


def test_what_was_installed_or_is_linked_is_not_looked_at(tmp_path, write):
    write("node_modules/x/index.js", ".venv/x.py", "real/.keep")
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)

    assert samples(tmp_path) == {}


def test_an_empty_folder_holds_no_language(tmp_path):
    assert samples(tmp_path) == {}
    assert samples(tmp_path / "gone") == {}
