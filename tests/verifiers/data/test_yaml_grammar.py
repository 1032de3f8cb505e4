"""The grammar of YAML 1.2.2 by itself, and beside the parser."""

import json
import time
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import is_right, judged, mended, said
from verify_lsp.verifiers.data.places import line_and_column
from verify_lsp.verifiers.data.yaml_text.events import read_events
from verify_lsp.verifiers.data.yaml_text.grammar.stream import opinion
from verify_lsp.verifiers.data.yaml_text.strictness import certain, forbidden

SUITE = Path(__file__).parents[1] / "conformance" / "yaml.json"
TEXTS = [case["text"] for case in json.loads(SUITE.read_text(encoding="utf-8"))["cases"] if "text" in case]
PIECES = [
    *" \n\t:-?#&*!|>'\"%@[]{},ab0.\r",
    "---",
    "...",
    "\n ",
    "\n  ",
    ": ",
    "- ",
    " #",
    "\n---\n",
    "&a ",
    "*a",
    "|\n",
    "é",
]


# PyYAML writes three of YAML 1.1's line ends as they are, and they end no line in YAML 1.2.
WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\x85\u2028\u2029"), max_size=30)


@st.composite
def mutated(draw):
    text = draw(st.sampled_from(TEXTS))
    for _ in range(draw(st.integers(0, 4))):
        start, length = draw(st.integers(0, len(text))), draw(st.integers(0, 3))
        text = text[:start] + draw(st.sampled_from(["", *PIECES])) + text[start + length :]
    return text


@given(mutated() | st.text(alphabet="".join(PIECES), max_size=60))
def test_the_grammar_ends_with_an_opinion_on_every_text(text):
    seen = opinion(text)

    assert 0 <= seen.offset <= len(text)
    assert not (seen.accepted and seen.reason)


@given(mutated())
def test_line_ends_of_windows_change_nothing(text):
    text = text.replace("\r", "")
    one, other = opinion(text), opinion(text.replace("\n", "\r\n"))

    assert (one.accepted, one.reason) == (other.accepted, other.reason)
    line, column = line_and_column(text, one.offset)
    assert line_and_column(text.replace("\n", "\r\n"), other.offset) == (line, column)


@given(mutated())
def test_what_the_grammar_refuses_for_certain_is_asked_for(text):
    events = read_events(text)
    if events.fault is None and not events.too_deep:
        assert (forbidden(text, events) is None) == (certain(text, opinion(text)) is None)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.binary(max_size=80),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
        max_leaves=12,
    ),
    st.fixed_dictionaries(
        {
            "default_style": st.sampled_from([None, '"', "'", "|", ">"]),
            "default_flow_style": st.sampled_from([None, True, False]),
            "indent": st.integers(2, 9),
            "width": st.integers(5, 80),
            "allow_unicode": st.booleans(),
            "explicit_start": st.booleans(),
        }
    ),
)
def test_whatever_pyyaml_writes_is_yaml(value, options):
    assert opinion(yaml.safe_dump_all([value, value], **options)).accepted


@pytest.mark.parametrize(
    "text",
    [
        ": a\n: b\n",
        "- ? : x\n",
        "? - a\n  - b\n: - c\n",
        "k: {\n k\n :\n v\n }\n",
        "a: [\n  b,\n]\n",
        "&a key: *a\n",
        "a: &x\n  !!map\n  b: 1\n",
        "a:\n  !!map &x\n  b: 1\n",
        "a: &x\n- b\n",
        "a: |2-\n    b\n   c\n# end\nd: 1\n",
        "--- >\nfree\n text\n...\n# x\n...\nb\n",
        "[a, b]: {c: d}\n[e: f]: g\n",
        '{"a":1, "b"::c, d: :e}\n',
        "%TAG !e! tag:e,2:\n---\n- !e!x y\n",
        "a:\n  b: 'c\n\n   d'  # e\n",
        "\ufeff# a\n\ufeff--- b\n",
        "%YAML 1.3\n---\n",
        "a: x\u2028y\x85z\n",
        "a:\r  b: c\r",
        "- \ta\n",
    ],
)
def test_texts_that_are_yaml(text):
    assert opinion(text).accepted


@pytest.mark.parametrize(
    ("text", "reason", "offset"),
    [
        ("a: 1\n b: 2\n", "colon", 7),
        ("a:\n  b: 1\n c: 2\n", "entry", 11),
        ("- a\n b\nc\n", "entry", 7),
        ("a: 'b' c\n", "trailing", 7),
        ("a: [b\n", "unclosed", 3),
        ("a: [b\n---\nc]\n", "unclosed", 3),
        ('a: "\\q"\n', "escape", 4),
        ("-\t- a\n", "tab", 1),
        ("a: !x!y z\n", "tag", 3),
        ("a: &b &c d\n", "plain", 6),
        ("a: &b *b\n", "alias", 6),
        ("[a\n: b]\n", "trailing", 3),
        ("['a\n  b': c]\n", "colon", 8),
        ("%TAG ! a:\n%TAG ! b:\n---\n", "directive", 10),
        ("%YAML 1.2\n", "directive", 10),
        ("%YAML 2.0\n---\n", "directive", 0),
        ("a: é\nb: '😀'#\n", "comment", 11),
    ],
)
def test_texts_that_are_none(text, reason, offset):
    seen = opinion(text)

    assert (seen.accepted, seen.reason, seen.offset) == (False, reason, offset)


@pytest.mark.parametrize("key", ["k", "[k]"])
def test_a_key_without_a_question_mark_ends_within_1024_characters(key):
    long = key * (1000 // len(key)) if key == "k" else "[" + "k" * 998 + "]"

    assert opinion(f"{long}: v\n").accepted
    assert not opinion(f"{long.replace('k', 'k' * 2)}: v\n").accepted
    assert not opinion(f"[ {long.replace('k', 'k' * 2)}: v ]\n").accepted
    assert opinion(f"? {long.replace('k', 'k' * 2)}\n: v\n").accepted


def test_an_alias_needs_its_anchor_in_the_same_document():
    assert opinion("a: &b 1\nc: *b\n").accepted
    assert not opinion("a: &b 1\n---\nc: *b\n").accepted


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, "- " * 100_000, "? " * 100_000, "{a: " * 100_000, "".join(" " * n + "a:\n" for n in range(500))],
)
def test_of_what_is_deep_there_is_no_opinion(text):
    seen = opinion(text)

    assert (seen.accepted, seen.reason) == (False, None)


@pytest.mark.parametrize(
    "text",
    [
        "- [[[[[[[[[[a]]]]]]]]]]: x\n" * 3000,
        "[" + "a, " * 50_000 + "]",
        "a: |\n" + " \n" * 100_000,
        "a" + ":" * 100_000 + " b",
        "a: '" + "\n" * 100_000 + "'",
        "|#" * 50_000,
        "- |\n\n" * 30_000,
        "- &a !!str x\n" * 20_000,
        "\t\n" * 100_000,
        "a:\n" * 2 + " " * 100_000 + "\n" * 100_000,
    ],
)
def test_no_text_costs_more_than_its_length(text):
    started = time.process_time()
    opinion(text)
    judged("a.yaml", text)

    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("a: 1\nb: 'c'# d\n", "yaml.comment", 2, 7),
        ("a: [b,#c\n  d]\n", "yaml.comment", 1, 7),
        ("a: |# b\n  c\n", "yaml.comment", 1, 5),
        ("a:\n  b: [c,\n  d]\n", "yaml.indentation", 3, 3),
        ("- [\r\n\ta\r\n ]\r\n", "yaml.indentation", 2, 2),
        ("é: 'b\nc'\n", "yaml.quote-indentation", 2, 1),
        ("a: b # c\n%YAML 1.2\n---\n", "yaml.directive", 2, 1),
        ("%YAML 1.2#x\n---\n", "yaml.directive", 1, 1),
        ("a: >\n \n   \n # b\n", "yaml.block-text", 3, 2),
        ("a: |\n  b\n\t\nc: 1\n", "yaml.tab", 3, 1),
        ("a: [b, -]\n", "yaml.character", 1, 8),
    ],
)
def test_what_the_parser_reads_and_the_standard_forbids_is_told_at_its_place(text, rule, line, column):
    assert said("a.yaml", text) == [(rule, line, column)]


@pytest.mark.parametrize(
    "text",
    [
        "a: [\n  b\n]\n",
        "a: {\n}\n",
        "%YAML 1.1\n---\na: 1\n%YAML 1.1\n---\nb: 1\n",
        "a: b#c\n",
        "a: 'b' #c\n",
        "a: !'x y\n",
        "a: [b]\n# {{ x }}\n",
    ],
)
def test_what_readers_take_and_what_is_not_certain_is_never_told(text):
    assert judged("a.yaml", text).problems == ()


def test_yaml_that_only_old_readers_refuse_is_right_with_a_note_at_the_place():
    assert said("a.yaml", "a: 1\n: b\n") == [("yaml.version", 2, 1)]
    assert is_right("a.yaml", "a: 1\n: b\n")
    assert is_right("a.yaml", "- &a.b 1\n- *a.b\n")


def test_a_glob_is_no_alias_of_newer_yaml():
    assert said("a.yaml", "a: *.js\n") == [("yaml.alias", 1, 4)]


def test_nothing_of_a_template_is_held_against_the_standard():
    assert judged("a.yaml", "a: {{ x }}\nb: 'c'#d\n").skipped
    assert judged("a.yaml", "{# x #}\n: b\n").skipped


def test_the_space_before_a_comment_is_added_where_all_else_is_right():
    assert mended("a.yaml", "\ufeffa: 'b'# c\r\n") == "\ufeffa: 'b' # c\r\n"
    assert judged("a.yaml", "a: 'b'# c\nd: 'e'#f\n").problems[0].rewrite is None
