import pytest

from tests.harness.changed_files import changed_file
from verify_lsp.judgement.files.manifests import changed_sections, new_dependencies
from verify_lsp.model.change import FileChange

PYPROJECT = """
[build-system]
requires = ["hatchling"]
[project]
dependencies = ["attrs>=25", "Flask[async] ; python_version > '3'"]
[project.optional-dependencies]
x = ["rich"]
[dependency-groups]
dev = ["pytest", {include-group = "lint"}]
[tool.poetry.dependencies]
python = "^3.11"
httpx = "*"
[tool.poetry.group.test.dependencies]
coverage = "*"
[tool.uv]
dev-dependencies = ["mypy"]
"""


@pytest.mark.parametrize(
    ("path", "before", "after", "new"),
    [
        ("pyproject.toml", "", PYPROJECT, "Flask attrs coverage hatchling httpx mypy pytest rich"),
        ("pyproject.toml", PYPROJECT, PYPROJECT.replace("attrs", "Attrs"), ""),
        ("package.json", '{"dependencies": {"a": "1"}}', '{"devDependencies": {"a": "1", "@b/c": "2"}}', "@b/c"),
        ("web/package.json", "{}", '{"peerDependencies": {"react": "19"}}', "react"),
        ("Cargo.toml", "[dependencies]\na = '1'", "[dependencies]\na = '2'\nb = '1'", "b"),
        ("Cargo.toml", "", "[target.'cfg(unix)'.dev-dependencies]\nc = '1'\n[workspace.dependencies]\nd = '1'", "c d"),
        (
            "go.mod",
            "module m\nrequire a.b/c v1.0.0\n",
            "module m\nrequire (\n\ta.b/c v1.0.0\n\td.e/f/v2 v2.1.0\n)\n",
            "d.e/f/v2",
        ),
        ("requirements.txt", "a==1\n", "a==2\n# b\n-r more.txt\nc_d>=1 ; x\n\nE\n", "E c_d"),
        ("requirements/dev.txt", "", "pytest\n", "pytest"),
        ("requirements-dev.in", "", "pytest~=8\n", "pytest"),
        ("Pipfile", "", "[packages]\na = '*'\n[dev-packages]\nb = '*'", "a b"),
        ("setup.py", "", "install_requires=['a']", ""),
        ("notes.json", "{}", '{"dependencies": {"a": "1"}}', ""),
    ],
)
def test_packages_that_are_asked_for_anew(path, before, after, new):
    assert new_dependencies(changed_file(path, before, after)) == tuple(new.split())


def test_a_new_manifest_asks_for_all_its_packages():
    assert new_dependencies(changed_file("go.mod", None, "require a.b/c v1.0.0\n")) == ("a.b/c",)


@pytest.mark.parametrize("after", ['{"dependencies": {', "[]", '{"dependencies": ["a"]}', "[" * 100_000])
def test_a_manifest_that_cannot_be_read_names_nothing(after):
    assert new_dependencies(changed_file("package.json", "{}", after)) == ()


def test_a_text_that_is_not_known_says_nothing_about_what_is_new():
    assert new_dependencies(FileChange("package.json", "modified", after='{"dependencies": {"a": "1"}}')) == ()
    assert changed_sections(FileChange("package.json", "modified", after='{"scripts": {}}')) is None


@pytest.mark.parametrize(
    ("path", "before", "after", "sections"),
    [
        ("package.json", '{"scripts": {"a": "b"}, "x": 1}', '{"scripts": {"a": "c"}, "x": 1}', {"scripts"}),
        ("pyproject.toml", "[tool.ruff]\na=1\n[tool.mypy]\nb=1", "[tool.ruff]\na=2\n[tool.mypy]\nb=1", {"tool.ruff"}),
        ("pyproject.toml", "[project]\nname='a'", "[project]\nname='b'", {"project"}),
        ("Cargo.toml", "", "[workspace.lints.rust]\na='deny'", {"workspace.lints"}),
        ("setup.cfg", "[flake8]\nmax=1\n[metadata]\na=1", "[flake8]\nmax=2\n[metadata]\n# c\na=1", {"flake8"}),
    ],
)
def test_only_sections_that_differ_are_named(path, before, after, sections):
    assert changed_sections(changed_file(path, before, after)) == sections


def test_sections_of_what_cannot_be_read_are_unknown():
    assert changed_sections(changed_file("pyproject.toml", "", "[tool")) is None
    assert changed_sections(changed_file("other.toml", "", "a=1")) is None
