import time
import tracemalloc

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import errors, is_right, judged, mended, said
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.verify import verify_text

TAGS = """\
a: !Ref X
b: !Sub 'a${b}'
c: !GetAtt a.b
d: !!python/name:pymdownx.slugs.slugify
e: !ENV V
f: !vault |
  6162
g: !reference [.a, script]
h: !relative $d
i: !include x.yaml
j: !!python/object/apply:os.system [exit 1]
"""


def bomb(levels=9, width=9):
    lines = ["a0: &a0 [x]"]
    lines += [f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]" for level in range(1, levels + 1)]
    return "\n".join(lines) + "\n"


def test_tags_of_any_kind_are_right_and_construct_nothing():
    assert judged("a.yaml", TAGS).problems == ()


@pytest.mark.parametrize("name", ["a.yaml", "a.yml", ".clang-format", ".condarc"])
def test_names_that_are_yaml(name):
    assert is_right(name, "a: 1\n---\nb: [1, 2]\n...\n")
    assert not is_right(name, "a: b: c\n")


@pytest.mark.parametrize("text", ["", "# nothing\n", "---\n", "---\na: 1\n---\nb: 2\n", "\ufeffa: 1\n", "a:\tb\n"])
def test_empty_commented_and_multiple_documents_are_right(text):
    assert judged("a.yaml", text).problems == ()


@pytest.mark.parametrize("value", ["no", "0755", "22:22", "1.10", "on", "~", "2024-01-01", "1_000", "0o7"])
def test_values_whose_meaning_depends_on_the_version_are_never_complained_of(value):
    assert judged("a.yaml", f"country: {value}\n{value}: x\n").problems == ()


@pytest.mark.parametrize(
    ("text", "line", "first"),
    [
        ("a: 1\na: 2\n", 2, 1),
        ("x:\n  a: 1\n  b: 2\n  a: 3\n", 4, 2),
        ('services:\n  web:\n    image: a\n  "web":\n    image: b\n', 4, 2),
        ("b: &b {x: 1}\nc:\n  <<: *b\n  <<: *b\n", 4, 3),
        ("{a: 1,\n a: 2}\n", 2, 1),
        ("a: 1\r\nb: 1\r\na: 2\r\n", 3, 1),
    ],
)
def test_a_second_key_is_a_warning_with_both_lines(text, line, first):
    (problem,) = judged("a.yaml", text).problems

    assert (problem.rule, problem.severity, problem.line) == ("yaml.duplicate-key", "medium", line)
    assert f"line {first}" in problem.message


@pytest.mark.parametrize(
    "text",
    [
        "b: &b {x: 1}\nc:\n  <<: *b\n  x: 2\n",
        "- a: 1\n- a: 2\n",
        "a: 1\n---\na: 2\n",
        '1: a\n"1": b\n',
        "? [a]\n: 1\n? [a]\n: 2\n",
    ],
)
def test_what_is_no_second_key_is_not_flagged(text):
    assert judged("a.yaml", text).problems == ()


def test_an_alias_without_its_anchor_is_an_error():
    assert said("a.yaml", "a: *b\n") == [("yaml.undefined-alias", 1, 4)]
    assert said("a.yaml", "b: &b 1\n---\na: *b\n") == [("yaml.undefined-alias", 3, 4)]


def test_an_alias_bomb_is_right_at_no_cost():
    text = bomb()
    tracemalloc.start()
    started = time.process_time()

    assert is_right("a.yaml", text)

    assert time.process_time() - started < 2
    assert tracemalloc.get_traced_memory()[1] < 5_000_000
    tracemalloc.stop()


def test_recursive_anchors_and_thousands_of_aliases_are_right():
    assert is_right("a.yaml", "&root\nprop: {sub: *root}\n")
    assert is_right("a.yaml", "a: &a 1\n" + "".join(f"k{index}: *a\n" for index in range(3000)))


@pytest.mark.parametrize(
    "text", ["[" * 3000 + "]" * 3000, "- " * 5000 + "x", "".join(" " * i + "a:\n" for i in range(1500))]
)
def test_what_is_too_deep_is_skipped_and_does_not_crash(text):
    assert "too deep" in (judged("a.yaml", text).skipped or "")


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("a: b: c\n", "yaml.colon", 1, 5),
        ("a:\n  - b\n c: 1\n", "yaml.indentation", 3, 2),
        ("a: 'x\nb: 2\n", "yaml.unclosed-string", 1, 4),
        ('a: 1\nb: "x\nc: 2\n', "yaml.unclosed-string", 2, 4),
        ("a: [1, 2\nb: 3\n", "yaml.bracket", 2, 2),
        ("a: 1\nb: [1,\n", "yaml.bracket", 2, 4),
        ("a: @x\n", "yaml.character", 1, 4),
        ("b: 1\na: *.js\n", "yaml.alias", 2, 4),
        ("a: 'it's'\n", "yaml.quote", 1, 8),
        ("- 'a' b\n", "yaml.quote", 1, 7),
        ("b: 1\nk: > text\n", "yaml.block-text", 2, 6),
        ("a: 1\nb:2\nc: 3\n", "yaml.colon", 2, 1),
        ("a: `x`\n", "yaml.character", 1, 4),
        ('a: "\\d"\n', "yaml.escape", 1, 5),
        ("a:\n\t- b\n", "yaml.tab", 2, 1),
        ("a: x\0y\n", "yaml.character", 1, 5),
        ("é: 😀\nb: c: d\n", "yaml.colon", 2, 5),
        ("a: 1\r\nb: c: d\r\n", "yaml.colon", 2, 5),
        ("\ufeffa: b: c\n", "yaml.colon", 1, 5),
        ("a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", "yaml.conflict", 2, 1),
        ("a: 1\njust words\nb: 2\n", "yaml.colon", 2, 1),
        ("a: x\u2028y\nb: c: d\n", "yaml.colon", 2, 5),
    ],
)
def test_each_mistake_is_named_at_its_place(text, rule, line, column):
    assert said("a.yaml", text)[0] == (rule, line, column)


CHART = "apiVersion: v2\nname: x\n"
HELM = 'name: {{ include "a" . }}\n{{- if .Values.x }}\na: 1\n{{- end }}\n'


def test_a_template_of_a_chart_is_skipped_and_the_chart_itself_is_not(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "Chart.yaml").write_text(CHART)

    def verdict(name, text):
        return verify_text(Subject(tmp_path / name, text))

    assert "template" in verdict("templates/x.yaml", HELM).skipped
    assert "template" in verdict("templates/sub/y.yaml", 'a: "{{ .Values.a }}"\n').skipped
    assert errors(verdict("templates/plain.yaml", "a: b: c\n"))
    assert errors(verdict("Chart.yaml", "name: a: b\n"))
    assert errors(verdict("values.yaml", "name: 'a\n"))


@pytest.mark.parametrize(
    "text",
    [
        HELM,
        "{% if a %}\nb: 1\n{% endif %}\n",
        "a: {{ cookiecutter.name }}\n",
        "a: {{ x }}-suffix\nb: 1\n",
        "a:\n{%- for x in y %}\n  - {{ x }}\n{%- endfor %}\n",
        "{# comment #}\na: {{ b }}\n",
    ],
)
def test_templates_elsewhere_are_skipped(text):
    verdict = judged("a.yaml", text)

    assert "template" in (verdict.skipped or "")
    assert verdict.problems == ()


def test_templates_by_name_have_no_verifier():
    for name in ("a.yaml.j2", "_helpers.tpl", "a.yml.erb"):
        assert verify_text(Subject(tmp := __import__("pathlib").Path("/p") / name, "{{ x }}")) is None, tmp


@pytest.mark.parametrize(
    "text",
    [
        'a: "{{ x }}"\nb: c: d\n',
        "a: ${{ x }}\nb: c: d\n",
        "a: |\n  {% if x %}\nb: c: d\n",
        "# {{ x }}\nb: c: d\n",
        "b: c: d\na: {{ x }}\n",
    ],
)
def test_a_mistake_in_a_file_that_only_looks_like_a_template_is_an_error(text):
    assert [problem.rule for problem in errors(judged("a.yaml", text))] == ["yaml.colon"]


def test_a_bare_placeholder_for_ansible_is_an_error_that_says_what_to_do():
    for name, text in [
        ("site.yml", "- hosts: all\n  tasks:\n    - name: {{ x }}\n"),
        ("roles/a/tasks/main.yml", "- name: {{ x }}/y\n  debug:\n"),
    ]:
        (problem,) = judged(name, text).problems
        assert problem.rule == "yaml.unquoted-template"
        assert text.split("\n")[problem.line - 1][problem.column - 1 :].startswith("{{")
        assert "quotes" in (problem.suggestion or "")


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("a:\n\tb: 1\n\tc:\n\t\td: 2\n", "a:\n  b: 1\n  c:\n    d: 2\n"),
        ("a:\r\n\t- b\r\n\t- c\r\n", "a:\r\n  - b\r\n  - c\r\n"),
        ("x:\n    y: 1\na:\n\tb: 1\n", "x:\n    y: 1\na:\n    b: 1\n"),
        ("t: |\n  x\n   y\na:\n\tb: 1\n", "t: |\n  x\n   y\na:\n  b: 1\n"),
        ("a: 1\nb: 2\na: 1\n", "a: 1\nb: 2\n"),
        ("x:\r\n  a: 'b'  # c\r\n  a: 'b'  # c\r\ny: 1\r\n", "x:\r\n  a: 'b'  # c\r\ny: 1\r\n"),
        ("\ufeffa: 1\na: 1\n", "\ufeffa: 1\n"),
    ],
)
def test_what_is_certain_is_mended_and_all_else_stays(text, right):
    assert mended("a.yaml", text) == right
    assert judged("a.yaml", right).problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "a:\n\tb: 1\n  c: 2\n",
        "a:\n  b: 1\n\tc: 2\n",
        "a: |\n\tx\n",
        "a: 1\n\t- b\nc: 2\n",
        "a: 1\nb: 2\na: 2\n",
        "a: &x 1\na: &x 1\n",
        "a: {b: 1}\na: {b: 1}\n",
        "{a: 1, a: 1}\n",
    ],
)
def test_what_is_not_certain_is_not_mended(text):
    verdict = judged("a.yaml", text)

    assert verdict.problems != ()
    assert all(problem.rewrite is None for problem in verdict.problems)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=10),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
        max_leaves=10,
    )
)
def test_whatever_pyyaml_writes_is_right(value):
    assert judged("a.yaml", yaml.safe_dump(value, allow_unicode=True)).problems == ()


@given(st.text(alphabet="ab:-?&*!|>'\"%@`#{}[], \n\t<\ufeff\x85", max_size=40))
def test_no_text_is_worse_than_an_error_in_its_bounds(text):
    verdict = judged("a.yaml", text)

    for problem in verdict.problems:
        assert 1 <= problem.line <= text.count("\n") + 1
        assert 1 <= (problem.column or 1) <= len(text) + 1


@given(
    st.recursive(
        st.integers() | st.sampled_from(["x", "y z"]),
        lambda inner: st.dictionaries(st.sampled_from("abcd"), inner, min_size=1, max_size=3),
        max_leaves=6,
    ).filter(lambda value: isinstance(value, dict)),
    st.sampled_from(["\n", "\r\n"]),
)
def test_indentation_by_tabs_becomes_the_same_yaml(value, line_end):
    right = yaml.safe_dump(value, default_flow_style=False, indent=2)
    text = "\n".join("\t" * ((len(line) - len(line.lstrip())) // 2) + line.lstrip() for line in right.split("\n"))
    if "\t" not in text:
        return

    once = mended("a.yaml", text.replace("\n", line_end))

    assert yaml.safe_load(once) == value
    assert once.replace("\r\n", "\n") == right
    assert judged("a.yaml", once).problems == ()
