import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import is_right, judged, said
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.content import decoded
from verify_lsp.verifiers.verify import verify_text


def of_bytes(name, data):
    return verify_text(Subject(Path("/p") / name, decoded(data).text, data=data))


def bomb(*, in_attribute):
    entities = ['<!ENTITY a0 "xxxxxxxxxx">']
    for level in range(1, 10):
        inner = f"&a{level - 1};" * 10
        entities.append(f'<!ENTITY a{level} "{inner}">')
    attribute = ' b="&a9;"' if in_attribute else ""
    return f"<!DOCTYPE l [{''.join(entities)}]><l{attribute}>&a9;</l>"


@pytest.mark.parametrize("name", ["a.xml", "a.svg", "App.csproj", "Directory.Build.props", "a.plist", "web.config"])
def test_names_that_are_xml(name):
    assert is_right(name, '<?xml version="1.0"?>\n<a b="c"><!-- d --><e/></a>\n')
    assert not is_right(name, "<a>")


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("<a>\n<b>\n</a>", "xml.mismatched-tag", 3, 1),
        ("<a>\n<b/>\n", "xml.unclosed", 3, 1),
        ("", "xml.empty", 1, 1),
        ("<a>x & y</a>", "xml.ampersand", 1, 6),
        ("<a>1 < 2</a>", "xml.less-than", 1, 6),
        ("<a/>\n<b/>", "xml.after-end", 2, 1),
        ("\n<?xml version='1.0'?><a/>", "xml.declaration", 2, 1),
        ("<a b='1' b='2'/>", "xml.attribute", 1, 10),
        ("<svg>&nbsp;</svg>", "xml.entity", 1, 6),
        ("<a b=1/>", "xml.syntax", 1, 6),
        ("<é>😀 & y</é>", "xml.ampersand", 1, 6),
        ("<a>\n<<<<<<< HEAD\n</a>", "xml.conflict", 2, 1),
    ],
)
def test_each_mistake_is_named_at_its_place(text, rule, line, column):
    assert said("a.xml", text) == [(rule, line, column)]


def test_a_wrong_closing_tag_names_the_line_of_the_open_one():
    (problem,) = judged("a.xml", "<a>\n<b>\n<c/>\n</a>").problems

    assert "`<b>` of line 2" in problem.message


def test_an_entity_bomb_is_harmless():
    started = time.process_time()

    assert is_right("a.xml", bomb(in_attribute=False))
    assert "too complex" in (judged("a.xml", bomb(in_attribute=True)).skipped or "")
    assert time.process_time() - started < 5


def test_external_entities_are_not_read(tmp_path):
    (tmp_path / "secret").write_text("<not well-formed")

    assert is_right("a.xml", f'<!DOCTYPE a [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]><a>&x;</a>')
    assert is_right("a.xml", f'<!DOCTYPE a SYSTEM "file://{tmp_path}/secret"><a>&undefined;</a>')


def test_encodings_are_read_as_declared():
    declared = '<?xml version="1.0" encoding="{}"?><a>é</a>'

    assert of_bytes("a.xml", declared.format("ISO-8859-1").encode("latin-1")).problems == ()
    assert of_bytes("a.xml", declared.format("UTF-16").encode("utf-16")).problems == ()
    assert of_bytes("a.xml", b"\xef\xbb\xbf<a/>").problems == ()
    assert "Shift_JIS" in (of_bytes("a.xml", declared.format("Shift_JIS").encode("shift_jis", "replace")).skipped or "")
    assert judged("a.xml", declared.format("UTF-16")).problems == ()


def test_other_kinds_of_property_lists_and_templates_are_skipped():
    assert "property list" in (judged("a.plist", "{ a = b; }").skipped or "")
    assert "template" in (judged("a.xml", "<a>\n{% if x %}\n<b>\n{% endif %}\n</a>").skipped or "")


def test_depth_is_no_trouble():
    assert is_right("a.xml", "<a>" * 20_000 + "</a>" * 20_000)


@given(st.text(alphabet="<>/a='\" &;!-?[]\n{%}\ufeff\x00é", max_size=40))
def test_no_text_is_worse_than_an_error_in_its_bounds(text):
    for problem in judged("a.xml", text).problems:
        assert 1 <= problem.line <= text.count("\n") + 1
