"""The environment that child processes start with: what a person's shell would give them, less what steers them astray."""

import functools
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from verify_lsp.system.process_table import MARK_VARIABLE


def child_environment(*, offline: bool = False, source: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables for a child process, made from `source` (the environment of this process when None).

    Whatever an editor, a package manager, a hook or a test runner around us left for its own children is
    taken out; what tools need to run quietly and in the same way everywhere is put in. The caller adds the
    virtual environment of a project, where it chooses one.

    Args:
        offline: Tell the package managers that there is no network.
        source: For callers that hold the environment of somebody else.
    """
    given = dict(os.environ if source is None else source)
    kept = {name: value for name, value in given.items() if not _steers(name)}
    kept["PATH"] = _clean_path(given.get("PATH", os.defpath))
    kept.update(_plain_locale(given))
    kept.update(_QUIET)
    if offline:
        kept.update(_OFFLINE)
    kept[MARK_VARIABLE] = _with_mark(given.get(MARK_VARIABLE, ""), process_mark())
    return kept


def search_path() -> str:
    """Return the PATH that a child process searches."""
    return child_environment()["PATH"]


@functools.cache
def process_mark() -> str:
    """Return the mark of this process: random, so that no other process ever bears it."""
    return os.urandom(8).hex()


def marked(environment: Mapping[str, str], suffix: str) -> tuple[dict[str, str], str]:
    """Return `environment` for one command, and the mark by which the command's processes are known."""
    mark = f"{process_mark()}.{suffix}"
    chain = [part for part in environment.get(MARK_VARIABLE, "").split(":") if part and part != process_mark()]
    return {**environment, MARK_VARIABLE: ":".join([*chain, mark])}, mark


@functools.lru_cache(maxsize=4096)
def _steers(name: str) -> bool:
    return _STEERS.fullmatch(name) is not None


def _with_mark(chain: str, mark: str) -> str:
    """A verify-lsp that runs inside another's tests keeps the outer mark, so that the outer one finds its children."""
    return ":".join([*filter(None, chain.split(":")), mark])


@functools.lru_cache(maxsize=16)
def _clean_path(path: str) -> str:
    """Leave out what would find programs in the working folder, and put our own environment last.

    Our own `python` and `pytest` must not pass for the project's. They stay within reach, because someone
    who installed verify-lsp beside the project's tools has no others.
    """
    folders = [folder for folder in dict.fromkeys(path.split(os.pathsep)) if Path(folder).is_absolute()]
    ours = _own_programs()
    return os.pathsep.join(sorted(folders, key=lambda folder: ours is not None and os.path.realpath(folder) == ours))


def _own_programs() -> str | None:
    """Return the programs' folder of the virtual environment that we run in, or None outside of one."""
    if sys.prefix == sys.base_prefix:
        return None
    return os.path.realpath(Path(sys.prefix, "Scripts" if os.name == "nt" else "bin"))


def _plain_locale(given: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Messages are English, because parsers read them; characters and sorting stay as the user has them."""
    overall = given.get("LC_ALL")
    if overall:
        yield "LANG", overall
        yield from ((name, overall) for name in given if name.startswith("LC_") and name != "LC_ALL")
    elif not any(given.get(name) for name in ("LANG", "LC_CTYPE")):
        yield "LANG", "C.UTF-8"
    yield "LC_MESSAGES", "C"


_STEERING = (
    "GIT_.*|SSH_ASKPASS|SSH_ASKPASS_REQUIRE",
    # Python: other modules, other warnings, a debugger, another interpreter's folders.
    r"PYTHON[A-Z0-9]+|PYTHON_COLORS|__PYVENV_LAUNCHER__|VIRTUAL_ENV(_PROMPT)?|PYDEVD_.*|DEBUGPY_.*",
    r"PIPENV_ACTIVE|POETRY_ACTIVE|UV_RUN_RECURSION_DEPTH|MYPYPATH|MYPY_CACHE_DIR|RUFF_OUTPUT_.*",
    # Node: preloaded modules, a parent's channel, coverage, and the protocol of `node --test`.
    r"NODE_(OPTIONS|PATH|ENV|CHANNEL_FD|CHANNEL_SERIALIZATION_MODE|UNIQUE_ID|V8_COVERAGE|TEST_CONTEXT)",
    r"NODE_(DEBUG|INSPECT_RESUME_ON_START|PENDING_DEPRECATION|REDIRECT_WARNINGS)|BUN_OPTIONS",
    r"ELECTRON_.*|VSCODE_.*",
    # What npm, pnpm, yarn and cargo tell the scripts that they run.
    r"(?i:npm_lifecycle_.*|npm_package_.*|npm_command|npm_execpath|npm_node_execpath)",
    r"(?i:npm_config_(user_agent|local_prefix|global_prefix|prefix|noproxy|node_gyp|init_module|yes|json|color))",
    r"(?i:npm_config_(workspaces?|include_workspace_root|if_present|silent|loglevel))",
    r"INIT_CWD|PROJECT_CWD|BERRY_BIN_FOLDER|PNPM_SCRIPT_SRC_DIR|PNPM_PACKAGE_NAME|COREPACK_ROOT",
    r"CARGO|CARGO_(MANIFEST_(DIR|PATH|LINKS)|PKG_.*|BIN_.*|CRATE_NAME|PRIMARY_PACKAGE|TARGET_TMPDIR|MAKEFLAGS)",
    r"MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKELEVEL|MAKE_TERMOUT|MAKE_TERMERR",
    # Test runners around us.
    r"_?PYTEST_.*|COVERAGE_.*|COV_CORE_.*|TOX_.*|NOX_.*|NOXSESSION|HYPOTHESIS_.*|NOSE_.*|PY_COLORS",
    r"VITEST|VITEST_.*|JEST_WORKER_ID|MOCHA_.*|JEST_.*|NYC_.*|TEAMCITY_VERSION|RUST_TEST_.*|NEXTEST(_.*)?",
    # Colours and the size of somebody else's terminal.
    r"FORCE_COLOR|CLICOLOR.*|COLORTERM|MYPY_FORCE_COLOR|FORCE_HYPERLINK|COLUMNS|LINES|GREP_OPTIONS",
    # Where the shell stood, where `cd` would go instead, and words in the user's language.
    "PWD|OLDPWD|CDPATH|LC_ALL|LANGUAGE",
)
_STEERS = re.compile("|".join(_STEERING))

_QUIET: Mapping[str, str] = {
    "CI": "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "DEBIAN_FRONTEND": "noninteractive",
    "DO_NOT_TRACK": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8",
    "PIP_NO_INPUT": "1",
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    "POETRY_NO_INTERACTION": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "SSH_ASKPASS_REQUIRE": "never",
    # Nothing is installed in order to verify: neither a tool (`npx`, corepack) nor a toolchain (go, rustup).
    "npm_config_yes": "false",
    "npm_config_update_notifier": "false",
    "npm_config_fund": "false",
    "npm_config_audit": "false",
    "NO_UPDATE_NOTIFIER": "1",
    "COREPACK_ENABLE_DOWNLOAD_PROMPT": "0",
    "NEXT_TELEMETRY_DISABLED": "1",
    "GOTOOLCHAIN": "local",
    "RUSTUP_AUTO_INSTALL": "0",
    "CARGO_TERM_COLOR": "never",
    "CARGO_TERM_PROGRESS_WHEN": "never",
    # semgrep waits for the network by the minute unless both are off.
    "SEMGREP_SEND_METRICS": "off",
    "SEMGREP_ENABLE_VERSION_CHECK": "0",
}

_OFFLINE: Mapping[str, str] = {
    "PIP_NO_INDEX": "1",
    "UV_OFFLINE": "1",
    "npm_config_offline": "true",
    "YARN_ENABLE_NETWORK": "0",
    "COREPACK_ENABLE_NETWORK": "0",
    "CARGO_NET_OFFLINE": "true",
    # GOFLAGS stays the user's: `-mod=vendor` in it is a build that works offline. Private modules would pass
    # by GOPROXY, so that they are sent through it, and version control is shut for good measure.
    "GOPROXY": "off",
    "GONOPROXY": "none",
    "GOVCS": "*:off",
}
