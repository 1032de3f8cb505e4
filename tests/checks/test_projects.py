import pytest

from tests.harness.samples import a_file_change
from verify_lsp.checks.projects import Surroundings, is_prose, projects_of
from verify_lsp.model.change import Change
from verify_lsp.toolchains.registry import TOOLCHAINS


def touched(tmp_path, files, *paths, change="modified"):
    for name in files:
        target = tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("{}" if name.endswith(".json") else "")
    around = Surroundings(workspace=tmp_path, place=tmp_path, path="/usr/bin", cache=tmp_path / "cache")
    changes = tuple(a_file_change(path=path, change=change) for path in paths)
    return projects_of(Change(changes), TOOLCHAINS, around)


def named(found):
    return [(owner.toolchain.language, owner.project.root, owner.project.changed) for owner in found.projects]


def test_a_file_belongs_to_the_nearest_root_of_its_language(tmp_path):
    files = ["pyproject.toml", "services/api/pyproject.toml", "services/api/a.py", "b.py"]

    assert named(touched(tmp_path, files, "services/api/a.py", "b.py")) == [
        ("python", ".", ("b.py",)),
        ("python", "services/api", ("a.py",)),
    ]


def test_a_data_file_touches_every_project_above_it_but_is_not_its_code(tmp_path):
    found = touched(tmp_path, ["go.mod", "package.json", "testdata/x.json"], "testdata/x.json")

    assert named(found) == [("node", ".", ()), ("go", ".", ())]


def test_prose_touches_no_project(tmp_path):
    assert touched(tmp_path, ["go.mod", "README.md"], "README.md").projects == ()


def test_a_file_of_a_known_language_without_a_project_is_named(tmp_path):
    found = touched(tmp_path, ["a.go", "b.go"], "a.go", "b.go")

    assert found.projects == ()
    assert found.homeless == ("a.go and b.go belong to no Go project",)


def test_a_deleted_file_is_not_looked_at_but_touches_its_project(tmp_path):
    found = touched(tmp_path, ["go.mod"], "a.go", change="deleted")

    assert named(found) == [("go", ".", ())]
    assert found.projects[0].project.deleted == ("a.go",)


@pytest.mark.parametrize(
    ("path", "prose"), [("docs/a.md", True), ("LICENSE", True), ("a.py", False), ("data.csv", False)]
)
def test_prose_is_what_no_tool_reads(path, prose):
    assert is_prose(path) is prose
