import os
from pathlib import Path

import pytest

from verify_lsp.settings.options import Options, read_options
from verify_lsp.settings.resolve import protected_paths_in, resolve_settings, workspace_options
from verify_lsp.settings.settings import Settings


def resolve(workspace: Path, editor: dict | None = None, *, trusted: bool = True):
    return resolve_settings(workspace, read_options(editor, "editor"), trusted=trusted)


@pytest.fixture
def own(tmp_path):
    """Write the workspace's verify.toml."""
    return (tmp_path / "verify.toml").write_text


@pytest.fixture
def shared(tmp_path):
    """Write the workspace's pyproject.toml."""
    return (tmp_path / "pyproject.toml").write_text


def test_without_a_word_the_defaults_hold(tmp_path):
    resolved = resolve(tmp_path)
    assert resolved.settings == Settings()
    assert resolved.problems == ()


def test_the_editor_wins_over_the_workspace_and_both_over_the_defaults(tmp_path, own):
    own("timeoutSecs = 20\nrunTests = false\n")
    settings = resolve(tmp_path, {"timeoutSecs": 10}).settings
    assert (settings.timeout_secs, settings.run_tests, settings.mutation_max_mutants) == (10, False, 12)


def test_an_editor_that_says_the_default_wins_too(tmp_path, own):
    own("runTests = false\ninline.onSave = false\n")
    settings = resolve(tmp_path, {"runTests": True, "inline": {"onSave": True}}).settings
    assert settings == Settings()


def test_a_null_of_the_editor_leaves_the_word_to_the_workspace(tmp_path, own):
    own("timeoutSecs = 20\n")
    assert resolve(tmp_path, {"timeoutSecs": None}).settings.timeout_secs == 20


def test_a_wrong_value_of_the_editor_leaves_the_word_to_the_workspace(tmp_path, own):
    own("timeoutSecs = 20\n")
    resolved = resolve(tmp_path, {"timeoutSecs": "10"})
    assert resolved.settings.timeout_secs == 20
    assert resolved.problems == ("editor: setting 'timeoutSecs': expected a whole number, got a string",)


def test_wrong_values_of_both_are_named(tmp_path, own):
    own("timeoutSecs = 'x'\ninvented = 1\n")
    problems = resolve(tmp_path, {"trace": "loud"}).problems
    assert [problem.split(":")[0] for problem in problems] == ["verify.toml", "verify.toml", "editor"]


def test_the_own_file_wins_over_the_shared_one_as_a_whole(tmp_path, own, shared):
    shared("[tool.verify-lsp]\ntimeoutSecs = 20\nrunTests = false\n")
    assert resolve(tmp_path).settings.timeout_secs == 20
    own("timeoutSecs = 30\n")
    settings = resolve(tmp_path).settings
    assert (settings.timeout_secs, settings.run_tests) == (30, True)


def test_groups_may_be_tables(tmp_path, shared):
    shared("[tool.verify-lsp.inline]\nonChange = false\n[tool.verify-lsp.rules]\npy-eval = 'off'\n")
    settings = resolve(tmp_path).settings
    assert not settings.inline_on_change
    assert settings.rules == {"py-eval": "off"}


COMMANDS = """
testCommand = "make test"
preTestCommand = "make build"
projectCheckCommand = "make check"
timeoutSecs = 20
[registries]
python = "https://packages.example/simple"
"""


def test_commands_and_addresses_of_a_file_are_ignored_until_trust_and_said_so(tmp_path, own):
    own(COMMANDS)
    resolved = resolve(tmp_path, trusted=False)
    assert resolved.settings == Settings(timeout_secs=20)
    (problem,) = resolved.problems
    assert problem.startswith("ignored until this workspace is trusted: ")
    for key in ("testCommand", "preTestCommand", "projectCheckCommand", "registries"):
        assert key in problem


def test_commands_and_addresses_of_a_file_hold_in_a_trusted_workspace(tmp_path, shared):
    shared("[tool.verify-lsp]\n" + COMMANDS.replace("[registries]", "[tool.verify-lsp.registries]"))
    resolved = resolve(tmp_path, trusted=True)
    assert resolved.problems == ()
    assert resolved.settings.test_command == "make test"
    assert resolved.settings.registries == {"python": "https://packages.example/simple"}


def test_the_editors_commands_hold_without_trust_because_the_user_gave_them(tmp_path, own):
    own('testCommand = "make evil"\n')
    resolved = resolve(tmp_path, {"testCommand": "make test"}, trusted=False)
    assert resolved.settings.test_command == "make test"


def test_each_folder_has_its_own_settings_in_either_order(tmp_path):
    for name, text in (("a", "rules = {py-eval = 'off'}"), ("b", "")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "verify.toml").write_text(text)
    for names in (("a", "b"), ("b", "a")):
        rules = {name: resolve(tmp_path / name).settings.rules for name in names}
        assert rules == {"a": {"py-eval": "off"}, "b": {}}


def test_a_changed_file_holds_at_once(tmp_path, own):
    own("timeoutSecs = 20\n")
    assert resolve(tmp_path).settings.timeout_secs == 20
    own("timeoutSecs = 40\n")
    assert resolve(tmp_path).settings.timeout_secs == 40
    (tmp_path / "verify.toml").unlink()
    assert resolve(tmp_path).settings.timeout_secs == 300


def test_a_nested_folder_takes_nothing_from_the_folder_around_it(tmp_path):
    inner = tmp_path / "services/api"
    inner.mkdir(parents=True)
    (tmp_path / "verify.toml").write_text('testCommand = "outer"\nexclude = ["services"]\n')
    (inner / "verify.toml").write_text('testCommand = "inner"\n')
    assert resolve(inner).settings == Settings(test_command="inner")
    assert resolve(tmp_path).settings == Settings(test_command="outer", exclude=("services",))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"timeoutSecs = ", "Invalid value"),
        (b"a = 1\na = 2\n", "Cannot overwrite"),
        (b"\xff", "it is not UTF-8"),
        ("timeoutSecs = 1".encode("utf-16"), "it is not UTF-8"),
        (b"a = " + b"[" * 50_000, "it is nested too deeply"),
        (b"\x00", "Invalid statement"),
    ],
)
@pytest.mark.parametrize("name", ["verify.toml", "pyproject.toml"])
def test_a_file_that_cannot_be_read_is_said_so_and_the_editors_word_holds(tmp_path, name, content, why):
    (tmp_path / name).write_bytes(content)
    resolved = resolve(tmp_path, {"runTests": False})
    assert resolved.settings == Settings(run_tests=False)
    (problem,) = resolved.problems
    assert problem.startswith(f"{name} cannot be read: ")
    assert why in problem
    assert problem.isprintable()


def test_a_broken_own_file_does_not_hand_over_to_the_shared_one(tmp_path, own, shared):
    shared("[tool.verify-lsp]\nrunTests = false\n")
    own("runTests = ")
    assert resolve(tmp_path).settings == Settings()


def test_a_byte_order_mark_and_carriage_returns_are_no_trouble(tmp_path):
    (tmp_path / "verify.toml").write_bytes(b"\xef\xbb\xbftimeoutSecs = 20\r\nrunTests = false\r\n")
    assert resolve(tmp_path).settings == Settings(timeout_secs=20, run_tests=False)


def test_a_folder_or_pipe_in_place_of_a_file_is_said_so_and_not_waited_for(tmp_path):
    (tmp_path / "verify.toml").mkdir()
    os.mkfifo(tmp_path / "pipe")
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "verify.toml").symlink_to(tmp_path / "pipe")
    for workspace in (tmp_path, inner):
        (problem,) = resolve(workspace).problems
        assert problem == f"cannot read {workspace}/verify.toml: it is not a file"


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "verify.toml").open("wb") as file:
        file.truncate(10**9)
    (problem,) = resolve(tmp_path).problems
    assert "it is larger than" in problem


@pytest.mark.parametrize(
    "text", ["tool = 1", "tool = [1]", "[[tool]]\nx = 1", "[tool]\nother = 1", "[project]\nname = 'x'"]
)
def test_a_shared_file_that_says_nothing_of_us_is_no_problem(tmp_path, shared, text):
    shared(text)
    assert workspace_options(tmp_path) == Options()


@pytest.mark.parametrize("value", ["1", "[1]", "'x'", "true"])
def test_a_shared_file_whose_table_is_none_is_said_so(tmp_path, shared, value):
    shared(f"[tool]\nverify-lsp = {value}\n")
    (problem,) = workspace_options(tmp_path).problems
    assert problem.startswith("pyproject.toml: expected an object with settings, got ")


def test_protected_paths_are_read_from_a_files_text():
    assert protected_paths_in("verify.toml", "protectedPaths = ['billing/**']\n") == ("billing/**",)
    assert protected_paths_in("pyproject.toml", "[tool.verify-lsp]\nprotectedPaths = ['a']\n") == ("a",)


@pytest.mark.parametrize(
    "text", ["", "x", "protectedPaths = 1", "tool = 1", "tool.verify-lsp = 1", "a = " + "[" * 50_000]
)
@pytest.mark.parametrize("name", ["verify.toml", "pyproject.toml"])
def test_a_text_without_protected_paths_has_none(name, text):
    assert protected_paths_in(name, text) == ()
