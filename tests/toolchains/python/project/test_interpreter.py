import base64
import hashlib
import os
import sys
from pathlib import Path

import pytest

from tests.harness.python_projects import bare_project, copy_of
from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.python.project.interpreter import find_interpreter, import_folders


def environment(folder: Path, *packages: str, settings: str = "home = /nowhere\n", version: str = "3.12") -> Path:
    """Lay out what a virtual environment looks like from outside."""
    program = executable(folder / "bin/python")
    (folder / "pyvenv.cfg").write_text(settings)
    site = folder / f"lib/python{version}/site-packages"
    site.mkdir(parents=True)
    laid_out(site, {f"{name}.dist-info/METADATA": "" for name in packages})
    return program


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 9\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.mark.parametrize("name", [".venv", "venv", "env"])
def test_the_environment_in_the_project_comes_first(tmp_path, name):
    project = bare_project(tmp_path, {"api/pyproject.toml": ""}, root="api")
    expected = environment(project.workspace / "api" / name, "pytest-9.2.0")
    environment(project.workspace / ".venv")
    found = find_interpreter(project)
    assert found is not None
    assert (found.program, found.shown) == (expected, f"api/{name}/bin/python")
    assert found.version_of("pytest") == "9.2.0"
    assert not found.has("nose2")
    assert found.variables() == {"VIRTUAL_ENV": str(project.workspace / "api" / name)}


def test_a_monorepos_environment_at_the_top_serves_all_its_projects(tmp_path):
    project = bare_project(tmp_path, {"packages/a/pyproject.toml": "", "uv.lock": ""}, root="packages/a")
    expected = environment(project.workspace / ".venv")
    found = find_interpreter(project)
    assert found is not None
    assert found.program == expected


def test_an_environment_above_the_workspace_is_not_the_projects(tmp_path):
    environment(tmp_path / ".venv")
    project = bare_project(tmp_path, {"a.py": ""}, path="")
    assert find_interpreter(project) is None


def test_a_folder_named_env_without_python_is_no_environment(tmp_path):
    project = bare_project(tmp_path, {"env/settings.py": ""}, path="")
    assert find_interpreter(project) is None


def test_pdm_records_its_interpreter(tmp_path):
    program = environment(tmp_path / "elsewhere")
    project = bare_project(tmp_path, {"pyproject.toml": "", ".pdm-python": f"{program}\n"}, path="")
    found = find_interpreter(project)
    assert found is not None
    assert (found.program, found.shown) == (program, str(program))


@pytest.mark.parametrize("recorded", ["/bin/sh", "bin/python", "../python", ""])
def test_a_recorded_program_that_is_no_python_is_not_taken(tmp_path, recorded):
    project = bare_project(tmp_path, {"pyproject.toml": "", ".pdm-python": recorded}, path="")
    assert find_interpreter(project) is None


@pytest.mark.parametrize("settings", ["", '[virtualenvs]\npath = "{home}/elsewhere"\n'])
def test_poetrys_environment_is_found_by_its_name(tmp_path, home, settings):
    project = bare_project(tmp_path, {"pyproject.toml": '[tool.poetry]\nname = "My App"\n'}, path="")
    digest = base64.urlsafe_b64encode(hashlib.sha256(os.path.realpath(project.workspace).encode()).digest()).decode()[
        :8
    ]
    store = home / "elsewhere" if settings else home / ".cache/pypoetry/virtualenvs"
    if settings:
        laid_out(home, {".config/pypoetry/config.toml": settings.format(home=home)})
    expected = environment(store / f"my_app-{digest}-py3.12")
    environment(store / "my_app-AAAAAAAA-py3.12")
    found = find_interpreter(project)
    assert found is not None
    assert found.program == expected


def test_pipenvs_environment_is_found_by_its_name(tmp_path, home):
    project = bare_project(tmp_path, {"Pipfile": ""}, path="")
    file = f"{os.path.realpath(project.workspace)}/Pipfile"
    digest = base64.urlsafe_b64encode(hashlib.sha256(file.encode()).digest()).decode()[:8]
    expected = environment(home / f".local/share/virtualenvs/workspace-{digest}")
    found = find_interpreter(project)
    assert found is not None
    assert found.program == expected


def test_else_the_first_python_on_the_path_is_taken(tmp_path):
    first = executable(tmp_path / "one/python3")
    executable(tmp_path / "one/python")
    executable(tmp_path / "two/python3")
    project = bare_project(tmp_path, {}, path=f"relative:{tmp_path}/none:{tmp_path}/one:{tmp_path}/two")
    found = find_interpreter(project)
    assert found is not None
    assert (found.program, found.environment) == (first, None)


def test_what_cannot_be_looked_into_may_have_everything(tmp_path):
    executable(tmp_path / "shims/python3")
    found = find_interpreter(bare_project(tmp_path, {}, path=f"{tmp_path}/shims"))
    assert found is not None
    assert found.has("pytest")
    assert found.version_of("pytest") == ""


def test_our_own_environment_is_no_place_for_the_projects_tests(tmp_path):
    other = executable(tmp_path / "bin/python3")
    project = bare_project(tmp_path, {}, path=f"{sys.prefix}/bin:{tmp_path}/bin")
    found = find_interpreter(project)
    assert found is not None
    assert found.program == other


def test_our_own_environment_serves_where_there_is_no_other_python(tmp_path):
    found = find_interpreter(bare_project(tmp_path, {}, path=f"{sys.prefix}/bin"))
    assert found is not None
    assert found.program.parent.samefile(f"{sys.prefix}/bin")


@pytest.mark.parametrize(
    ("file", "wanted"),
    [("workspace/.python-version", "3.11.2"), ("workspace/.python-version", "3.11"), ("pyenv/version", "3.11.2")],
)
def test_behind_a_shim_stands_the_version_that_is_asked_for(tmp_path, file, wanted):
    executable(tmp_path / "pyenv/shims/python3")
    expected = executable(tmp_path / "pyenv/versions/3.11.2/bin/python")
    executable(tmp_path / "pyenv/versions/3.9.1/bin/python")
    project = bare_project(tmp_path, {}, path=f"{tmp_path}/pyenv/shims")
    laid_out(tmp_path, {"pyenv/version": "3.9.1\n", file: f"{wanted}  # why\n"})
    found = find_interpreter(project)
    assert found is not None
    assert found.program == expected


def test_a_version_file_cannot_name_a_program_elsewhere(tmp_path):
    shim = executable(tmp_path / "pyenv/shims/python3")
    (tmp_path / "pyenv/versions").mkdir()
    executable(tmp_path / "evil/bin/python")
    project = bare_project(tmp_path, {".python-version": "../../evil\n"}, path=f"{tmp_path}/pyenv/shims")
    found = find_interpreter(project)
    assert found is not None
    assert found.program == shim


@pytest.mark.parametrize(
    ("name", "installed", "version"),
    [
        ("pytest-9.2.0", "pytest", "9.2.0"),
        ("pytest_xdist-3.8.0", "pytest-xdist", "3.8.0"),
        ("Django-5.2.1", "django", "5.2.1"),
        ("ruamel.yaml-0.18", "ruamel-yaml", "0.18"),
        ("pytest_xdist-3.8.0", "pytest", None),
        ("mypy_extensions-1.0", "mypy", None),
    ],
)
def test_distributions_are_known_by_their_normalised_names(tmp_path, name, installed, version):
    project = bare_project(tmp_path, {})
    environment(project.workspace / ".venv", name)
    found = find_interpreter(project)
    assert found is not None
    assert found.version_of(installed) == version


def test_an_environment_that_sees_the_systems_packages_has_them(tmp_path):
    base = executable(tmp_path / "base/bin/python3.12")
    laid_out(tmp_path / "base/lib/python3.12/site-packages", {"pytest-8.0.dist-info/METADATA": ""})
    laid_out(tmp_path / "base/lib/python3.9/site-packages", {"nose2-1.0.dist-info/METADATA": ""})
    project = bare_project(tmp_path, {})
    for settings, expected in (("include-system-site-packages = true\n", "8.0"), ("home = x\n", None)):
        folder = project.workspace / ".venv"
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        (folder / "bin/python").unlink(missing_ok=True)
        (folder / "bin/python").symlink_to(base)
        (folder / "lib/python3.12/site-packages").mkdir(parents=True, exist_ok=True)
        (folder / "pyvenv.cfg").write_text(settings)
        found = find_interpreter(project)
        assert found is not None
        assert found.version_of("pytest") == expected
        assert not found.has("nose2")


def test_a_copy_imports_itself_in_place_of_everything_the_workspace_installed(tmp_path):
    project = bare_project(tmp_path, {"src/a/__init__.py": "", "libs/b/src/b.py": "", "c/x.py": ""})
    environment(project.workspace / ".venv")
    site = project.workspace / ".venv/lib/python3.12/site-packages"
    url = (project.workspace / "libs/b").as_uri()
    laid_out(
        site,
        {
            "b-1.dist-info/direct_url.json": f'{{"url": "{url}", "dir_info": {{"editable": true}}}}',
            "d-1.dist-info/direct_url.json": f'{{"url": "{url}", "dir_info": {{}}}}',
            "broken-1.dist-info/direct_url.json": "[",
            "c.pth": f"{project.workspace}/c\nimport something\n/elsewhere\n",
        },
    )
    copied = copy_of(project, {"src/a/__init__.py": "", "libs/b/src/b.py": "", "c/x.py": ""})
    found = find_interpreter(copied)
    assert found is not None
    place = copied.place
    assert import_folders(copied, found) == tuple(
        str(folder) for folder in (place, place / "src", place / "libs/b", place / "libs/b/src", place / "c")
    )
    assert import_folders(project, found) == ()
