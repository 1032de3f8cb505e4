import pytest

from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.node.testing.script import plain_script, runs_script


def words(line, tmp_path, **others):
    script = plain_script({"test": line, **others}, "test", tmp_path)
    return None if script is None else script.words


@pytest.mark.parametrize(
    "line",
    [
        "vitest run && tsd",
        "npm run build; mocha",
        "mocha || true",
        "mocha | tee out.txt",
        "mocha > out.txt",
        "mocha $FILES",
        "mocha `ls`",
        'mocha "$(ls)"',
        "mocha test/{a,b}.js",
        "(cd web; jest)",
        "mocha &",
        "mocha 'open",
        "jest\nmocha",
        "",
    ],
)
def test_what_needs_a_shell_is_not_plain(line, tmp_path):
    assert words(line, tmp_path) is None


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("vitest run", ("vitest", "run")),
        ("  jest   --ci ", ("jest", "--ci")),
        ("mocha 'a b' \"c d\" e\\ f", ("mocha", "a b", "c d", "e f")),
        ('mocha --grep "a\\.b"', ("mocha", "--grep", "a\\.b")),
        ("mocha ''", ("mocha", "")),
        ("npx vitest", ("vitest",)),
        ("npx --no-install jest --ci", ("jest", "--ci")),
        ("pnpm exec vitest", ("vitest",)),
    ],
)
def test_words_are_those_of_a_shell(line, expected, tmp_path):
    assert words(line, tmp_path) == expected


def test_variables_in_front_are_kept_apart(tmp_path):
    script = plain_script({"test": "cross-env NODE_ENV=test TZ=UTC jest --ci"}, "test", tmp_path)
    assert script is not None
    assert (script.env, script.words) == ({"NODE_ENV": "test", "TZ": "UTC"}, ("jest", "--ci"))


def test_a_script_cannot_bring_watch_mode_back_by_ci_false(tmp_path):
    script = plain_script({"test": "CI=false react-scripts test"}, "test", tmp_path)
    assert script is not None
    assert script.env == {}


@pytest.mark.parametrize(
    "line", ["npm run unit", "npm run -s unit", "pnpm unit", "yarn run unit", "bun run unit", "node --run unit"]
)
def test_a_script_that_runs_another_stands_for_it(line, tmp_path):
    assert words(line, tmp_path, unit="vitest run") == ("vitest", "run")


def test_a_script_with_arguments_for_another_is_left_to_its_manager(tmp_path):
    assert words("npm run unit -- --ci", tmp_path, unit="jest") == ("npm", "run", "unit", "--", "--ci")


def test_a_script_whose_other_has_a_script_before_it_is_not_plain(tmp_path):
    assert words("npm run unit", tmp_path, unit="jest", preunit="make") is None


def test_scripts_that_run_each_other_end(tmp_path):
    assert words("npm run other", tmp_path, other="npm test") is None


def test_globs_are_expanded_as_a_shell_does(tmp_path):
    laid_out(tmp_path, {"test/a.js": "", "test/b.js": "", "test/deep/c.js": "", "test/.d.js": ""})
    assert words("node --test test/*.js", tmp_path) == ("node", "--test", "test/a.js", "test/b.js")
    assert words("node --test test/**/*.js", tmp_path) == ("node", "--test", "test/deep/c.js")
    assert words("mocha 'test/*.js' other/*.js", tmp_path) == ("mocha", "test/*.js", "other/*.js")


@pytest.mark.parametrize("line", ["npm test", "npm t", "npm  run test", "yarn test", "pnpm run test", "bun run test"])
def test_a_line_that_only_runs_a_script_stands_for_it(line):
    assert runs_script(line, "test")
    assert not runs_script(line, "unit")


@pytest.mark.parametrize("line", ["npm test -- -x", "bun test", "npm test && x", "npx test", "test"])
def test_a_line_that_does_more_or_something_else_does_not(line):
    assert not runs_script(line, "test")
