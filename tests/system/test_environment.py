import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.processes import PROJECT_ROOT
from verify_lsp.system import environment as environment_module
from verify_lsp.system.environment import child_environment, marked, process_mark
from verify_lsp.system.process_table import MARK_VARIABLE


def made_of(**source: str) -> dict[str, str]:
    return child_environment(source={"PATH": "/usr/bin:/bin", **source})


@pytest.mark.parametrize(
    "name",
    [
        *("GIT_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "GIT_ASKPASS", "SSH_ASKPASS"),
        *("PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONWARNINGS", "PYTHONOPTIMIZE", "PYTHONINSPECT"),
        *("PYTHONBREAKPOINT", "PYTHONSAFEPATH", "PYTHON_COLORS", "__PYVENV_LAUNCHER__", "VIRTUAL_ENV"),
        *("VIRTUAL_ENV_PROMPT", "PYDEVD_USE_CYTHON", "MYPYPATH", "RUFF_OUTPUT_FORMAT"),
        *("NODE_OPTIONS", "NODE_PATH", "NODE_ENV", "NODE_CHANNEL_FD", "NODE_V8_COVERAGE", "NODE_TEST_CONTEXT"),
        *("ELECTRON_RUN_AS_NODE", "VSCODE_INSPECTOR_OPTIONS", "BUN_OPTIONS"),
        *("npm_lifecycle_event", "npm_package_name", "npm_execpath", "npm_command", "INIT_CWD"),
        *("npm_config_user_agent", "NPM_CONFIG_YES", "npm_config_json", "npm_config_workspace"),
        *("CARGO", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "CARGO_BIN_EXE_app", "MAKEFLAGS", "MAKELEVEL"),
        *("PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "_PYTEST_RAISE", "COVERAGE_PROCESS_START", "COV_CORE_SOURCE"),
        *("TOX_ENV_NAME", "NOX_CURRENT_SESSION", "JEST_WORKER_ID", "VITEST", "VITEST_POOL_ID", "TEAMCITY_VERSION"),
        *("RUST_TEST_THREADS", "HYPOTHESIS_PROFILE", "MOCHA_COLORS"),
        *("FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "MYPY_FORCE_COLOR", "COLORTERM", "COLUMNS", "LINES"),
        *("PWD", "OLDPWD", "CDPATH", "LANGUAGE", "LC_ALL"),
    ],
)
def test_what_others_left_for_their_own_children_does_not_steer_ours(name):
    assert name not in made_of(**{name: "steers"})


@pytest.mark.parametrize(
    "name",
    [
        *("HOME", "USER", "TMPDIR", "SSH_AUTH_SOCK", "DISPLAY", "XDG_CACHE_HOME", "LD_LIBRARY_PATH"),
        *("HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"),
        *("PIP_INDEX_URL", "UV_INDEX_URL", "npm_config_registry", "NPM_CONFIG_REGISTRY", "NPM_TOKEN", "GOPROXY"),
        *("GOPATH", "GOFLAGS", "GOPRIVATE", "CARGO_HOME", "CARGO_TARGET_DIR", "RUSTFLAGS", "RUSTUP_HOME"),
        *("CONDA_PREFIX", "PYENV_ROOT", "PYENV_VERSION", "NVM_DIR", "JAVA_HOME", "DATABASE_URL", "PYTHON"),
        *("PYTHON_KEYRING_BACKEND", "LC_COLLATE", "VERIFY_LSP_HOME", "GITHUB_TOKEN", "LEGIT_DIR"),
    ],
)
def test_what_the_user_set_up_for_the_project_is_kept(name):
    assert made_of(**{name: "as the user set it"})[name] == "as the user set it"


def test_tools_are_told_to_be_quiet_plain_and_alone():
    environment = made_of(CI="false", TERM="xterm-256color")
    assert environment["CI"] == "1"
    assert environment["TERM"] == "dumb"
    for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PIP_NO_INPUT"):
        assert environment[name] == "1"
    for name in ("GIT_TERMINAL_PROMPT", "GIT_OPTIONAL_LOCKS", "COREPACK_ENABLE_DOWNLOAD_PROMPT"):
        assert environment[name] == "0"
    assert environment["PYTHONIOENCODING"] == "utf-8"


def test_nothing_is_downloaded_in_order_to_verify():
    environment = made_of(GOTOOLCHAIN="auto")
    assert environment["GOTOOLCHAIN"] == "local"
    assert environment["npm_config_yes"] == "false"
    assert environment["RUSTUP_AUTO_INSTALL"] == "0"


def test_offline_is_told_to_each_package_manager_and_only_when_asked_for():
    source = {"PATH": "/bin", "GOFLAGS": "-mod=vendor", "GOPROXY": "https://proxy.example"}
    offline = child_environment(offline=True, source=source)
    online = child_environment(source=source)
    said = {name for name in offline if offline[name] != online.get(name)}
    assert said == {
        *("PIP_NO_INDEX", "UV_OFFLINE", "npm_config_offline", "YARN_ENABLE_NETWORK", "COREPACK_ENABLE_NETWORK"),
        *("CARGO_NET_OFFLINE", "GOPROXY", "GONOPROXY", "GOVCS"),
    }
    assert offline["GOPROXY"] == "off"
    assert offline["GOFLAGS"] == "-mod=vendor", "a vendored build works offline as it is"


def test_messages_are_english_and_characters_the_users():
    environment = made_of(LC_ALL="de_DE.UTF-8", LANG="fr_FR.UTF-8", LC_CTYPE="C", LC_MESSAGES="it_IT.UTF-8")
    assert environment["LC_MESSAGES"] == "C"
    assert environment["LANG"] == environment["LC_CTYPE"] == "de_DE.UTF-8"


def test_without_any_locale_text_is_utf_8():
    assert made_of()["LANG"] == "C.UTF-8"
    assert made_of(LANG="sv_SE.UTF-8")["LANG"] == "sv_SE.UTF-8"
    assert "LANG" not in made_of(LC_CTYPE="sv_SE.UTF-8")


def test_programs_are_never_searched_in_the_working_folder():
    path = child_environment(source={"PATH": ":/usr/bin:.:bin:./node_modules/.bin:/usr/bin:/bin:"})["PATH"]
    assert path == "/usr/bin:/bin"


def test_without_a_path_the_systems_own_folders_are_searched():
    assert child_environment(source={})["PATH"] == ":".join(
        folder for folder in os.defpath.split(":") if folder.startswith("/")
    )


@pytest.fixture
def own_programs(tmp_path, monkeypatch) -> Path:
    folder = tmp_path / "own/bin"
    folder.mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "own"))
    environment_module._clean_path.cache_clear()
    yield folder
    environment_module._clean_path.cache_clear()


def test_our_own_programs_do_not_stand_in_front_of_the_projects(own_programs, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(own_programs)
    path = child_environment(source={"PATH": f"{link}:{own_programs}:/usr/bin:/bin"})["PATH"]
    assert path == f"/usr/bin:/bin:{link}:{own_programs}"


def test_our_own_programs_are_not_added_where_they_were_not(own_programs):
    assert child_environment(source={"PATH": "/usr/bin:/bin"})["PATH"] == "/usr/bin:/bin"


def test_an_interpreter_that_the_user_shares_keeps_its_place(own_programs, monkeypatch):
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    assert child_environment(source={"PATH": f"{own_programs}:/usr/bin"})["PATH"] == f"{own_programs}:/usr/bin"


def test_our_own_environment_is_what_is_taken_when_none_is_given(monkeypatch):
    monkeypatch.setenv("OF_THE_USER", "1")
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    environment = child_environment()
    assert environment["OF_THE_USER"] == "1"
    assert "GIT_DIR" not in environment
    assert os.environ["GIT_DIR"] == "/nowhere"


def test_children_bear_the_mark_of_this_process():
    assert made_of()[MARK_VARIABLE] == process_mark()
    assert process_mark() == process_mark()


def test_another_process_has_another_mark():
    code = "from verify_lsp.system.environment import process_mark; print(process_mark())"
    others = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT_ROOT
        ).stdout.strip()
        for _ in range(2)
    }
    assert len({*others, process_mark()}) == 3


def test_a_command_has_a_mark_of_its_own():
    environment = made_of()
    one, mark = marked(environment, "1")
    assert one[MARK_VARIABLE] == mark == f"{process_mark()}.1"
    assert environment[MARK_VARIABLE] == process_mark(), "the given environment stays as it is"


def test_a_verify_lsp_inside_of_another_keeps_the_outer_mark():
    inner = made_of(**{MARK_VARIABLE: "outer.7"})
    assert inner[MARK_VARIABLE] == f"outer.7:{process_mark()}"
    assert marked(inner, "1")[0][MARK_VARIABLE] == f"outer.7:{process_mark()}.1"


def test_an_environment_without_a_mark_gets_one():
    assert marked({}, "1") == ({MARK_VARIABLE: f"{process_mark()}.1"}, f"{process_mark()}.1")
