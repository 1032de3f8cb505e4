import re
from pathlib import Path
from typing import get_args

from tests.harness.sample_reports import failing
from verify_lsp.model.fact import ClaimStatus
from verify_lsp.model.report import ReportStatus
from verify_lsp.reports.text import render_text

PAGE = Path(__file__).parents[2] / "docs" / "report.md"
EXAMPLE = re.compile(r"(?<=tests/reports/test_docs\.py\. -->\n```text\n).*?(?=```\n)", re.DOTALL)


def test_the_example_is_what_the_command_line_shows():
    page = PAGE.read_text("utf-8")
    example = render_text(failing(), color=False, width=100)
    fresh = EXAMPLE.sub(lambda _: example, page, count=1)
    assert example in fresh
    if page != fresh:
        PAGE.write_text(fresh, encoding="utf-8")
    assert page == fresh, "the example of docs/report.md was stale; it has been written anew"


def test_every_status_and_verdict_is_explained():
    page = PAGE.read_text("utf-8")
    for word in (*get_args(ReportStatus), *get_args(ClaimStatus)):
        assert f"\n| `{word}` | " in page


def test_what_the_page_says_of_the_example_is_so():
    report = failing()
    claim = next(claim for claim in report.claims if claim.status == "contradicted")
    assert [report.facts.index(fact) + 1 for fact in report.facts if fact.id in claim.facts] == [3]
    assert "fact 3 says otherwise" in PAGE.read_text("utf-8")
