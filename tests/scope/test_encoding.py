"""From bytes to text."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.scope.encoding import decoded, is_binary, is_utf_16


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ("# -*- coding: latin-1 -*-", "latin-1"),
        ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :", "cp1252"),
        ("\n# coding=koi8-r", "koi8-r"),
        ("x = 1\n# coding: latin-1", "utf-8"),
        ("# coding: UTF_8", "utf-8"),
        ("# no word", "utf-8"),
    ],
)
def test_python_is_read_as_its_first_two_lines_declare(head, encoding):
    assert decoded("a.py", f"{head}\nx = 1\n".encode())[1:] == (encoding, None)


def test_only_python_declares_in_this_way():
    assert decoded("a.c", b"# coding: latin-1\n")[1] == "utf-8"
    assert decoded("A.PYI", b"# coding: latin-1\n")[1] == "latin-1"


@pytest.mark.parametrize(
    "name", ["utf-7", "unicode_escape", "rot13", "utf-16", "punycode", "zlib", "nonsense", "cp037"]
)
def test_an_encoding_that_moves_lines_or_letters_is_not_followed(name):
    text, encoding, oddity = decoded("a.py", f"# coding: {name}\nx = 1\n".encode())

    assert (encoding, oddity) == ("utf-8", "unknown-encoding")
    assert text.endswith("\nx = 1\n")


def test_what_is_not_utf_8_is_read_byte_by_byte():
    assert decoded("a.c", b"/* \xe9 */\n") == ("/* é */\n", "latin-1", "not-utf-8")


def test_a_mark_of_byte_order_stays_in_the_text():
    assert decoded("a.json", codecs.BOM_UTF8 + b"{}")[0] == "\ufeff{}"
    assert decoded("a.py", codecs.BOM_UTF8 + b"# coding: utf-8\n")[1:] == ("utf-8", None)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_recognised_with_and_without_its_mark(encoding):
    content = '{"name": "value"}\n'.encode(encoding)

    assert is_binary(content)
    assert is_utf_16(content)


@pytest.mark.parametrize("content", [b"", b"text\n", b"\x89PNG\0\1\2\0", b"\0\0\0\0", "a".encode("utf-32"), b"\0"])
def test_what_is_not_utf_16_is_not_taken_for_it(content):
    assert not is_utf_16(content)


@given(st.binary(max_size=200))
def test_any_content_has_as_many_lines_in_text_as_in_bytes(content):
    for path in ("a.py", "a.txt"):
        assert decoded(path, content)[0].count("\n") == content.count(b"\n")
