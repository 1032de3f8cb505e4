"""What kind of text a file is, and how files without a grammar are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.security.kinds import kinds_of
from verify_lsp.security.source import Source
from verify_lsp.security.text.lines import joined, logical_line, without_comment
from verify_lsp.security.text.outline import outline


@pytest.mark.parametrize(
    ("path", "text", "kinds"),
    [
        ("a/b.py", "", {"python"}),
        ("a.tsx", "", {"typescript", "tsx"}),
        ("bin/run", "#!/usr/bin/env bash\n", {"shell"}),
        ("bin/run", "#!/usr/bin/python3\n", {"python"}),
        ("Dockerfile.dev", "", {"dockerfile"}),
        (".env.local", "", {"env"}),
        ("Makefile", "", {"make"}),
        (".github/workflows/ci.yml", "", {"yaml", "workflow"}),
        ("docker-compose.prod.yml", "", {"yaml", "compose"}),
        ("k.yaml", "apiVersion: v1\nkind: Pod\n", {"yaml", "kubernetes"}),
        ("main.tf", "", {"terraform"}),
        ("README", "", {"other"}),
    ],
)
def test_a_files_name_and_head_say_what_it_is(path, text, kinds):
    assert kinds_of(path, text) == kinds


def items(path, text):
    return [(item.path, item.value) for item in outline(Source(path, text))]


def test_yaml_is_keys_by_indent():
    text = "a:\n  b: 1\n  c:\n    - d: x  # y\n      e: '#no'\n    - f\ng: 2\n"

    assert items("a.yaml", text) == [
        ("a.b.", "1"),
        ("a.c.-4.d.", "x"),
        ("a.c.-4.e.", "'#no'"),
        ("a.c.-.", "f"),
        ("g.", "2"),
    ]


def test_a_block_of_yaml_ends_where_its_indent_does():
    text = "steps:\n  - run: |\n      one: 1\n\n      two\n    env:\n      A: b\n"

    assert items("a.yaml", text) == [("steps.-2.run.", "      one: 1\n\n      two"), ("steps.-2.env.A.", "b")]


def test_terraform_is_keys_in_blocks():
    text = 'resource "a" "b" {\n  c = 1 # x\n  d {\n    e = [\n      "f",\n    ]\n  }\n  g { h = 2 }\n}\ni = 3\n'

    assert items("a.tf", text) == [
        ("resource.a.b-1.c.", "1"),
        ("resource.a.b-1.d-3.e.", '["f", ]'),
        ("resource.a.b-1.g-8.h.", "2"),
        ("i.", "3"),
    ]


def test_a_dockerfile_is_instructions_on_logical_lines():
    assert items("Dockerfile", "FROM a\nRUN b \\\n  && c\n# RUN d\n") == [("FROM.", "a"), ("RUN.", "b && c")]


def test_a_comment_begins_outside_of_quotes():
    source = Source("a.sh", "")

    assert without_comment(source, 'echo "a # b" # c').rstrip() == 'echo "a # b"'
    assert without_comment(source, "echo a#b") == "echo a#b"
    assert without_comment(Source("a.js", ""), "x('http://a') // c").rstrip() == "x('http://a')"


def test_a_place_in_a_joined_text_is_on_its_line():
    source = Source("a.sh", "curl a \\\n  | sh\nnext\n")
    lines = joined(source, *logical_line(source, 2))

    assert lines.text == "curl a | sh"
    assert [lines.line_at(lines.text.index(word)) for word in ("curl", "sh")] == [1, 2]


def test_an_added_continuation_makes_its_statement_new():
    from verify_lsp.security.scan import scan_text

    text = "curl https://x.io/a \\\n  | sh\n"

    assert [each.rule for each in scan_text("a.sh", text, frozenset({2}))] == ["curl-pipe-shell"]
    assert scan_text("a.sh", text + "ls\n", frozenset({3})) == ()


@given(st.text(alphabet=" -:ab\n|>{}[]\"'#=\\", max_size=200), st.sampled_from(["a.yaml", "a.tf", "Dockerfile"]))
def test_outlines_are_within_their_text(text, path):
    lines = text.count("\n") + 1

    for item in outline(Source(path, text)):
        assert 1 <= item.first <= item.last <= lines
        assert 1 <= item.block[0] <= item.block[1] <= lines
