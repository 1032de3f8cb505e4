import re

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import HOSTILE, REPORTS, crowded, everything, failing, hostile
from tests.harness.samples import a_check, a_claim, a_fact, a_finding, a_report
from verify_lsp.model.fact import Evidence
from verify_lsp.model.report import Report
from verify_lsp.reports.markdown import MOST_CHARACTERS, render_markdown
from verify_lsp.reports.markdown_text import code, escaped, fenced, linked
from verify_lsp.reports.untrusted import one_line

# A reader as forges have it: HTML, tables, strike-through and bare addresses all mean something.
READER = MarkdownIt("gfm-like", {"html": True})
MARKS = st.text(alphabet="ab 1@#_*`~|[]()<>!&\\$:/.+-=\"'{}^wé数", max_size=30).map(lambda text: " ".join(text.split()))
OURS = {"details", "/details", "summary", "/summary"}


def _inline(tokens: list[Token]) -> list[Token]:
    return [child for token in tokens if token.type == "inline" for child in token.children or ()]


@settings(deadline=None, max_examples=500)
@given(MARKS | st.sampled_from([one_line(HOSTILE, 1000)]))
@example("a@evil.test http://evil.test www.evil.test <https://x> [x](command:y)")
@example("fixes #12, see o/r#3 and GH-4, thanks @octocat")
@example("1. one")
@example("`@x`")
@example("\\`a")
def test_escaped_text_shows_itself_and_nothing_else(line):
    tokens = READER.parse(f"- {escaped(line)}")
    assert [token.type for token in tokens if token.nesting >= 0] in (
        ["bullet_list_open", "list_item_open", "paragraph_open", "inline"],
        ["bullet_list_open", "list_item_open"],
    )
    children = _inline(tokens)
    assert {child.type for child in children} <= {"text", "code_inline"}
    assert "".join(child.content for child in children) == line


@given(MARKS)
def test_people_and_issues_are_called_in_code_only(line):
    for child in _inline(READER.parse(f"- {escaped(line)}")):
        if child.type != "code_inline":
            assert not re.search(r"[@#](?=\w)|\bGH-\d", child.content)


@given(MARKS)
def test_a_code_span_shows_itself(line):
    children = _inline(READER.parse(f"x {code(line)} y"))
    spans = [child.content for child in children if child.type == "code_inline"]
    assert spans == ([line] if line else [])


@given(st.lists(MARKS | st.sampled_from(["```", "~~~~", "</details>", "    code", ""]), max_size=5))
def test_a_fence_is_ended_by_none_of_its_lines(lines):
    tokens = READER.parse("\n".join(fenced(lines)))
    assert [token.type for token in tokens] == ["fence"]
    assert tokens[0].content.split("\n")[:-1] == lines


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://rules.example/a-b_c?x=1#y", "[r](<https://rules.example/a-b_c?x=1#y>)"),
        ("javascript:alert(1)", "r"),
        ("command:evil", "r"),
        ("https://a.example/x) [y](command:z", "r"),
        ("https://a.example/<x>", "r"),
        ("HTTPS://a.example\n", "r"),
        (None, "r"),
    ],
)
def test_only_plain_web_addresses_are_links(url, shown):
    assert linked("r", url) == shown


@pytest.mark.parametrize("name", REPORTS)
def test_no_foreign_text_becomes_markup(name):
    tokens = READER.parse(render_markdown(REPORTS[name]()))
    html = [t for token in tokens for t in [token, *(token.children or ())] if t.type in {"html_block", "html_inline"}]
    assert {tag for block in html for tag in re.findall(r"<([^>\s]+)", block.content)} <= OURS
    links = [child.attrs["href"] for child in _inline(tokens) if child.type == "link_open"]
    assert all(str(link).startswith("https://verify-lsp.example/") for link in links)
    assert not [child for child in _inline(tokens) if child.type in {"image", "s_open", "em_open", "table_open"}]
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert all(heading[0] in "✅⚠❌➖⏳FCNTRO" for heading in headings)


@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report))
def test_any_report_can_be_shown(report):
    text = render_markdown(report)
    assert len(text) <= MOST_CHARACTERS
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
    assert text.encode()


def test_a_rule_with_a_page_is_a_link():
    text = render_markdown(everything())
    assert "([`sql-string-format`](<https://verify-lsp.example/rules/sql-string-format>), critical)" in text


def test_the_content_is_that_of_the_text():
    text = render_markdown(failing())
    assert text.startswith("## ❌ verify-lsp: fail\n")
    assert "3. ❌ tests: 1 test fails" in text
    assert "- ❌ “All 7 tests pass.” — **contradicted by fact 3**: 1 test fails" in text
    assert "- `tests/test_checkout.py:15`: tests.test_checkout.DiscountTest.test_ten_percent" in text
    assert "### Not verified\n\n- mutation: the tests fail" in text
    assert "### There before the change\n\n1 finding: 1 in tests" in text
    assert "- shop/checkout.py handles money (payment code)" in text


def test_names_with_underscores_stay_readable():
    assert escaped("test_ten_percent, _private and 10 % (so)") == "test_ten_percent, \\_private and 10 % (so)"


def test_a_thousand_findings_are_bounded_and_say_how_to_see_all():
    text = render_markdown(crowded())
    assert "- … 875 more findings; see all: `verify-lsp report show 20260314-091500-a1b2c3 --format json`" in text
    assert len(text) < MOST_CHARACTERS


@pytest.mark.parametrize("character", ["<", "@x", "`", "\\", "数", "\u202e"])
def test_the_worst_report_still_fits_a_comment(character):
    long = character * 2_000
    findings = tuple(
        a_finding(id=str(n), message=f"{long}\n" * 9, evidence=long, suggestion=long, path=long[:900], rule=long)
        for n in range(8)
    )
    kinds = ("project-check", "security", "tests", "lint")
    report = a_report(
        status="fail",
        checks=tuple(
            a_check(k, "fail", summary=long, findings=findings, output=f"{long}\n" * 60, command=long) for k in kinds
        ),
        facts=tuple(a_fact(id=f"f{n}", text=long, evidence=Evidence(command=long)) for n in range(100)),
        claims=tuple(a_claim(text=long, status="contradicted", facts=("f1",)) for _ in range(100)),
        risk_reasons=(long,) * 100,
        risk_tier=2,
    )
    assert len(render_markdown(report)) <= MOST_CHARACTERS


def test_hostile_output_stays_in_its_fold():
    text = render_markdown(hostile())
    assert text.count("<details>") == text.count("\n</details>\n") == 2
