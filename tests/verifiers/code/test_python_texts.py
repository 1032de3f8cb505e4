import dataclasses
import inspect
import textwrap
import tokenize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verify_lsp.verifiers.code.python_chunks import known, next_known
from verify_lsp.verifiers.code.python_compile import compiled, fault_of
from verify_lsp.verifiers.code.python_texts import PythonTexts

SOURCES = tuple(inspect.getsource(module) for module in (textwrap, tokenize, dataclasses))
FRAGMENTS = (
    *(
        "",
        "\n",
        " ",
        "    ",
        "\t",
        "\f",
        "\r",
        "\r\n",
        "\\",
        "\\\n",
        "#",
        "# \\",
        "'",
        '"',
        '"""',
        "'''",
        "(",
        ")",
        "[",
        "{",
        "}",
    ),
    *(":", ";", "@", "@dec\n", "@(\n", "=", ",", "x", "1", "é = '😀'", "else:\n    pass\n", "elif x:\n    pass\n"),
    *(
        "except E:\n    pass\n",
        "finally:\n    pass\n",
        "case 1:\n    pass\n",
        "match x:\n    case 1: pass\n",
        "return 1\n",
    ),
    *(
        "global textwrap\n",
        "global x\n",
        "x = 1\n",
        "x: int = 1\n",
        "from __future__ import annotations\n",
        "import os\n",
    ),
    *("from __future__ import barry_as_FLUFL\n", "1 <> 2\n", "1 != 2\n", "def f(a: (yield)): pass\n", "y: (z := 1)\n"),
    *(
        "def f():\n",
        "class C:\n",
        "if x:\n",
        "try:\n",
        "async ",
        "await x\n",
        "nonlocal x\n",
        "break\n",
        "f'{x}'",
        "f'{'",
    ),
    *(
        '"""\n"""; x = 1\n',
        "\0",
        "\ufeff",
        "\ud800",
        "lambda: (",
        "*",
        "**",
        "print 'x'\n",
        "type X = int\n",
        "    x = 2\n",
    ),
)


@st.composite
def edited_lines(draw, text):
    """One edit: some lines removed, moved or repeated, and a fragment put in, at a line's beginning or inside of it."""
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    gone = draw(st.integers(0, 4))
    inside = draw(st.integers(0, len(lines[at]))) if draw(st.booleans()) else 0
    fragment = "".join(draw(st.lists(st.sampled_from(FRAGMENTS), max_size=3)))
    kind = draw(st.sampled_from(("insert", "remove", "repeat", "replace")))
    if kind == "insert":
        lines[at] = lines[at][:inside] + fragment + lines[at][inside:]
    elif kind == "remove":
        del lines[at : at + gone]
    elif kind == "repeat":
        other = draw(st.integers(0, len(lines) - 1))
        lines[at:at] = lines[other : other + gone]
    else:
        lines[at : at + gone] = fragment.split("\n")
    return "\n".join(lines)


def small_sources():
    """Texts in which any two lines are close to one another, so that edits meet the borders of statements."""
    statement = st.sampled_from(
        (*FRAGMENTS, "def f(a):\n    return a\n", "if x:\n    y = 1\n", "a = [\n  1,\n]\n", "@d\ndef g(): pass\n")
    )
    return st.lists(statement, max_size=8).map(
        lambda parts: "".join(part if part.endswith("\n") else part + "\n" for part in parts)
    )


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_edits_of_real_files_are_judged_as_if_the_whole_were_compiled_each_time(data):
    text = data.draw(st.sampled_from(SOURCES))
    texts = PythonTexts()
    assert texts.fault_of("a.py", text) is None
    for _ in range(data.draw(st.integers(1, 6))):
        text = data.draw(edited_lines(text))
        assert texts.fault_of("a.py", text) == fault_of(text)


@settings(max_examples=150, deadline=None)
@given(small_sources(), st.lists(small_sources(), max_size=3), st.data())
def test_edits_of_small_files_are_judged_as_if_the_whole_were_compiled_each_time(first, others, data):
    texts = PythonTexts()
    for text in (first, *others):
        edited = text
        for _ in range(3):
            assert texts.fault_of("a.py", edited) == fault_of(edited)
            edited = data.draw(edited_lines(edited))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\ny = 2\n", "x = 1\n\\\ny = 2\n"),
        ("if x:\n    pass\ny = 2\n", "if x:\n    pass\n    z = 3\ny = 2\n"),
        ("x = 1\n\\\ny = 2\n", "x = 1\n\\\n"),
        ("x = 1\ndef f():\n    global x\n", "x = 1\nglobal x\ndef f():\n    global x\n"),
        ("def f():\n    pass\ny = 1\n", "def f():\n    pass\nx = 1\nfrom __future__ import annotations\ny = 1\n"),
        ('"""a"""\nfrom __future__ import annotations\n', "x\nfrom __future__ import annotations\n"),
        ("x = 1\ny = 2\nz = 3\n", "x = 1\ny = '''\nz = 3\n"),
        ("@a\n@b\ndef f(): pass\nx = 1\n", "@a\n@b\nx = 1\n"),
        (
            "from __future__ import annotations\nx = 1\n",
            "from __future__ import annotations\ndef f(a: (yield)): pass\n",
        ),
    ],
)
def test_what_statements_have_to_do_with_each_other_is_not_overlooked(before, after):
    texts = PythonTexts()
    assert texts.fault_of("a.py", before) is None

    assert texts.fault_of("a.py", after) == fault_of(after)


def test_an_edit_inside_of_one_function_compiles_that_function_alone(monkeypatch):
    seen = []

    def watched(source, flags=0):
        seen.append(source)
        return compiled(source, flags)

    before = known(SOURCES[0])
    monkeypatch.setattr("verify_lsp.verifiers.code.python_chunks.compiled", watched)
    after = next_known(
        before, SOURCES[0].replace("def shorten(text, width, **kwargs):", "def shorten(text, width, **kwords):")
    )

    assert after is not None
    assert len(seen) == 1
    assert seen[0].startswith("def shorten")
    assert seen[0].count("\n") < 30
    assert known("\n".join(after.lines)) == after


def test_only_so_many_texts_are_remembered():
    texts = PythonTexts(limit=2)
    for name in "abc":
        texts.fault_of(name, "x = 1\n")

    assert list(texts._compiled) == ["b", "c"]
    texts.forget("b")
    assert list(texts._compiled) == ["c"]
