import os
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.toolchains.base import Absent
from verify_lsp.toolchains.go.module import go_environment, module_path, package_folder, reading_flags
from verify_lsp.toolchains.go.tools import TOOLS

MOD = "module example.test/m\n\ngo 1.21\n"


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("main.go", "."),
        ("cmd/tool/main.go", "."),
        ("api/v1/v1.go", "api"),
        ("api/go.mod", "api"),
        ("vendor/dep.test/x/x.go", "."),
        ("vendor/dep.test/x/go.mod", "."),
        ("testdata/mod/a.go", "."),
        ("api/testdata/mod/a.go", "api"),
        ("_examples/e.go", "_examples"),
    ],
)
def test_a_file_belongs_to_the_nearest_module(tmp_path: Path, path: str, root: str) -> None:
    modules = (".", "api", "vendor/dep.test/x", "testdata/mod", "api/testdata/mod", "_examples")
    laid_out(tmp_path, {f"{folder}/go.mod": MOD for folder in modules})
    assert TOOLS.root_of(tmp_path, path) == root


def test_a_file_outside_of_every_module_has_no_root(tmp_path: Path) -> None:
    laid_out(tmp_path, {"api/go.mod": MOD, "tools/t.go": "package tools\n"})
    assert TOOLS.root_of(tmp_path, "tools/t.go") is None


def test_a_module_that_is_only_test_data_is_no_project(tmp_path: Path) -> None:
    laid_out(tmp_path, {"testdata/mod/go.mod": MOD})
    assert TOOLS.root_of(tmp_path, "testdata/mod/a.go") is None


def test_a_go_mod_above_the_workspace_is_not_looked_for(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "inner/a.go": "package a\n"})
    assert TOOLS.root_of(tmp_path / "inner", "a.go") is None


def test_import_paths_become_folders_of_the_module(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": '// first\nmodule "example.test/m" // why\n'})
    module = module_path(tmp_path)
    assert module == "example.test/m"
    assert package_folder("example.test/m", module) == "."
    assert package_folder("example.test/m/a/b", module) == "a/b"
    assert package_folder("example.test/more", module) is None


def test_a_module_that_go_work_lists_is_used_with_it(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.work": 'go 1.21\n\nuse (\n\t./a // first\n\t"./b"\n)\nuse ./c\n'})
    for name in ("a", "b", "c", "d"):
        laid_out(tmp_path, {f"{name}/go.mod": MOD})
    alone = {name: go_environment(project_in(tmp_path, root=name)).get("GOWORK") for name in ("a", "b", "c", "d")}
    assert alone == {"a": None, "b": None, "c": None, "d": "off"}


def test_no_toolchain_is_downloaded(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": "module m\n\ngo 1.999\n"})
    assert go_environment(project_in(tmp_path))["GOTOOLCHAIN"] == "local"


def test_a_toolchain_that_was_fetched_before_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOMODCACHE", str(tmp_path / "modules"))
    monkeypatch.setenv("GOOS", "linux")
    monkeypatch.setenv("GOARCH", "amd64")
    laid_out(tmp_path, {"m/go.mod": "module m\n\ngo 1.998\n\ntoolchain go1.999.3\n"})
    project = project_in(tmp_path, root="m")
    assert go_environment(project)["GOTOOLCHAIN"] == "local"
    laid_out(tmp_path, {"modules/golang.org/toolchain@v0.0.1-go1.999.3.linux-amd64/VERSION": "go1.999.3\n"})
    assert go_environment(project)["GOTOOLCHAIN"] == "go1.999.3"


def test_an_older_version_asked_for_is_served_by_the_installed_one(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": "module m\n\ngo 1.21\n\ntoolchain go1.21.4\n"})
    assert go_environment(project_in(tmp_path))["GOTOOLCHAIN"] == "local"


@pytest.mark.parametrize(("flags", "added"), [("", ()), ("-mod=vendor", ()), ("-v -mod=mod", ("-mod=readonly",))])
def test_go_mod_is_never_rewritten(monkeypatch: pytest.MonkeyPatch, flags: str, added: tuple[str, ...]) -> None:
    monkeypatch.setenv("GOFLAGS", flags)
    assert reading_flags() == added


def test_without_go_everything_stays_unverified(tmp_path: Path) -> None:
    laid_out(tmp_path, {"go.mod": MOD})
    project = project_in(tmp_path, path=str(tmp_path))
    for facet in (TOOLS.project_check, TOOLS.tests):
        assert facet(project, 10) == Absent("go is not installed", needless=False)
    assert TOOLS.language_server(project) == Absent("go is not installed", needless=False)


def test_gopls_is_found_where_go_install_puts_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out(tmp_path, {"go.mod": MOD, "bin/gopls": "#!/bin/sh\n"})
    (tmp_path / "bin" / "gopls").chmod(0o755)
    monkeypatch.setenv("GOPATH", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("GOBIN", raising=False)
    path = os.pathsep.join(
        folder for folder in os.environ["PATH"].split(os.pathsep) if not Path(folder, "gopls").exists()
    )
    assert isinstance(TOOLS.language_server(project_in(tmp_path, path=path)), Absent)
    monkeypatch.setenv("GOPATH", str(tmp_path))
    server = TOOLS.language_server(project_in(tmp_path, path=path))
    assert not isinstance(server, Absent)
    assert server.command.argv == (str(tmp_path / "bin" / "gopls"),)
    assert server.barrier is not None
    assert server.barrier("/w/a b.go") == ("gopls.diagnose_files", [{"Files": ["file:///w/a%20b.go"]}])
