import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.changed_files import changed_file
from verify_lsp.judgement.files.behaviour import behavioural_lines, changes_behaviour
from verify_lsp.model.change import FileChange, Line


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "x = 1\n", "x = 1\n\n\n"),
        ("a.py", "x = 1\n", "# why\nx = 1\n"),
        ("a.py", "x = 1\n", "x = 1  # why\n"),
        ("a.py", "x = f(1,2)\n", "x = f(\n    1,\n    2,\n)\n"),
        ("a.py", "x = 'a'\n", 'x = "a"\n'),
        ("a.py", "def f():\n    return 1\n", 'def f():\n    """Say\n\n    more."""\n    return 1\n'),
        ("a.py", 'def f():\n    """Old."""\n    return 1\n', 'def f():\n    """New words."""\n    return 1\n'),
        ("a.js", "f(1, 2)\n", "f(1,\n  2)\n"),
        ("a.ts", "f(1)\n", "// why\nf(1)\n"),
        ("a.go", "f(1)\n", "/* why\n   and\n   how */\nf(1)\n"),
        ("a.rs", "f(1);\n", "  f(1);\n"),
        ("a.c", "int x=1;\n", "int x = 1;\n"),
        ("a.sql", "SELECT 1;\n", "-- why\nSELECT 1;\n"),
        ("a.html", "<p>\n", "<!-- why -->\n<p>\n"),
        ("a.yml", "a: 1\n", "# why\na: 1\n"),
        ("Dockerfile", "FROM x\n", "# why\nFROM x\n"),
        ("Makefile", "all:\n\tx\n", "# why\nall:\n\tx\n"),
        ("README.md", "one\n", "two\n"),
        ("docs/words.txt", "one\n", "two\n"),
        ("LICENSE", "one\n", "two\n"),
        ("a.css", "a{b:c}\n", "/* why */\na{b:c}\n"),
    ],
)
def test_comments_blank_lines_docstrings_and_formatting_change_nothing(path, before, after):
    assert not changes_behaviour(changed_file(path, before, after))
    assert not changes_behaviour(changed_file(path, after, before))


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "x = 1\n", "x = 2\n"),
        ("a.py", "if a:\n    f()\n    g()\n", "if a:\n    f()\ng()\n"),
        ("a.py", 'x = """\n"""\n', 'x = """\n# not a comment\n"""\n'),
        ("a.py", 'x = """\na\n"""\n', 'x = """\n\na\n"""\n'),
        ("a.py", "x = 'a b'\n", "x = 'a  b'\n"),
        ("a.py", "x = f(a)\n", "x = f(a)  # type: ignore\n"),
        ("a.py", "f(a)\ng(b)\n", "g(b)\nf(a)\n"),
        ("a.py", "x = 1\n", "#!/usr/bin/env python\nx = 1\n"),
        ("a.py", "def f(): return 1\n", "def f(:\n"),
        ("a.js", "f(1)\n", "// eslint-disable-next-line\nf(1)\n"),
        ("a.go", "package a\n", "//go:build linux\npackage a\n"),
        ("a.js", 'x = "a b"\n', 'x = "a  b"\n'),
        ("a.js", "f(a);\nkeep();\ng(b);\n", "g(b);\nkeep();\nf(a);\n"),
        ("a.c", "x();\n", "*p = 3;\nx();\n"),
        ("a.js", "x();\n", "/* never closed\nx();\n"),
        ("a.yml", "a:\n  b: 1\n", "a:\n    b: 1\n"),
        ("a.unknown", "x\n", "# y\nx\n"),
        ("requirements.txt", "a==1\n", "a==2\n"),
        ("package.json", '{"a": 1}\n', '{"a": 2}\n'),
        ("a.rs", "fn f() {}\n", "#[test]\nfn f() {}\n"),
        ("a.py", '"""\nx = 1\n"""\n', "x = 1\n"),
        ("a.py", "x = 1\n", '"""\nx = 1\n"""\n'),
        ("a.js", "/*\nf(1)\n*/\n", "f(1)\n"),
        ("a.js", "f(1)\n", "/*\nf(1)\n*/\n"),
    ],
)
def test_what_can_act_counts(path, before, after):
    assert changes_behaviour(changed_file(path, before, after))


def test_a_deleted_file_of_code_counts_and_one_of_comments_does_not():
    assert changes_behaviour(changed_file("a.py", "x = 1\n", None))
    assert not changes_behaviour(changed_file("a.py", "# nothing\n\n", None))


def test_what_cannot_be_read_counts():
    assert changes_behaviour(FileChange("logo.png", "modified", binary=True))
    assert changes_behaviour(FileChange("link", "typechange"))


def test_a_mode_or_a_name_alone_changes_no_line():
    assert not changes_behaviour(FileChange("a.py", "mode"))
    assert not changes_behaviour(FileChange("a.py", "renamed", old_path="b.py"))


def test_without_the_text_lines_are_judged_by_their_look():
    file = FileChange("a.py", "modified", added_lines=(Line(1, "# note"), Line(2, ""), Line(3, "x = 1")))
    assert behavioural_lines(file) == (Line(3, "x = 1"),)


def test_added_and_removed_lines_both_count():
    file = changed_file("a.py", "x = 1\n# old\n", "x = 2\n# new\n")
    assert [line.text for line in behavioural_lines(file)] == ["x = 1", "x = 2"]


@pytest.mark.parametrize("text", ["(" * 5000, "x = " + "[" * 3000, "+".join("1" * 20000), "\x00", "lambda: " * 3000])
def test_hostile_python_does_no_harm(text):
    assert changes_behaviour(changed_file("a.py", "x = 1\n", text + "\n"))


@given(st.lists(st.sampled_from(["x = 1", "# c", "", "if x:", "    y = 2", "'doc'"]), max_size=8))
def test_a_file_that_did_not_change_has_no_changed_behaviour(lines):
    text = "\n".join(lines)
    assert not changes_behaviour(changed_file("a.py", text, text))


@given(st.text(max_size=200), st.text(max_size=200), st.sampled_from(["a.py", "a.js", "a.yml", "a.sql", "a.html", "x"]))
def test_any_text_can_be_judged_and_only_changed_lines_are_named(before, after, path):
    file = changed_file(path, before, after)
    assert set(behavioural_lines(file)) <= {*file.added_lines, *file.removed_lines}


PYTHON = st.lists(
    st.sampled_from(
        [
            "x = 1",
            "x = 2",
            "# a comment",
            "",
            "def f():",
            "    return 1",
            '    """Say."""',
            '    """Say',
            '    more."""',
            'y = """',
            '"""',
            "    # inner",
            "if x:",
            "    pass",
            "x = 1  # why",
            "'text'",
            "s = 'it''s'",
            's = "# no comment"',
        ]
    ),
    max_size=9,
)


def program(lines: list[str]) -> tuple[str, str | None]:
    """The text, and what it does as far as Python's own parser tells; None when it does not parse."""
    text = "".join(f"{line}\n" for line in lines)
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return text, None
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body[:1] = [] if len(node.body) > 1 or isinstance(node, ast.Module) else [ast.Pass()]
    return text, ast.dump(tree)


@given(PYTHON, PYTHON)
def test_python_that_does_something_else_is_never_called_harmless(old, new):
    (before, did), (after, does) = program(old), program(new)
    if did is not None and does is not None and did != does:
        assert changes_behaviour(changed_file("a.py", before, after))


@given(PYTHON, st.integers(0, 9), st.sampled_from(["", "# a comment", "    # inner"]))
def test_a_comment_put_into_python_that_parses_is_harmless_outside_of_strings(lines, place, comment):
    before, did = program(lines)
    after, does = program([*lines[:place], comment, *lines[place:]])
    if did is not None and did == does:
        assert not changes_behaviour(changed_file("a.py", before, after))
