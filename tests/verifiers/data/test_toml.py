import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import errors, is_right, judged, mended, said


@pytest.mark.parametrize("name", ["a.toml", "Pipfile", "poetry.lock", "uv.lock", "Cargo.lock"])
def test_names_that_are_toml(name):
    assert is_right(name, '[a]\nb = "c"\n')
    assert not is_right(name, '{"a": 1}\n')


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "\ufeffa = 1\n", "a = 1\r\nb = 2\r\n"])
def test_empty_marked_and_commented_files_are_right(text):
    assert judged("pyproject.toml", text).problems == ()


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("a = \n", "toml.value", 1, 5),
        ("a = None\n", "toml.value", 1, 5),
        ("a 1\n", "toml.equals", 1, 3),
        ("a = 1 b = 2\n", "toml.line", 1, 7),
        ("a = 1\n!\n", "toml.statement", 2, 1),
        ('a = "x\n', "toml.unclosed-string", 1, 7),
        ('a = "\\d"\n', "toml.escape", 1, 6),
        ("a = [1, 2\nb = 3\n", "toml.bracket", 2, 1),
        ("\ufeffa = ?\n", "toml.value", 1, 5),
        ('"é" = 1\r\n😀 = 2\r\n', "toml.statement", 2, 1),
        ("a = 1\nb = 2\na = 3\n", "toml.duplicate-key", 3, 1),
        ("a = [\n1,\n2]\n  a = [\n3]\n", "toml.duplicate-key", 4, 3),
        ("[x]\na = 1\n[y]\na = 2\n[x]\nb = 1\n", "toml.duplicate-key", 5, 1),
        ("a.b = 1\n[a]\nc = 1\n", "toml.duplicate-key", 2, 1),
        ("a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> x\n", "toml.conflict", 2, 1),
    ],
)
def test_each_mistake_is_named_at_its_place(text, rule, line, column):
    assert said("a.toml", text) == [(rule, line, column)]


@pytest.mark.parametrize(
    ("text", "first"),
    [("a = 1\nb = 2\na = 3\n", 1), ("x = 0\n[t]\na = 1\n[t]\n", 2), ('"a" . b = 1\n"a".b = 2\n', 1)],
)
def test_a_second_key_or_table_names_the_line_of_the_first(text, first):
    (problem,) = judged("a.toml", text).problems

    assert problem.severity == "high"
    assert f"line {first}" in problem.message


def test_a_bracket_that_is_missed_far_below_names_where_it_belongs():
    (problem,) = judged("a.toml", "x = 1\nlist = [\n1,\n2\ny = 2\n").problems

    assert problem.line == 5
    assert "`list` on line 2" in problem.message


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a = {\n  b = 1,\n  c = 2,\n}\n", "inline table"),
        ("a = 07:32\n", "seconds"),
        ('a = "\\e[0m"\n', "escape"),
        ('a = "\\x41"\n', "escape"),
        ("a = {b = 1,}\n", "comma"),
    ],
)
def test_what_the_later_version_brought_is_a_warning_that_names_it(text, what):
    (problem,) = judged("a.toml", text).problems

    assert (problem.rule, problem.severity) == ("toml.version", "medium")
    assert "TOML 1.1" in problem.message
    assert what in problem.message


def test_a_mistake_beside_what_is_newer_is_still_a_mistake():
    assert errors(judged("a.toml", "a = 07:32\nb = \n"))


@pytest.mark.parametrize(
    "text", ["{% if a %}\nb = 1\n{% endif %}\n", "a = {{ cookiecutter.x }}\n", "[{{ name }}]\na = 1\n"]
)
def test_a_template_is_skipped(text):
    verdict = judged("pyproject.toml", text)

    assert "template" in (verdict.skipped or "")
    assert verdict.problems == ()


def test_a_placeholder_in_a_string_hides_no_mistake():
    assert errors(judged("a.toml", 'a = "{{ x }}"\nb = \n'))


def test_depth_and_endless_numbers_do_not_crash():
    assert "too deep" in (judged("a.toml", f"a = {'[' * 5000}{']' * 5000}\n").skipped or "")
    assert is_right("a.toml", f"a = {'1' * 5000}\n")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a = 1\nb = 2\na = 1\n", "a = 1\nb = 2\n"),
        ("[x]\r\n  a = 1 # c\r\n  a = 1 # c\r\nb = 2\r\n", "[x]\r\n  a = 1 # c\r\nb = 2\r\n"),
        ("\ufeffa = 1\na = 1\n", "\ufeffa = 1\n"),
    ],
)
def test_a_line_that_says_the_same_again_is_taken_away(text, right):
    assert mended("a.toml", text) == right
    assert judged("a.toml", right).problems == ()


@pytest.mark.parametrize("text", ["a = 1\na = 2\n", "[x]\na = 1\n[x]\n", "a = 1\na = 1"])
def test_what_is_not_certain_is_not_mended(text):
    (problem,) = judged("a.toml", text).problems

    assert problem.rewrite is None


@given(st.text(alphabet="ab=[]{}.,\"'\\#\n\r 01-:T{%}\ufeff", max_size=40))
def test_the_verdict_is_the_standard_librarys_whatever_the_text(text):
    verdict = judged("a.toml", text)
    try:
        tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError:
        assert verdict.problems or verdict.skipped
    else:
        assert verdict.problems == ()
        assert verdict.skipped is None
    for problem in verdict.problems:
        assert 1 <= problem.line <= text.count("\n") + 1


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 1)), max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_repeated_lines_go_one_by_one_and_the_rest_stays(pairs, line_end):
    text = "".join(f"{name} = {value}{line_end}" for name, value in pairs)
    kept = list(dict.fromkeys(text.splitlines(keepends=True)))
    if len({line[0] for line in kept}) < len(kept):
        return
    while judged("a.toml", text).problems:
        text = mended("a.toml", text)

    assert text == "".join(kept)
