"""The rules that are listed are the ones that are found, and docs/verifiers.md lists them."""

import re
from pathlib import Path

import pytest

from tests.harness.verified_texts import FOLDER
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.content import decoded
from verify_lsp.verifiers.data.rules import RULES
from verify_lsp.verifiers.verify import verify_text

ROOT = Path(__file__).parents[3]
WORKFLOW = ".github/workflows/ci.yml"
EXAMPLES = {
    "json.after-end": ("a.json", "{},"),
    "json.bom": ("a.json", "\ufeff{}"),
    "json.bracket": ("a.json", "[}"),
    "json.character": ("a.json", "[/]"),
    "json.comment": ("a.json", "{} // x\n"),
    "json.conflict": ("a.json", "<<<<<<< a\n{}"),
    "json.control-character": ("a.json", '["\t"]'),
    "json.duplicate-key": ("a.json", '{"a": 1, "a": 1}'),
    "json.empty": ("a.json", ""),
    "json.encoding": ("a.jsonc", "\ufeff{}".encode("utf-16")),
    "json.escape": ("a.json", '["\\x"]'),
    "json.literal": ("a.json", "[True]"),
    "json.missing-colon": ("a.json", '{"a" 1}'),
    "json.missing-comma": ("a.json", "[1 2]"),
    "json.missing-value": ("a.json", "[1,,2]"),
    "json.nan": ("a.json", "[NaN]"),
    "json.number": ("a.json", "[+1]"),
    "json.quote": ("a.json", '["a "b" c"]'),
    "json.several-values": ("a.json", "1\n2"),
    "json.single-quotes": ("a.json", "['a']"),
    "json.trailing-comma": ("a.json", "[1,]"),
    "json.unclosed": ("a.json", "[1"),
    "json.unclosed-string": ("a.json", '["a]'),
    "json.unexpected": ("a.json", "[:]"),
    "json.unquoted-key": ("a.json", "{a: 1}"),
    "yaml.alias": ("a.yaml", "a: *.js\n"),
    "yaml.block-text": ("a.yaml", "a: > b\n"),
    "yaml.bracket": ("a.yaml", "a: [1\n"),
    "yaml.character": ("a.yaml", "a: @b\n"),
    "yaml.colon": ("a.yaml", "a: b: c\n"),
    "yaml.comment": ("a.yaml", "a: 'b'# c\n"),
    "yaml.conflict": ("a.yaml", "a: 1\n<<<<<<< a\n=======\n>>>>>>> b\n"),
    "yaml.directive": ("a.yaml", "--- a\n...\n%YAML 1.2#x\n---\n"),
    "yaml.duplicate-key": ("a.yaml", "a: 1\na: 1\n"),
    "yaml.escape": ("a.yaml", 'a: "\\d"\n'),
    "yaml.indentation": ("a.yaml", "a:\n  - b\n c: 1\n"),
    "yaml.quote": ("a.yaml", "a: 'it's'\n"),
    "yaml.quote-indentation": ("a.yaml", "a: 'b\nc'\n"),
    "yaml.syntax": ("a.yaml", "a: !x!y z\n"),
    "yaml.tab": ("a.yaml", "a:\n\tb: 1\n"),
    "yaml.unclosed-string": ("a.yaml", "a: 'b\n"),
    "yaml.undefined-alias": ("a.yaml", "a: *b\n"),
    "yaml.unquoted-template": ("tasks/a.yml", "- name: {{ x }}\n"),
    "yaml.version": ("a.yaml", ": a\n"),
    "workflow.empty": (WORKFLOW, ""),
    "workflow.encoding": (WORKFLOW, b"on: \xe9\n"),
    "workflow.expression": (WORKFLOW, "on: push\njobs: {}\nname: ${{ x\n"),
    "workflow.job": (WORKFLOW, "on: push\njobs: {a: 1}\n"),
    "workflow.missing": (WORKFLOW, "on: push\n"),
    "workflow.runs-on": (WORKFLOW, "on: push\njobs: {a: {steps: []}}\n"),
    "workflow.step": (WORKFLOW, "on: push\njobs: {a: {runs-on: x, steps: [{name: y}]}}\n"),
    "toml.bracket": ("a.toml", "a = [1\nb = 2\n"),
    "toml.character": ("a.toml", 'a = "\x00"\n'),
    "toml.conflict": ("a.toml", "<<<<<<< a\na = 1\n"),
    "toml.duplicate-key": ("a.toml", "a = 1\na = 1\n"),
    "toml.encoding": ("a.toml", "a = 1".encode("utf-16")),
    "toml.equals": ("a.toml", "a\n"),
    "toml.escape": ("a.toml", 'a = "\\d"\n'),
    "toml.line": ("a.toml", "a = 1 2\n"),
    "toml.statement": ("a.toml", "!\n"),
    "toml.syntax": ("a.toml", "a. = 1\n"),
    "toml.unclosed-string": ("a.toml", 'a = "b\n'),
    "toml.value": ("a.toml", "a = b\n"),
    "toml.version": ("a.toml", "a = 01:02\n"),
    "xml.after-end": ("a.xml", "<a/><b/>"),
    "xml.ampersand": ("a.xml", "<a>& </a>"),
    "xml.attribute": ("a.xml", "<a b='1' b='1'/>"),
    "xml.character": ("a.xml", "<a>\x01</a>"),
    "xml.conflict": ("a.xml", "<a>\n<<<<<<< b\n</a>"),
    "xml.declaration": ("a.xml", " <?xml version='1.0'?><a/>"),
    "xml.empty": ("a.xml", ""),
    "xml.entity": ("a.xml", "<a>&b;</a>"),
    "xml.less-than": ("a.xml", "<a>1 < 2</a>"),
    "xml.mismatched-tag": ("a.xml", "<a></b>"),
    "xml.syntax": ("a.xml", "<a b=1/>"),
    "xml.unclosed": ("a.xml", "<a>"),
    "ini.conflict": ("tox.ini", "[a]\n<<<<<<< b\n"),
    "ini.duplicate-option": ("tox.ini", "[a]\nb = 1\nb = 1\n"),
    "ini.duplicate-section": ("tox.ini", "[a]\n[a]\n"),
    "ini.encoding": ("tox.ini", "[a]".encode("utf-16")),
    "ini.line": ("tox.ini", "[a]\nb\n"),
    "ini.section": ("tox.ini", "a = 1\n"),
    "env.duplicate-key": (".env", "A=1\nA=1\n"),
    "env.encoding": (".env", "A=1".encode("utf-16")),
    "env.line": (".env", "a b\n"),
    "env.name": (".env", "A B=1\n"),
    "env.unclosed-quote": (".env", 'A="b\n'),
    "dockerfile.arguments": ("Dockerfile", "FROM\n"),
    "dockerfile.empty": ("Dockerfile", ""),
    "dockerfile.encoding": ("Dockerfile", "FROM x".encode("utf-16")),
    "dockerfile.exec-form": ("Dockerfile", "FROM x\nCMD ['a']\n"),
    "dockerfile.from-first": ("Dockerfile", "RUN x\n"),
    "dockerfile.heredoc": ("Dockerfile", "FROM x\nRUN <<E\n"),
    "dockerfile.instruction": ("Dockerfile", "FROM x\nRNU y\n"),
}


def problems_of(name, content):
    if isinstance(content, str):
        return verify_text(Subject(FOLDER / name, content)).problems
    return verify_text(Subject(FOLDER / name, decoded(content).text, data=content)).problems


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_is_found_in_its_example_as_severe_and_as_fixable_as_it_is_said(rule):
    found = [problem for problem in problems_of(*EXAMPLES[rule.id]) if problem.rule == rule.id]

    assert found
    assert found[0].severity == rule.severity
    assert (found[0].rewrite is not None) == rule.fixable
    assert found[0].message.endswith((".", "…"))


def test_the_rules_that_are_listed_are_the_ones_in_the_code():
    code = "".join(path.read_text() for path in (ROOT / "verify_lsp" / "verifiers" / "data").rglob("*.py"))
    listed = {rule.id for rule in RULES}
    written = set(re.findall(r'"((?:json|yaml|workflow|toml|xml|ini|env|dockerfile)\.[a-z-]+)"', code))

    assert written == listed
    assert set(EXAMPLES) == listed
    assert len(listed) == len(RULES)


def test_the_page_lists_every_rule():
    page = (ROOT / "docs" / "verifiers.md").read_text(encoding="utf-8")
    rows = [
        f"| `{rule.id}` | {rule.severity} | {'yes' if rule.fixable else ''} | {rule.description} |" for rule in RULES
    ]

    assert [row for row in rows if row not in page] == []
    assert len(re.findall(r"^\| `[a-z]+\.[a-z-]+` \|", page, re.MULTILINE)) == len(RULES)
