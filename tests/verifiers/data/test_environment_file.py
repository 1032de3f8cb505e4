import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import is_right, judged, mended, said

RIGHT = """\
# comment
A=1
export B="x y" # c
C='z # z'
D
E="several
lines"
  F = g
K=`a 'b' "c"`
G=
H='it''s'
I.j-k=1
1A=2
L="a \\" b"
"""


@pytest.mark.parametrize("name", [".env", ".env.local", ".env.example", "prod.env"])
def test_what_some_reader_takes_is_right(name):
    assert judged(name, RIGHT).problems == ()
    assert judged(name, RIGHT.replace("\n", "\r\n")).problems == ()
    assert judged(name, "\ufeffA=1\n").problems == ()
    assert judged(name, "").problems == ()


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ('A="x\nB=1\n', "env.unclosed-quote", 1, 3),
        ('Z=1\nA="x\nB="y"\n', "env.unclosed-quote", 2, 3),
        ("A='x", "env.unclosed-quote", 1, 3),
        ("A B=1\n", "env.name", 1, 1),
        ("  export A/B=1\n", "env.name", 1, 10),
        ("=1\n", "env.name", 1, 1),
        ("foo bar\n", "env.line", 1, 1),
    ],
)
def test_what_no_reader_takes_is_an_error_at_its_place(text, rule, line, column):
    assert said(".env", text) == [(rule, line, column)]


def test_a_second_value_is_a_warning_that_names_the_first_line():
    (problem,) = judged(".env", "A=1\nB=2\nexport A=3\n").problems

    assert (problem.rule, problem.severity, problem.line, problem.column) == ("env.duplicate-key", "medium", 3, 8)
    assert "line 1" in problem.message
    assert problem.rewrite is None


def test_a_line_that_says_the_same_again_is_taken_away():
    assert mended(".env", "A=1\r\nB=2\r\nA=1\r\nC=3\r\n") == "A=1\r\nB=2\r\nC=3\r\n"


def test_a_template_is_skipped():
    assert "template" in (judged(".env", "A={{ a }}\n{% if b %}\n").skipped or "")


@given(st.text(alphabet="AB=\"'` #\\\nexport:{%}\ufeff", max_size=40))
def test_no_text_is_worse_than_a_problem_in_its_bounds(text):
    for problem in judged(".env", text).problems:
        assert 1 <= problem.line <= text.count("\n") + 1


@given(st.dictionaries(st.from_regex(r"[A-Z_][A-Z0-9_]{0,5}", fullmatch=True), st.text("ab \n#=", max_size=6)))
def test_values_in_quotes_are_right_over_several_lines(values):
    lines = {name: value for name, value in values.items() if "=" not in value}

    assert is_right(".env", "".join(f'{name}="{value}"\n' for name, value in lines.items()))
