"""Whatever the text, findings lie within it, carry no secret, and only speak of lines that count."""

from hypothesis import given
from hypothesis import strategies as st

from tests.harness.security import named_example
from verify_lsp.model.change import Line
from verify_lsp.model.rewrite import rewritten
from verify_lsp.security.rule import Guard
from verify_lsp.security.rules import rules
from verify_lsp.security.scan import scan_text

EXAMPLES = sorted(
    {
        line
        for rule in rules()
        if not any(isinstance(matcher, Guard) for matcher in rule.match)
        for example in (*rule.bad, *rule.good)
        for line in named_example(rule, example)[1].split("\n")
    }
)
PATHS = st.sampled_from(
    ["app.py", "a.js", "a.tsx", "a.go", "a.rs", "a.sh", "a.yaml", "a.tf", "Dockerfile", ".env", "a.md", "a"]
)
LINES = st.lists(st.one_of(st.sampled_from(EXAMPLES), st.text(max_size=30)), max_size=15)


@given(PATHS, LINES, st.sampled_from(["\n", "\r\n"]), st.data())
def test_findings_lie_within_the_text_and_on_lines_that_count(path, lines, end, data):
    text = end.join(lines)
    total = text.count("\n") + 1
    added = data.draw(st.none() | st.frozensets(st.integers(1, total)))
    removed = (
        [Line(number, lines[0]) for number in data.draw(st.lists(st.integers(1, total), max_size=3))] if lines else []
    )

    for problem in scan_text(path, text, added, removed):
        own = text.split("\n")[problem.line - 1]
        assert 1 <= problem.line <= (problem.end_line or problem.line) <= total
        assert 1 <= (problem.column or 1) <= len(own) + 1
        assert problem.path == path
        if problem.rewrite is not None:
            rewritten(text, problem.rewrite)
        if added is not None and not removed:
            touched = range(problem.line, (problem.end_line or problem.line) + 1)
            assert added & set(touched)


@given(PATHS, LINES)
def test_scanning_twice_says_the_same(path, lines):
    text = "\n".join(lines)

    assert scan_text(path, text) == scan_text(path, text)
