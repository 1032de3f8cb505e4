import shutil
from pathlib import Path

import pytest

from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.toolchains.base import Absent
from verify_lsp.toolchains.rust.rustup import RustToolchain, chosen_toolchain, component, is_proxy
from verify_lsp.toolchains.rust.tools import TOOLS

PROGRAM = "#!/bin/sh\n"
STABLE = "toolchains/stable-x86_64-unknown-linux-gnu"


@pytest.fixture
def rustup_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "rustup-home"
    laid_out(home, {"settings.toml": 'default_toolchain = "stable"\n', f"{STABLE}/bin/cargo": PROGRAM})
    monkeypatch.setenv("RUSTUP_HOME", str(home))
    monkeypatch.delenv("RUSTUP_TOOLCHAIN", raising=False)
    return home


@pytest.fixture
def proxies(tmp_path: Path) -> Path:
    folder = laid_out(tmp_path / "bin", {"rustup": PROGRAM + "exit 1\n"})
    (folder / "rustup").chmod(0o755)
    for name in ("cargo", "rust-analyzer", "cargo-clippy"):
        (folder / name).symlink_to("rustup")
    return folder


def crate(folder: Path) -> Path:
    lock = 'version = 4\n\n[[package]]\nname = "m"\nversion = "0.1.0"\n'
    manifest = '[package]\nname = "m"\nversion = "0.1.0"\n'
    return laid_out(folder / "crate", {"Cargo.toml": manifest, "Cargo.lock": lock, "src/lib.rs": ""})


def test_links_and_copies_of_rustup_are_proxies(tmp_path: Path, proxies: Path) -> None:
    assert is_proxy(proxies / "rust-analyzer")
    copied = laid_out(
        tmp_path / "copied", {"rustup": PROGRAM + "exit 1\n", "cargo": PROGRAM + "exit 1\n", "other": PROGRAM}
    )
    assert is_proxy(copied / "cargo")
    assert not is_proxy(copied / "other")
    assert not is_proxy(laid_out(tmp_path / "alone", {"rust-analyzer": PROGRAM}) / "rust-analyzer")


def test_a_proxy_without_its_component_is_not_a_language_server(
    tmp_path: Path, rustup_home: Path, proxies: Path
) -> None:
    project = project_in(crate(tmp_path), path=str(proxies))
    assert TOOLS.language_server(project) == Absent("rust-analyzer is not installed", needless=False)


def test_the_component_itself_is_used_where_it_is(tmp_path: Path, rustup_home: Path, proxies: Path) -> None:
    real = rustup_home / STABLE / "bin" / "rust-analyzer"
    laid_out(rustup_home, {f"{STABLE}/bin/rust-analyzer": PROGRAM})
    real.chmod(0o755)
    project = project_in(crate(tmp_path), path=str(proxies))
    server = TOOLS.language_server(project)
    assert not isinstance(server, Absent)
    assert server.command.argv == (str(real),)
    settings = server.settings["rust-analyzer"]
    assert isinstance(settings, dict)
    assert settings["cargo"] == {"targetDir": str(project.cache / "rust-analyzer"), "extraArgs": ["--locked"]}
    assert settings["checkOnSave"] is False


def test_a_server_of_another_kind_on_the_path_is_used(tmp_path: Path, rustup_home: Path, proxies: Path) -> None:
    own = laid_out(tmp_path / "own", {"rust-analyzer": PROGRAM}) / "rust-analyzer"
    own.chmod(0o755)
    project = project_in(crate(tmp_path), path=f"{proxies}:{own.parent}")
    assert component(project, "rust-analyzer") == str(own)


def test_clippy_that_is_not_installed_is_needless_unless_configured(
    tmp_path: Path, rustup_home: Path, proxies: Path
) -> None:
    place = crate(tmp_path)
    project = project_in(place, "src/lib.rs", path=str(proxies))
    assert TOOLS.lint(project, 60) == Absent("clippy is not installed", needless=True)
    laid_out(place, {"clippy.toml": "msrv = '1.70'\n"})
    assert TOOLS.lint(project, 60) == Absent("clippy is not installed", needless=False)


def test_a_toolchain_that_the_project_names_and_is_not_here_stays_away(
    tmp_path: Path, rustup_home: Path, proxies: Path
) -> None:
    place = laid_out(crate(tmp_path), {"rust-toolchain.toml": '[toolchain]\nchannel = "1.60.0"\n'})
    absent = Absent("the Rust toolchain 1.60.0 is not installed", needless=False)
    project = project_in(place, path=str(proxies))
    for facet in (TOOLS.project_check, TOOLS.tests, TOOLS.lint):
        assert facet(project, 60) == absent


def test_the_nearest_name_of_a_toolchain_wins(
    tmp_path: Path, rustup_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = (
        laid_out(
            tmp_path / "w", {"rust-toolchain": "nightly\n", "in/rust-toolchain.toml": '[toolchain]\npath = "tc"\n'}
        )
        / "in"
    )
    laid_out(rustup_home, {"toolchains/nightly-aarch64-apple-darwin/bin/cargo": PROGRAM})
    laid_out(rustup_home, {"toolchains/nightly-2024-01-01-x86_64-unknown-linux-gnu/bin/cargo": PROGRAM})
    assert chosen_toolchain(tmp_path) == RustToolchain("stable", rustup_home / STABLE)
    assert chosen_toolchain(tmp_path / "w") == RustToolchain(
        "nightly", rustup_home / "toolchains/nightly-aarch64-apple-darwin"
    )
    assert chosen_toolchain(inner) == RustToolchain(str(inner.resolve() / "tc"), None)
    overrides = f'default_toolchain = "stable"\n[overrides]\n"{(tmp_path / "w").resolve()}" = "1.70.0"\n'
    laid_out(rustup_home, {"settings.toml": overrides})
    assert chosen_toolchain(tmp_path / "w") == RustToolchain("1.70.0", None)
    monkeypatch.setenv("RUSTUP_TOOLCHAIN", "stable")
    assert chosen_toolchain(inner) == RustToolchain("stable", rustup_home / STABLE)


def test_an_old_toolchain_is_not_given_flags_that_it_does_not_know(
    tmp_path: Path, rustup_home: Path, proxies: Path
) -> None:
    place = laid_out(crate(tmp_path), {"rust-toolchain": "1.70.0"})
    laid_out(rustup_home, {"toolchains/1.70.0-x86_64-unknown-linux-gnu/bin/cargo": PROGRAM})
    step = TOOLS.project_check(project_in(place, path=str(proxies)), 60)
    assert not isinstance(step, Absent)
    assert "--keep-going" not in step.command.argv
    assert not RustToolchain("stable", None).is_older_than(74)


def test_without_cargo_everything_stays_unverified(tmp_path: Path) -> None:
    project = project_in(crate(tmp_path), path=str(tmp_path))
    for facet in (TOOLS.project_check, TOOLS.tests, TOOLS.lint):
        assert facet(project, 60) == Absent("cargo is not installed", needless=False)
    assert TOOLS.language_server(project) == Absent("cargo is not installed", needless=False)


def test_the_machines_own_clippy_is_found(tmp_path: Path) -> None:
    found = component(project_in(tmp_path), "cargo-clippy")
    assert found is not None
    assert not is_proxy(Path(found))
    assert shutil.which(found) == found
