import configparser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import errors, is_right, judged, mended, said

RIGHT = """\
# comment
[metadata]
name = x
; comment
long_description =
    one
    two: three
[options]
name = y
key: value
"""


@pytest.mark.parametrize("name", ["setup.cfg", "tox.ini", "mypy.ini", ".flake8", ".coveragerc"])
def test_names_that_are_ini(name):
    assert judged(name, RIGHT).problems == ()
    assert judged(name, RIGHT.replace("\n", "\r\n")).problems == ()
    assert is_right(name, "")
    assert is_right(name, f"\ufeff{RIGHT}")


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("a = 1\n", "ini.section", 1),
        ("[a]\nb = 1\njust words\n", "ini.line", 3),
        ("[a]\nb = 1\nc = 2\nb = 3\n", "ini.duplicate-option", 4),
        ("[a]\n[b]\n[a]\n", "ini.duplicate-section", 3),
        ("[a]\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> x\n", "ini.conflict", 2),
    ],
)
def test_each_mistake_is_named_on_its_line(text, rule, line):
    assert said("setup.cfg", text) == [(rule, line, 1)]


def test_what_stands_twice_names_the_line_of_the_first():
    (option,) = judged("tox.ini", "[z]\nb = 0\n[a]\nB = 1\nb = 2\n").problems
    (section,) = judged("tox.ini", "[a]\nb = 1\n[c]\n[a]\n").problems

    assert "line 4" in option.message
    assert "line 1" in section.message
    assert option.rewrite is None


def test_a_line_that_says_the_same_again_is_taken_away():
    assert mended("setup.cfg", "[a]\r\nb = 1\r\nc = 2\r\nb = 1\r\nd = 3\r\n") == "[a]\r\nb = 1\r\nc = 2\r\nd = 3\r\n"


def test_a_template_is_skipped():
    assert "template" in (judged("setup.cfg", "{% if a %}\n[a]\n{% endif %}\n").skipped or "")


@given(st.text(alphabet="[]ab=:\n \t#;{%}\r\ufeff", max_size=40))
def test_the_verdict_is_the_standard_librarys_whatever_the_text(text):
    verdict = judged("setup.cfg", text)
    try:
        configparser.RawConfigParser().read_string(text.removeprefix("\ufeff"))
    except configparser.Error:
        assert errors(verdict) or verdict.skipped
    else:
        assert verdict.problems == ()
    for problem in verdict.problems:
        assert 1 <= problem.line <= text.count("\n") + 1
