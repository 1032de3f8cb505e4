import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import errors, is_right, judged, mended, said

JSONC = '/* x */ {"compilerOptions":{"strict":true,},}'
WITH_COMMENTS = [
    "tsconfig.json",
    "tsconfig.app.json",
    "jsconfig.json",
    ".vscode/settings.json",
    ".vscode/launch.json",
    ".devcontainer/devcontainer.json",
    ".eslintrc.json",
    "turbo.json",
    "deno.json",
    "deno.jsonc",
    "x.code-workspace",
    ".swcrc",
    ".babelrc",
    "api-extractor.json",
    "bun.lock",
    "appsettings.Development.json",
    "x.json5",
]


@pytest.mark.parametrize("name", WITH_COMMENTS)
def test_names_of_files_with_comments_may_have_comments_and_trailing_commas(name):
    assert is_right(name, JSONC)
    assert judged(name, JSONC).problems == ()


@pytest.mark.parametrize("name", ["package.json", "data.json", "composer.lock", "Pipfile.lock", "a.ipynb", "a.geojson"])
def test_other_names_are_strict(name):
    assert said(name, JSONC) == [
        ("json.comment", 1, 1),
        ("json.trailing-comma", 1, 42),
        ("json.trailing-comma", 1, 44),
    ]


@pytest.mark.parametrize("name", [".eslintrc", ".prettierrc"])
def test_names_without_extension_are_json_with_comments_or_yaml(name):
    assert is_right(name, JSONC)
    assert is_right(name, "semi: false\nrules:\n  - a\n")
    assert said(name, '{"a":}') == [("json.missing-value", 1, 6)]
    assert said(name, "a: b: c\n") == [("yaml.colon", 1, 5)]


def test_a_broken_file_with_comments_is_an_error_on_its_line():
    assert said("tsconfig.json", '// c\n{\n  "a":\n}\n') == [("json.missing-value", 4, 1)]
    assert said("tsconfig.json", '{"a":}') == [("json.missing-value", 1, 6)]


def test_a_byte_order_mark_is_a_warning_that_names_it():
    (problem,) = judged("package.json", '\ufeff{"a": 1}').problems

    assert (problem.rule, problem.severity, problem.line, problem.column) == ("json.bom", "medium", 1, 1)
    assert "byte order mark" in problem.message
    assert mended("package.json", '\ufeff{"a": 1}') == '{"a": 1}'


@pytest.mark.parametrize("name", ["appsettings.json", "tsconfig.json", "a.json5"])
def test_a_byte_order_mark_is_nothing_wrong_where_comments_are_read(name):
    assert judged(name, '\ufeff{"a": 1}').problems == ()


def test_a_byte_order_mark_moves_no_column():
    assert said("a.json", '\ufeff{"a": 1,}') == [("json.bom", 1, 1), ("json.trailing-comma", 1, 8)]


def test_a_second_key_is_a_warning_that_names_the_line_of_the_first():
    (problem,) = judged("package.json", '{\n"scripts": {"a": "b"},\n"scripts": {}\n}').problems

    assert (problem.rule, problem.severity, problem.line, problem.column) == ("json.duplicate-key", "medium", 3, 1)
    assert "line 2" in problem.message
    assert problem.rewrite is None


def test_keys_are_compared_by_what_they_say_and_within_their_object():
    assert said("a.json", '{"a": 1, "\\u0061": 2}') == [("json.duplicate-key", 1, 10)]
    assert said("a.json", '{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}') == []
    assert said("a.json5", "{a: 1, 'a': 2}") == [("json.duplicate-key", 1, 8)]


def test_a_key_that_stands_for_comments_may_be_repeated():
    assert said("package.json", '{"//": "one", "//": "two"}') == []


def test_an_empty_file_is_one_clear_error():
    for text in ("", " \n\t\n"):
        (problem,) = judged("x.json", text).problems
        assert (problem.rule, problem.severity) == ("json.empty", "high")
        assert "empty" in problem.message


def test_an_empty_file_with_comments_is_right_as_its_readers_take_it_for_none():
    assert is_right("tsconfig.json", "")
    assert is_right(".vscode/settings.json", "// nothing yet\n")
    assert not is_right("a.json5", "")


def test_several_values_in_one_file_point_at_the_second_and_at_ndjson():
    (problem,) = judged("logs.json", '{"a": 1}\n{"a": 2}\n{"a": 3}\n').problems

    assert (problem.rule, problem.line, problem.column) == ("json.several-values", 2, 1)
    assert "NDJSON" in (problem.suggestion or "")


@pytest.mark.parametrize("name", ["events.ndjson", "data.jsonl"])
def test_one_value_a_line_is_what_these_names_are_for(name):
    assert is_right(name, '{"a": 1}\r\n\n[2]\n3\n')
    assert is_right(name, "")
    assert said(name, '{"a": 1}\n{"a": }\n{"a": 1\n') == [
        ("json.missing-value", 2, 7),
        ("json.unclosed", 3, 8),
    ]


@pytest.mark.parametrize(
    ("text", "rule", "line", "column"),
    [
        ("[1}", "json.bracket", 1, 3),
        ('{"a": [1, 2}\n', "json.bracket", 1, 12),
        ('{\n  "a": 1\n', "json.unclosed", 3, 1),
        ('{"a": "x\n}', "json.unclosed-string", 1, 7),
        ('{"a": "he said "hi" there"}', "json.quote", 1, 17),
        ('{"a" 1}', "json.missing-colon", 1, 6),
        ('{"a": 1 "b": 2}', "json.missing-comma", 1, 8),
        ("[1\n2]", "json.missing-comma", 1, 3),
        ("[NaN]", "json.nan", 1, 2),
        ("[-Infinity]", "json.nan", 1, 2),
        ("[01]", "json.number", 1, 2),
        ("[1.]", "json.number", 1, 2),
        ("[undefined]", "json.literal", 1, 2),
        ("[True]", "json.literal", 1, 2),
        ("{a: 1}", "json.unquoted-key", 1, 2),
        ("{'a': 1}", "json.single-quotes", 1, 2),
        ('["\\x"]', "json.escape", 1, 3),
        ('["\t"]', "json.control-character", 1, 3),
        ("[,1]", "json.missing-value", 1, 2),
        ("{}}", "json.bracket", 1, 3),
        ("{}, 1", "json.after-end", 1, 3),
        ("<<<<<<< HEAD\n{}\n=======\n[]\n>>>>>>> x\n", "json.conflict", 1, 1),
        ('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> x\n}', "json.conflict", 2, 1),
        ("[1] /* x", "json.comment", 1, 5),
        ("# x\n{}", "json.comment", 1, 1),
        ('{"😀": 1, "b" 2}', "json.missing-colon", 1, 14),
        ('{"a": 1,\r\n "b" 2}', "json.missing-colon", 2, 6),
    ],
)
def test_each_mistake_is_named_at_its_place(text, rule, line, column):
    assert said("a.json", text)[0] == (rule, line, column)


def test_the_message_of_an_open_bracket_names_the_line_where_it_opened():
    (problem,) = judged("a.json", '{\n"a": [\n1,\n2\n').problems

    assert "`[` of line 2" in problem.message


def test_what_is_read_on_after_a_mistake_is_judged_too():
    assert [rule for rule, _, _ in said("a.json", "{'a': True, b: 1,}")] == [
        "json.single-quotes",
        "json.literal",
        "json.unquoted-key",
        "json.trailing-comma",
    ]


@pytest.mark.parametrize(
    "text", ['{"a": {{ x }} }', '{% if a %}{"a": 1}{% endif %}', '{"a": 1, {{ more }} }', '{"a": <%= x %>}']
)
def test_a_template_is_skipped(text):
    verdict = judged("a.json", text)

    assert "template" in (verdict.skipped or "")
    assert verdict.problems == ()


def test_a_doubled_brace_is_no_template():
    assert errors(judged("a.json", '{{"a": 1}}'))
    assert is_right("a.json", '{"a": "{{ x }} {% y %}"}')


@pytest.mark.parametrize("depth", [3000, 100_000])
def test_what_is_too_deep_is_skipped_and_does_not_crash(depth):
    verdict = judged("a.json", "[" * depth + "]" * depth)

    assert "too deep" in (verdict.skipped or "")
    assert verdict.problems == ()
    assert is_right("a.json", "[" * 900 + "]" * 900)


def test_numbers_without_end_are_no_trouble():
    assert is_right("a.json", f"[{'1' * 5000}, 1e999, 0.{'1' * 5000}]")


def test_lone_surrogates_are_right_as_the_grammar_has_them():
    assert is_right("a.json", '["\\ud800", "\\udc00\\ud800"]')


def test_a_large_file_on_one_line_is_judged_within_its_time():
    text = "[" + ",".join('"0123456789"' for _ in range(370_000)) + "]"
    started = time.process_time()

    assert is_right("a.json", text)
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('{"a": 1,}', '{"a": 1}'),
        ('{\r\n  "a": [\r\n    1,\r\n  ],\r\n}\r\n', '{\r\n  "a": [\r\n    1\r\n  ]\r\n}\r\n'),
        ('// c\n{\n  // d\n  "a": 1, // e\n  "b": /* f */ 2\n}\n', '{\n  "a": 1,\n  "b":   2\n}\n'),
        ('{"a": 1\n "b": 2}', '{"a": 1,\n "b": 2}'),
        ("[1\n2\r\n{}]", "[1,\n2,\r\n{}]"),
        ("{'a': 'it\\'s \"x\" \\n'}", '{"a": "it\'s \\"x\\" \\n"}'),
        ("{a: True, b_c: None}", '{"a": true, "b_c": null}'),
        ('{\n  "a": 1,\n  "b": 2,\n  "a": 1\n}', '{\n  "a": 1,\n  "b": 2\n}'),
        ('["\t"]', '["\\t"]'),
        ("\ufeff[1,]", "[1]"),
        ("// é\r\n{\r\n// x\r\n}\r\n", "{\r\n}\r\n"),
    ],
)
def test_what_is_certain_is_mended_and_all_else_stays(text, right):
    assert mended("a.json", text) == right
    assert judged("a.json", right).problems == ()
    json.loads(right)


@pytest.mark.parametrize("text", ["['\\q']", '["a" "b"]', "[NaN]", '{"a": 1, "a": 2}', "[01]", '{"a" 1}'])
def test_what_is_not_certain_is_not_mended(text):
    assert all(problem.rewrite is None for problem in judged("a.json", text).problems)
    assert judged("a.json", text).problems != ()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_whatever_the_standard_library_writes_is_right(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)

    assert judged("a.json", text).problems == ()
    assert is_right("a.json5", text)


def with_faults(text: str, draw) -> str:
    """Put trailing commas, comments and the like between the pieces of a right text."""
    pieces: list[str] = []
    in_string = False
    for index, letter in enumerate(text):
        if letter == '"' and (index == 0 or text[index - 1] != "\\"):
            in_string = not in_string
        if letter in "]}" and not in_string and text[:index].rstrip()[-1:] not in "[{" and draw(st.booleans()):
            pieces.append(",")
        pieces.append(letter)
        if letter in ",[{" and not in_string and draw(st.booleans()):
            pieces.append(draw(st.sampled_from([" // x\r\n", "/* y */", "\n// z\n", ""])))
    return "".join(pieces)


@given(st.data())
def test_trailing_commas_and_comments_go_and_the_value_stays(data):
    value = data.draw(st.lists(st.integers() | st.dictionaries(st.sampled_from("abc"), st.integers()), min_size=1))
    text = with_faults(json.dumps(value, indent=1), data.draw)
    verdict = judged("a.json", text)
    if not verdict.problems:
        return

    once = mended("a.json", text)

    assert json.loads(once) == value
    assert judged("a.json", once).problems == ()
    assert is_right("tsconfig.json", text)


@given(st.text(alphabet="{}[]:,\"'\\ \n/*ab01-.eNtrue\ufeff\t", max_size=40))
def test_the_verdict_is_the_standard_librarys_whatever_the_text(text):
    def refuse(constant: str) -> None:
        raise ValueError(constant)

    verdict = judged("a.json", text)
    try:
        json.loads(text.removeprefix("\ufeff"), parse_constant=refuse)
    except ValueError:
        assert errors(verdict) or verdict.skipped
    else:
        assert not errors(verdict)
        assert verdict.skipped is None


@given(st.text(alphabet="{}[]:,\"'\\ \n/*ab01-.eN\ufeff\t", max_size=40))
def test_a_rewrite_takes_its_problem_away_and_is_made_once(text):
    from verify_lsp.model.rewrite import rewritten

    for problem in judged("a.json", text).problems:
        if problem.rewrite is not None:
            after = rewritten(text, problem.rewrite)
            assert after != text
            before_ = sum(each.rule == problem.rule for each in judged("a.json", text).problems)
            after_ = sum(each.rule == problem.rule for each in judged("a.json", after).problems)
            assert after_ <= before_


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", '"x"', "[1, {}]", "null"])), max_size=7),
    st.sampled_from([",", ", ", ",\n  ", ",\r\n\t"]),
)
def test_members_that_say_the_same_again_go_and_all_else_stays(members, separator):
    first = dict(reversed(members))
    same = [(key, value) for key, value in members if first[key] == value]
    text = "{" + separator.join(f'"{key}": {value}' for key, value in same) + "}"
    while judged("a.json", text).problems:
        text = mended("a.json", text)

    kept = list(dict.fromkeys(same))
    assert text == "{" + separator.join(f'"{key}": {value}' for key, value in kept) + "}"


@given(VALUES.filter(lambda value: isinstance(value, list | dict)), st.randoms(), st.sampled_from(["\n", "\r\n"]))
def test_commas_that_are_missing_at_line_ends_come_back_where_they_were(value, random, line_end):
    right = json.dumps(value, indent=2).replace("\n", line_end)
    lines = right.split(line_end)
    text = line_end.join(line.removesuffix(",") if random.random() < 0.5 else line for line in lines)
    if text == right:
        return
    once = mended("a.json", text)

    assert once == right
    assert judged("a.json", once).problems == ()


@given(VALUES, st.booleans())
def test_words_and_quotes_of_python_become_json(value, bare):
    text = repr(value) if not bare else "{a: " + repr(value) + "}"
    verdict = judged("a.json", text)
    if not verdict.problems or any(problem.rewrite is None for problem in verdict.problems):
        return
    once = mended("a.json", text)

    assert json.loads(once) == (value if not bare else {"a": value})
