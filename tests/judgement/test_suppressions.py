"""Comments that say that a finding is meant."""

import pytest

from verify_lsp.judgement.suppressions import ignore_comment, split, suppressions_in, unused_problems
from verify_lsp.model.finding import Problem


def problem(line, rule="py-eval", end_line=None):
    return Problem(path="a.py", line=line, end_line=end_line, severity="high", rule=rule, message="m")


def told(text, *problems, path="a.py", security=False):
    return split(problems, suppressions_in(path, text), security=security)


def test_a_comment_at_the_end_of_the_line_suppresses_its_finding():
    result = told("eval(x)  # verify: ignore[py-eval] input is ours\n", problem(1))

    assert result.kept == ()
    assert result.suppressed == (problem(1),)
    assert result.unused == ()


def test_a_comment_alone_speaks_of_the_next_line_with_code():
    text = "# verify: ignore[py-eval] input is ours\n# it was checked above\n\neval(x)\n"

    assert told(text, problem(4)).suppressed == (problem(4),)


def test_a_comment_after_the_closing_parenthesis_speaks_of_the_whole_statement():
    text = "eval(\n    x,\n)  # verify: ignore[py-eval] input is ours\n"

    assert told(text, problem(1, end_line=3)).suppressed == (problem(1, end_line=3),)


def test_another_rule_is_not_suppressed_and_the_comment_is_unused():
    result = told("eval(x)  # verify: ignore[py-pickle] no\n", problem(1))

    assert result.kept == (problem(1),)
    assert [each.rules for each in result.unused] == [("py-pickle",)]


def test_several_rules_may_be_named_at_once():
    text = "eval(x)  # verify: ignore[py-pickle, py-eval] both\n"

    assert told(text, problem(1), problem(1, "py-pickle")).kept == ()


def test_the_text_of_a_string_is_no_comment():
    text = 'eval("# verify: ignore[py-eval] no", x)\n'

    assert suppressions_in("a.py", text) == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.json", '{"a": "# verify: ignore[r] no"}'),
        ("a.toml", 'a = "verify: ignore[r] no"'),
        ("a.txt", "how to write verify: ignore[r] no"),
        ("a.js", "const a = `// verify: ignore[r] no`;"),
    ],
)
def test_where_there_is_no_comment_nothing_is_suppressed(path, text):
    assert suppressions_in(path, text) == ()


def test_what_stands_two_lines_above_says_nothing():
    text = "# verify: ignore[py-eval] this\na = 1\neval(x)\n"

    assert told(text, problem(3)).kept == (problem(3),)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.js", "eval(x) // verify: ignore[r] why"),
        ("a.ts", "eval(x) /* verify: ignore[r] why */"),
        ("a.go", "f() // verify: ignore[r] why"),
        ("a.rs", "f(); // verify: ignore[r] why"),
        ("a.sh", "f # verify: ignore[r] why"),
        ("a.yaml", "a: b # verify: ignore[r] why"),
        ("a.tf", "a = 1 # verify: ignore[r] why"),
        ("Dockerfile", "FROM a # verify: ignore[r] why"),
        ("a.html", "<p> <!-- verify: ignore[r] why -->"),
        ("a.sql", "select 1 -- verify: ignore[r] why"),
    ],
)
def test_each_language_has_its_own_comments(path, line):
    found = suppressions_in(path, line)

    assert [(each.rules, each.reason, each.covers) for each in found] == [(("r",), "why", 1)]


@pytest.mark.parametrize("mark", ["# nosec", "# nosec B602", "# noqa: S602", "# noqa: E501, S602", "# gitleaks:allow"])
def test_other_tools_comments_count_for_security_findings_alone(mark):
    text = f"eval(x)  {mark}\n"

    assert told(text, problem(1), security=True).kept == ()
    assert told(text, problem(1)).kept == (problem(1),)
    assert told(text, security=True).unused == ()


def test_a_plain_noqa_says_nothing_about_security():
    assert told("eval(x)  # noqa: E501\n", problem(1), security=True).kept == (problem(1),)


def test_an_unused_suppression_of_a_known_rule_is_a_finding():
    unused = told("a = 1  # verify: ignore[py-eval, other] gone\n").unused

    found = unused_problems("a.py", unused, {"py-eval"}.__contains__)

    assert [(each.line, each.rule, each.severity) for each in found] == [(1, "unused-suppression", "low")]
    assert "py-eval" in found[0].message
    assert "other" not in found[0].message
    assert unused_problems("a.py", unused, set().__contains__) == ()


@pytest.mark.parametrize(
    ("path", "comment"),
    [
        ("a.py", "# verify: ignore[r] why"),
        ("a.tsx", "// verify: ignore[r] why"),
        ("Dockerfile", "# verify: ignore[r] why"),
        ("Dockerfile.dev", "# verify: ignore[r] why"),
        (".env.local", "# verify: ignore[r] why"),
        ("a.html", "<!-- verify: ignore[r] why -->"),
        ("a.css", "/* verify: ignore[r] why */"),
        ("tsconfig.jsonc", "// verify: ignore[r] why"),
        ("package.json", None),
        ("data.bin", None),
    ],
)
def test_the_comment_to_write_is_the_languages_own(path, comment):
    assert ignore_comment(path, "r", "why") == comment


def test_a_comment_that_was_written_is_read_again():
    for path in ("a.py", "a.go", "a.html", "a.css", "a.sql", "a.tf", "Makefile"):
        comment = ignore_comment(path, "some-rule", "it is */ meant -->\nso")
        found = suppressions_in(path, f"{comment}\ncode\n")
        assert [(each.rules, each.covers) for each in found] == [(("some-rule",), 2)], path


def test_a_reason_is_optional_and_no_rule_is_no_suppression():
    assert suppressions_in("a.py", "x  # verify: ignore[r]\n")[0].reason == ""
    assert suppressions_in("a.py", "x  # verify: ignore[] why\n") == ()
    assert suppressions_in("a.py", "x  # verify: ignore why\n") == ()
