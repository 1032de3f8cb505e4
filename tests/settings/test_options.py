import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.model_strategies import values_of
from verify_lsp.settings.options import FIELDS, NEEDS_TRUST, Options, read_options
from verify_lsp.settings.settings import Settings, public_settings

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def test_the_public_names_are_those_of_the_contract():
    assert set(FIELDS) == {
        *("autoRunAfterTurn", "runTests", "mutationTesting", "mutationMaxMutants", "dependencyGrounding"),
        *("securityRules", "projectCheckCommand", "testCommand", "preTestCommand", "timeoutSecs"),
        *("blockMergeOnFail", "useSemgrepIfAvailable", "privacyMode", "checks", "inline.onSave", "inline.onChange"),
        *("exclude", "protectedPaths", "rules", "registries", "trace", "base"),
    }


def test_the_defaults_are_those_of_the_contract():
    settings = Settings()
    assert (settings.timeout_secs, settings.mutation_max_mutants) == (300, 12)
    assert settings.auto_run_after_turn
    assert settings.run_tests
    assert not settings.block_merge_on_fail
    assert not settings.privacy_mode
    assert len(settings.checks) == 8


def test_every_setting_that_names_a_command_or_an_address_needs_trust():
    assert sorted(NEEDS_TRUST) == ["preTestCommand", "projectCheckCommand", "registries", "testCommand"]


def test_no_two_resolved_settings_share_a_value_that_can_change():
    assert Settings().rules is not Settings().rules


def test_what_is_said_is_kept_under_the_names_of_the_settings():
    options = read_options({"runTests": False, "timeoutSecs": 60, "exclude": ["dist/**"]}, "editor")
    assert options == Options({"run_tests": False, "timeout_secs": 60, "exclude": ("dist/**",)})


@given(values_of(Settings))
def test_every_setting_can_be_said_by_its_public_name(settings):
    said = public_settings(settings)
    options = read_options(said, "editor")
    spoiled = {problem.split("'")[1] for problem in options.problems}
    assert spoiled <= {"timeoutSecs", "mutationMaxMutants"}, "only numbers out of their range are refused"
    for field in attrs.fields(Settings):
        value = getattr(settings, field.name)
        if field.name in options.values:
            assert options.values[field.name] == value
        else:
            assert field.metadata["key"] in spoiled or value is None or not value.strip()


@pytest.mark.parametrize("data", [{"inline": {"onSave": False}}, {"inline.onSave": False}])
def test_a_group_may_be_nested_or_dotted(data):
    assert read_options(data, "editor") == Options({"inline_on_save": False})


def test_a_null_means_not_said():
    said = {"testCommand": None, "inline": {"onSave": None}, "checks": None, "timeoutSecs": None, "base": None}
    assert read_options(said, "editor") == Options()
    assert read_options(None, "editor") == Options()


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
@pytest.mark.parametrize("key", ["testCommand", "preTestCommand", "projectCheckCommand", "base"])
def test_a_blank_command_means_not_said_because_the_shell_would_call_it_a_success(key, blank):
    assert read_options({key: blank}, "editor") == Options()


def test_a_command_is_kept_letter_by_letter():
    assert read_options({"testCommand": " make test "}, "editor").values == {"test_command": " make test "}


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("runTests", "yes", "expected true or false, got a string"),
        ("runTests", 1, "expected true or false, got a number"),
        ("timeoutSecs", "60", "expected a whole number, got a string"),
        ("timeoutSecs", 1.5, "expected a whole number, got a number"),
        ("timeoutSecs", True, "expected a whole number, got true or false"),
        ("timeoutSecs", 0, "expected a whole number from 1 to 86400"),
        ("timeoutSecs", -1, "expected a whole number from 1 to 86400"),
        ("timeoutSecs", 10**400, "expected a whole number from 1 to 86400"),
        ("mutationMaxMutants", 0, "expected a whole number from 1 to 1000"),
        ("testCommand", ["pytest"], "expected a string, got a list"),
        ("checks", "tests", "expected a list, got a string"),
        ("checks", ["tests", "spelling"], "'spelling' is not one of"),
        ("exclude", {"dist": True}, "expected a list, got an object"),
        ("exclude", ["a", 1], "expected a string, got a number"),
        ("rules", {"py-eval": "loud"}, "'loud' is not one of off, critical, high, medium, low, info"),
        ("rules", ["py-eval"], "expected an object, got a list"),
        ("registries", {"python": 1}, "expected a string, got a number"),
        ("trace", "loud", "'loud' is not one of off, messages, verbose"),
        ("inline.onSave", "no", "expected true or false, got a string"),
        ("inline", True, "unknown setting 'inline'"),
    ],
)
def test_a_wrong_value_is_named_with_its_source_and_setting_and_left_out(key, value, problem):
    options = read_options({key: value}, "verify.toml")
    assert options.values == {}
    (said,) = options.problems
    assert said.startswith("verify.toml: ")
    assert f"{key!r}" in said
    assert problem in said


def test_a_wrong_value_spoils_no_other():
    options = read_options(
        {"runTests": "yes", "timeoutSecs": 60, "invented": 1, "inline": {"onSave": 3, "x": 1}}, "editor"
    )
    assert options.values == {"timeout_secs": 60}
    assert [problem.split("'")[1] for problem in options.problems] == [
        "runTests",
        "invented",
        "inline.onSave",
        "inline.x",
    ]


@pytest.mark.parametrize(
    ("data", "kind"), [([], "a list"), ("x", "a string"), (True, "true or false"), (3, "a number")]
)
def test_what_is_no_object_is_one_problem(data, kind):
    assert read_options(data, "editor") == Options(problems=(f"editor: expected an object with settings, got {kind}",))


def test_an_invented_key_cannot_flood_the_terminal_nor_paint_it():
    (problem,) = read_options({"\x1b[31m" + "x" * 10_000: 1}, "verify.toml").problems
    assert problem.isprintable()
    assert len(problem) < 200


@given(JSON)
def test_nothing_an_editor_sends_is_too_much(data):
    options = read_options(data, "editor")
    Settings(**options.values)


def test_options_can_be_taken_less_some_and_asked_for_some():
    options = read_options({"testCommand": "x", "registries": {"python": "y"}, "runTests": False}, "editor")
    assert options.given(NEEDS_TRUST) == ("registries", "testCommand")
    assert options.without(NEEDS_TRUST).values == {"run_tests": False}
    assert options.without(NEEDS_TRUST).given(NEEDS_TRUST) == ()
