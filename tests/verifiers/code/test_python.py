import warnings
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.tool_runs import laid_out
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.code.python import OURS, verify_python
from verify_lsp.verifiers.code.python_compile import Beyond, fault_of

OURS_SHOWN = f"{OURS[0]}.{OURS[1]}"


def verdict(text, path="loose.py", **given):
    return verify_python(Subject(Path("/nowhere", path), text, **given))


def only(text, path="loose.py", **given):
    seen = verdict(text, path, **given)
    assert seen.skipped is None
    (problem,) = seen.problems
    return problem


def place(text, **given):
    problem = only(text, **given)
    return problem.line, problem.column


def workspace(folder, version):
    """Lay out a project whose environment says which Python it was made by."""
    return laid_out(
        folder,
        {"pyproject.toml": "", ".venv/pyvenv.cfg": f"home = /usr\nversion = {version}.1\n", ".venv/bin/python": ""},
    )


@pytest.fixture
def project(tmp_path):
    def made(version):
        folder = workspace(tmp_path / version, version)
        (folder / ".venv/bin/python").chmod(0o755)
        return folder

    return made


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "  \n",
            "# only a comment",
            "x = 1\x0c\n\x0cdef f():\n\x0c    pass\n",
            "\ufeffx = 1\n",
            "x = 1\r\ny = 2\r\n",
        ),
        *(
            "if (n := 1): pass\n",
            "match n:\n    case 1: pass\n",
            "try:\n    pass\nexcept* E:\n    pass\n",
            "\\\nx = 1\n",
        ),
        *(
            "from os import *\nexec('a = 1')\nprint(a, path, unknown)\n",
            "_('text')\n__builtins__\n",
            "x = '\\d'\n",
            "x is 1\n",
        ),
        "x = f'{{ not_a_template }}'\n",
    ],
)
def test_what_compiles_is_no_problem(text):
    assert verdict(text).problems == ()
    assert verdict(text).skipped is None


@pytest.mark.parametrize("path", ["a.py", "a.pyi", "a.pyw", "bin/tool"])
def test_a_file_that_no_longer_parses_is_found_at_once_whatever_python_files_are_called(path):
    problem = only("x = 1\nname = 'abc\n", path)

    assert (problem.rule, problem.severity, problem.line, problem.column) == ("python.syntax", "high", 2, 8)
    assert problem.message.startswith("unterminated string literal")


@pytest.mark.parametrize(
    ("text", "line", "column", "end_column", "message"),
    [
        ("x = (1,\n", 1, 5, None, "'(' was never closed"),
        ("é = '😀' + $\n", 1, 11, 12, "invalid syntax at `$`"),
        ("\ufeffé = 1 $\n", 1, 8, 9, "invalid syntax at `$`"),
        ("x = 1\r\né = 1 $\r\n", 2, 7, 8, "invalid syntax at `$`"),
        ("if x:\n\ty\n        z\n", 3, 1, 9, "inconsistent use of tabs and spaces in indentation"),
        ("if x:\n    y\n  z\n", 3, 1, 3, "unindent does not match any outer indentation level"),
        ("x = 1\n  y = 2\n", 2, 1, 3, "unexpected indent"),
        ("x = 1\ny = '\0'\n", 2, 6, 7, "the file holds a null byte, which Python refuses"),
        ("def f():\nreturn 1\n", 2, 1, None, "expected an indented block after function definition on line 1"),
        ("x = 'a\rb'\n", 1, 5, None, "unterminated string literal (detected at line 1)"),
        ("# a\r# b\r\nx = é $\n", 2, 7, 8, "invalid syntax at `$`"),
        ("\tx $\n", 1, 1, 2, "unexpected indent"),
        ("if x:\n\té = $\n", 2, 6, 7, "invalid syntax at `$`"),
        (
            "print 'a'\nprint('b', end='')\n",
            1,
            1,
            10,
            "Missing parentheses in call to 'print'. Did you mean print(...)?",
        ),
        ("return 1\n", 1, 1, 9, "'return' outside function"),
        ("x = '\\N{no such name}'\n", 1, None, None, "wrong escape in a string: unknown Unicode character name"),
        ("x = 1 +\n", 1, None, None, "invalid syntax"),
    ],
)
def test_an_error_stands_where_a_person_would_look_for_it(text, line, column, end_column, message):
    problem = only(text)

    assert problem.line == line
    assert problem.message.startswith(message)
    if column is not None:
        assert (problem.column, problem.end_column) == (column, end_column)


def test_the_column_inside_of_an_f_string_is_given_only_where_the_compiler_knows_it():
    problem = only("x = 1\ny = f'é{a b}'\n")

    assert problem.line == 2
    assert problem.column == (None if OURS < (3, 12) else 9)


BEFORE = st.text(st.sampled_from(["é", "😀", "a", "ß", "漢", "\u0301"]), max_size=6).map(lambda text: f"'{text}'")
LINES = st.lists(
    st.sampled_from(["x = 1", "# é😀", "", "y = '漢'", "if x:\n\tz = 'ä'", "\f", "s = '''a\n😀\n'''"]), max_size=6
)


@given(LINES, BEFORE, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.sampled_from(["", "\t"]))
def test_columns_count_characters_whatever_stands_before_them(lines, before, end, mark, indent):
    head = "\n".join([*lines, "if x:"] if indent else lines) + "\n" if lines or indent else ""
    text = (("\ufeff" if mark else "") + head + f"{indent}t = {before} + $\n").replace("\n", end)
    at = text.index("$")

    problem = only(text)

    assert problem.line == text.count("\n", 0, at) + 1
    assert problem.column == at - (text.rfind("\n", 0, at) + 1) + 1
    assert (problem.end_line, problem.end_column) == (problem.line, problem.column + 1)


@given(st.text(st.sampled_from("x=1()[]{}:'\"\\\n\r\t\f #é😀\0,.@%!fdef ") | st.characters(), max_size=60))
def test_any_text_has_a_verdict_with_a_place_inside_of_it(text):
    seen = verdict(text)

    lines = text.split("\n")
    for problem in seen.problems:
        assert 1 <= problem.line <= len(lines)
        assert problem.column is None or 1 <= problem.column <= len(lines[problem.line - 1]) + 1
        assert problem.end_line is None or (problem.end_line, problem.end_column) > (problem.line, problem.column)


def test_a_warning_of_the_compiler_is_neither_an_error_nor_printed(capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        seen = verdict("x = '\\d' is 1\nassert (x, 'always')\n")

    assert seen.problems == ()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{% if cookiecutter.cli %}\nimport click\n{% endif %}\n", "it is a template"),
        ("import {{ package }}\nx = {{ cookiecutter.a|lower }}(1 2)\n{% endif %}", "it is a template"),
        ("class {{cookiecutter.name}}:\n    pass\n", "it is a template"),
        (
            "%matplotlib inline\n!pip list\nx = !ls\nif x:\n    %time f()\ny?\n",
            "it is a notebook's text with IPython magics",
        ),
        ("print 'hello'\n", "it is written for Python 2"),
        ("#!/usr/bin/python2\nx = 0777\n", "it is written for Python 2"),
        ("try:\n    f()\nexcept ValueError, e:\n    print e\n", "it is written for Python 2"),
    ],
)
def test_what_is_no_python_of_today_is_skipped_and_not_called_broken(text, reason):
    assert verdict(text).problems == ()
    assert verdict(text).skipped == reason


def test_a_slip_in_a_template_like_text_is_an_error_all_the_same():
    assert only("x = '{{ name }}'\ny = (\n").line == 2
    assert only("import os\nprint('a')\nprint 'b'\n").line == 3
    assert only("%time x\ny = (\n").line in {1, 2}


NEWER = [
    ("type X = int\n", (3, 12)),
    ("type X[T] = list[T]\n", (3, 12)),
    ("def first[T](x: T) -> T:\n    return x\n", (3, 12)),
    ("class Box[T, *Ts, **P](\n    Base,\n):\n    pass\n", (3, 12)),
    ('y = f"{x["a"]}"\n', (3, 12)),
    ("y = f'{\"\\n\".join(x)}'\n", (3, 12)),
    ("y = f'{x:{y:{z:{w}}}}'\n", (3, 12)),
    ("y = t'{x}'\n", (3, 14)),
    ("try:\n    pass\nexcept A, B:\n    pass\nz: int = 1\n", (3, 14)),
    ("lazy import json\n", (3, 15)),
    ("z = [*x for x in y]\n", (3, 15)),
]


@pytest.mark.parametrize(("text", "since"), [(text, since) for text, since in NEWER if since > OURS])
def test_newer_syntax_than_ours_is_no_error_where_the_interpreter_is_not_known(text, since):
    seen = verdict(text)

    assert seen.problems == ()
    assert seen.skipped.startswith(f"newer syntax than the interpreter {OURS_SHOWN}")
    assert f"Python {since[0]}.{since[1]}" in seen.skipped or "nested too deeply" in seen.skipped


@pytest.mark.parametrize(
    ("text", "since"), [(text, since) for text, since in NEWER if since > OURS and ":{w}" not in text]
)
def test_an_error_beside_newer_syntax_is_found_at_its_own_line(text, since):
    problem = only(text + "x = 1 1\n")

    assert problem.line == text.count("\n") + 1
    assert problem.severity == "high"


def test_newer_syntax_than_the_known_interpreter_is_named_and_no_error(project):
    folder = project("3.8")
    seen = verdict("match x:\n    case 1: pass\n", folder / "a.py", workspace=folder)

    (problem,) = seen.problems
    assert (problem.rule, problem.severity, problem.line) == ("python.newer-syntax", "medium", 1)
    assert problem.message == "newer syntax than the interpreter 3.8: a `match` statement needs Python 3.10"
    assert seen.note == f"held against Python {OURS_SHOWN}; the project's interpreter .venv/bin/python is 3.8"


def test_newer_syntax_than_ours_is_no_problem_for_a_project_with_a_newer_interpreter(project):
    folder = project("3.19")
    seen = verdict("lazy import json\n", folder / "a.py", workspace=folder)

    assert seen.problems == ()
    assert "newer syntax" in seen.skipped


def test_the_version_that_was_used_is_said_where_it_is_not_plainly_the_projects(project):
    same = project(OURS_SHOWN)

    assert verdict("x = 1\n", same / "a.py", workspace=same).note is None
    assert "project's interpreter is not known" in verdict("x = 1\n").note


def test_a_project_on_python_2_is_skipped(project):
    folder = project("2.7")

    assert (
        verdict("print 'a'\n", folder / "a.py", workspace=folder).skipped == "the project's interpreter is Python 2.7"
    )


def test_a_file_is_read_in_the_encoding_that_it_declares():
    latin = "# -*- coding: latin-1 -*-\nname = 'é' $\n".encode("latin-1")

    assert place(latin.decode("latin-1"), data=latin) == (2, 12)
    assert verdict("", data=b"# coding: latin-1\nx = '\xe9'\n").problems == ()


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"x = 1\ny = '\xe9'\n", 2, "the byte 0xe9 is not UTF-8, and the file declares no encoding"),
        (b"# coding: no-such\nx = 1\n", 1, "unknown encoding: no-such"),
        (b"# coding: ascii\nx = '\xc3\xa9'\n", 2, "the byte 0xc3 is no ascii, which the file declares"),
        ("x = 1".encode("utf-16"), 1, "the file is UTF-16, which Python does not read; save it as UTF-8"),
    ],
)
def test_bytes_that_python_cannot_decode_are_named(data, line, message):
    problem = only("whatever", data=data)

    assert (problem.line, problem.message) == (line, message)


def test_a_list_of_sixty_thousand_strings_is_compiled():
    data = "DATA = [\n" + "".join(f'    "string {number}",\n' for number in range(60_000)) + "]\n"

    assert verdict(data).problems == ()
    assert verdict(data).skipped is None
    assert only(data + ")\n").line == 60_003


@pytest.mark.parametrize(
    "text",
    [
        "-" * 100_000 + "1",
        "not " * 50_000 + "x",
        "1" + "+1" * 100_000,
        "a" + ".a" * 100_000,
        "lambda: " * 20_000,
        "if x: pass\n" + "elif y: pass\n" * 20_000,
    ],
)
def test_what_is_nested_too_deeply_for_the_compiler_is_skipped(text):
    assert verdict(text).skipped == "it is nested too deeply for the compiler of this Python"
    assert verdict(text).problems == ()


def test_three_thousand_brackets_are_no_crash():
    assert only("x = " + "[" * 3000 + "]" * 3000 + "\n").message == "too many nested parentheses"


def test_a_text_of_many_megabytes_is_skipped():
    assert isinstance(fault_of("x = 1\n" * 1_000_000), Beyond)


def test_half_of_a_surrogate_pair_is_skipped():
    assert "half of a surrogate pair (U+D800)" in verdict("x = '\ud800'\n").skipped
