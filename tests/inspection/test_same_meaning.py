"""A comment goes only where it changes nothing of what a file means."""

import ast

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from verify_lsp.inspection.same_meaning import means_the_same
from verify_lsp.judgement.suppressions import suppressions_in
from verify_lsp.model.finding import Finding
from verify_lsp.model.rewrite import rewritten
from verify_lsp.server.inline.ignoring import ignoring

RULE = "some.rule"


def finding(path: str, line: int) -> Finding:
    return Finding(
        id="f", check="security", severity="high", path=path, line=line, rule=RULE, message="m", fixable=False
    )


def ignored(path: str, text: str, line: int) -> str | None:
    rewrite = ignoring(finding(path, line), text)
    return None if rewrite is None else rewritten(text, rewrite)


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.py", 'x = """\na\nkey\n"""\n', 3),
        ("a.py", "x = f(1, \\\n  key)\n", 2),
        ("a.py", "#!/usr/bin/python\nx = 1\n", 1),
        ("a.py", "# -*- coding: latin-1 -*-\nx = 1\n", 1),
        ("a.py", "x = 1\n# coding: latin-1\n", 1),
        ("a.py", "\ufeffx = 1\n", 1),
        ("a.js", "const x = `\nkey\n`;\n", 2),
        ("a.ts", "const x = `a ${b}\nkey ${c}\n`;\n", 2),
        ("a.jsx", "const x = <p>\n  key\n</p>;\n", 2),
        ("a.tsx", "const x = <p>\n  key\n</p>;\n", 2),
        ("a.go", "package a\n\nvar x = `\nkey\n`\n", 4),
        ("a.rs", 'const X: &str = r#"\nkey\n"#;\n', 2),
        ("a.rs", 'const X: &str = "a\nkey\n";\n', 2),
        ("a.sh", "cat <<E\nkey\nE\n", 2),
        ("a.sh", "echo a \\\n  key\n", 2),
        ("a.sh", "x='a\nkey\n'\n", 2),
        ("a.yaml", "a: |\n  key\n  b\n", 2),
        ("a.yaml", "a: >-\n  b\n\n  key\n", 4),
        ("a.yaml", 'a: "x\n  key"\n', 2),
        ("a.yaml", "a: one\n  key\n", 2),
        ("a.toml", 'a = """\nkey\n"""\n', 2),
        ("a.svg", '<?xml version="1.0"?>\n<a/>\n', 1),
        ("a.xml", '<a\n  k="key"/>\n', 2),
        ("a.xml", "<a>\n  key\n</a>\n", 2),
        ("a.xml", "<a>\n<![CDATA[\nkey\n]]></a>\n", 3),
        (".env", 'A="x\nkey"\n', 2),
        ("Dockerfile", "RUN <<E\nkey\nE\n", 2),
        ("Dockerfile", "# syntax=docker/dockerfile:1\nFROM a\n", 1),
        ("Makefile", "a = b \\\n  key\n", 2),
        ("a.mk", "define x\nkey\nendef\n", 2),
        ("a.md", "```\nkey\n```\n", 2),
        ("a.html", "<script>\nvar key = 1\n</script>\n", 2),
        ("a.html", "<!doctype html>\n<p>\n", 1),
        ("a.rb", "x = <<~E\n key\nE\n", 2),
        ("a.java", 's = """\n key\n""";\n', 2),
        ("a.c", "#define A \\\n  key\n", 2),
        ("a.lua", "x = [[\nkey\n]]\n", 2),
        ("a.php", "<p>\nkey\n", 2),
        ("a.tf", "x = <<EOT\nkey\nEOT\n", 2),
        ("a.ps1", "f `\n  key\n", 2),
    ],
)
def test_no_comment_is_offered_where_it_would_be_read_as_something_else(path, text, line):
    assert ignored(path, text, line) is None


@pytest.mark.parametrize(
    ("path", "text", "line", "after"),
    [
        ("a.py", "@d\ndef f(): pass\n", 2, "@d\n# verify: ignore[some.rule]\ndef f(): pass\n"),
        ("a.py", "f(\n    key,\n)\n", 2, "f(\n    # verify: ignore[some.rule]\n    key,\n)\n"),
        ("a.py", "#!/bin/python\n\nkey\n", 3, "#!/bin/python\n\n# verify: ignore[some.rule]\nkey\n"),
        ("a.py", "def f():\n\tkey\r\n", 2, "def f():\n\t# verify: ignore[some.rule]\r\n\tkey\r\n"),
        ("a.py", "# a key\nx = 1\n", 1, "# a key  verify: ignore[some.rule]\nx = 1\n"),
        ("a.js", "// it's a key\nf()\n", 1, "// it's a key  verify: ignore[some.rule]\nf()\n"),
        ("a.ts", "// @ts-ignore\nkey\n", 2, "// verify: ignore[some.rule]\n// @ts-ignore\nkey\n"),
        ("a.yaml", "a:\n  - key\n", 2, "a:\n  # verify: ignore[some.rule]\n  - key\n"),
        ("a.toml", "a = [\n  1,\n]\n", 2, "a = [\n  # verify: ignore[some.rule]\n  1,\n]\n"),
        ("a.xml", "<a>\n  <b/>\n</a>\n", 2, "<a>\n  <!-- verify: ignore[some.rule] -->\n  <b/>\n</a>\n"),
        ("Dockerfile", "FROM a\nRUN b \\\n  key\n", 3, "FROM a\nRUN b \\\n  # verify: ignore[some.rule]\n  key\n"),
        ("a.md", "# key\n", 1, "<!-- verify: ignore[some.rule] -->\n# key\n"),
        ("Makefile", "a:\n\tkey\n", 2, "a:\n# verify: ignore[some.rule]\n\tkey\n"),
        ("a.tf", 'x = "it\'s"\ny = key\n', 2, 'x = "it\'s"\n# verify: ignore[some.rule]\ny = key\n'),
        (
            "a.html",
            "<style>a{}</style>\n<p>key</p>\n",
            2,
            "<style>a{}</style>\n<!-- verify: ignore[some.rule] -->\n<p>key</p>\n",
        ),
    ],
)
def test_a_comment_is_put_where_it_covers_the_finding_and_nothing_else_changes(path, text, line, after):
    assert ignored(path, text, line) == after
    moved = line + after.count("\n") - text.count("\n")
    assert any(one.speaks_of(RULE, moved, None) for one in suppressions_in(path, after))


def test_each_line_of_a_python_file_is_ignored_without_a_change_or_not_at_all():
    text = (
        'import os\n\n@d(\n    1,\n)\ndef f(a, *,\n      b=2):\n    """Says\n\n    something.\n    """\n    x = a + \\\n        b\n'
        "    s = f'''{a\n    }\n    '''\n    return [\n        x,  # one\n\n        s]\n\nclass C: pass\n"
    )
    offered = 0
    for line in range(1, text.count("\n") + 1):
        after = ignored("a.py", text, line)
        if after is not None:
            offered += 1
            assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(text)), line
    assert offered >= 10


PIECES = st.lists(
    st.sampled_from(
        [
            "a: 1\n",
            "- b\n",
            "  c: |\n",
            "    key\n",
            "'",
            '"',
            "`",
            '"""',
            "\\\n",
            "\n",
            "<<E\n",
            "E\n",
            "{",
            "}",
            "[",
            "# c\n",
            "<a>",
            "</a>",
            "<!--",
            "-->",
            "f(\n",
            ")\n",
            "x = 1\n",
            "\t",
            "  ",
            "\r\n",
            "é😀",
            "\ud800",
            "\ufeff",
            "&a ",
            "*a\n",
            "---\n",
        ]
    ),
    max_size=25,
).map("".join)


@settings(max_examples=300, deadline=None)
@given(
    PIECES,
    st.integers(1, 12),
    st.sampled_from(["a.py", "a.yaml", "a.toml", "a.xml", "a.tsx", "a.sh", "a.md", "Makefile", "a.rb"]),
)
def test_whatever_the_text_is_a_comment_adds_one_line_or_ends_one(text, line, path):
    after = ignored(path, text, line)
    if after is not None:
        lines = after.split("\n")
        marked = next(number for number, each in enumerate(lines) if "verify: ignore[some.rule]" in each)
        before = text.split("\n")
        assert lines[:marked] == before[:marked]
        assert lines[marked + 1 :] in (before[marked:], before[marked + 1 :])


@settings(max_examples=300, deadline=None)
@given(PIECES, st.integers(1, 12))
def test_a_yaml_text_says_the_same_with_the_comment(text, line):
    after = ignored("a.yaml", text, line)
    if after is not None and "\ud800" not in text:
        try:
            said = list(yaml.compose_all(text, yaml.SafeLoader))
        except yaml.YAMLError:
            return
        assert [yaml.serialize(each) for each in said] == [
            yaml.serialize(each) for each in yaml.compose_all(after, yaml.SafeLoader)
        ]


def test_what_is_too_large_to_be_parsed_is_left_alone():
    assert not means_the_same("a.py", "x\n" * 400_000, "# c\n" + "x\n" * 400_000, 0)
