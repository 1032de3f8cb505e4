"""Texts made to cost: each is answered in time that grows with its length, and with few problems."""

import time

import pytest

from tests.harness.verified_texts import judged

N = 100_000
TEXTS = {
    "json strings of bad escapes": ("a.json", '["' + "\\q" * N + '"]'),
    "json unclosed comments": ("tsconfig.json", "[" + "/* " * N),
    "json commas": ("a.json", "[" + "," * N + "]"),
    "jsonc commas": ("tsconfig.json", "[" + ", " * N + "]"),
    "json duplicates": ("a.json", "{" + '"a": 1,' * N + '"a": 1}'),
    "json members without colons": ("a.json", "{" + '"a" ' * N + "}"),
    "json broken far below": ("a.json", "[" * 15 + '{"a": [1, 2]},' * (N // 4)),
    "json quotes": ("a.json", "'" * N),
    "json spaces": ("tsconfig.json", "[," + " " * N + "]" + "[ " * 1000),
    "json words": ("a.json", "[" + "a " * N),
    "ndjson": ("a.ndjson", "[\n" * N),
    "yaml duplicates": ("a.yaml", "a: 1\n" * 20_000),
    "yaml undefined aliases": ("a.yaml", "- *a\n" * 20_000),
    "yaml tabs": ("a.yaml", "a:\n" + "\tb: 1\n" * 20_000),
    "yaml placeholders": ("a.yaml", "a: {{ x }}\n" * 20_000),
    "yaml braces": ("a.yaml", "{{ " * N),
    "yaml quotes": ("a.yaml", "a: '" + "{{ x }} " * 20_000),
    "toml": ("a.toml", "a = 1\n" * 20_000),
    "toml brackets": ("a.toml", "a = " + "[{" * 400 + "\n"),
    "toml quotes": ("a.toml", "a = " + '"""' * 50_001),
    "xml attributes": ("a.xml", "<a " + "b='1' " * 20_000 + "/>"),
    "xml open tags": ("a.xml", "<a>" * 100_000),
    "env quotes": (".env", 'A="\n' * 50_000),
    "env words": (".env", "a b\n" * 50_000),
    "dockerfile": ("Dockerfile", "x\n" * 50_000),
    "dockerfile here-documents": ("Dockerfile", "FROM x\n" + "RUN <<A <<B\nA\nB\n" * 20_000 + "RNU x\n"),
    "dockerfile lines that go on": ("Dockerfile", "RUN \\\n" * 50_000),
    "workflow steps": (
        ".github/workflows/a.yml",
        "on: x\njobs:\n a:\n  runs-on: b\n  steps:\n" + "   - a: b\n" * 10_000,
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_costs_more_than_its_length(name):
    started = time.process_time()
    verdict = judged(*TEXTS[name])

    assert time.process_time() - started < 20
    assert len(verdict.problems) <= 51
    assert verdict.problems or verdict.skipped
