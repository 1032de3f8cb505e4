"""Every sample report in every format, as it was when a person last looked at it.

`UPDATE_GOLDEN=1` writes them anew; look at the difference before committing it.
"""

import os
import re
from pathlib import Path

import pytest

from tests.harness.sample_reports import REPORTS, failing, passing, warning
from verify_lsp import __version__
from verify_lsp.codec import dumps
from verify_lsp.reports.compare import compare, render_comparison_markdown, render_comparison_text
from verify_lsp.reports.junit import render_junit
from verify_lsp.reports.markdown import render_markdown
from verify_lsp.reports.mutation_report import render_mutation_report
from verify_lsp.reports.sarif import render_sarif
from verify_lsp.reports.text import render_text

GOLDEN = Path(__file__).parent / "golden"
FORMATS = {
    "json": lambda report: dumps(report, indent=2) + "\n",
    "txt": lambda report: render_text(report, color=False, width=100),
    "ansi": lambda report: render_text(report, color=True, width=72),
    "md": render_markdown,
    "sarif": render_sarif,
    "xml": render_junit,
    "mutants": render_mutation_report,
}

# A thousand findings are worth a look only where a format bounds them.
CASES = [(name, form) for name in REPORTS for form in FORMATS if name != "crowded" or form in {"txt", "ansi", "md"}]


def _compare(name: str, text: str) -> None:
    golden = GOLDEN / name
    for key in ("semanticVersion", "version"):
        text = text.replace(f'"{key}": "{__version__}"', f'"{key}": "VERSION"')
    if os.environ.get("UPDATE_GOLDEN") == "1":
        GOLDEN.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_bytes().decode("utf-8")


@pytest.mark.parametrize(("name", "form"), CASES)
def test_a_report_reads_as_it_did(name, form):
    _compare(f"{name}.{form}", FORMATS[form](REPORTS[name]()))


@pytest.mark.parametrize("pair", [(failing, passing), (warning, failing)], ids=["mended", "worse"])
def test_a_comparison_reads_as_it_did(pair):
    old, new = pair
    comparison = compare(old(), new())
    name = f"{old.__name__}-to-{new.__name__}"
    _compare(f"{name}.txt", render_comparison_text(comparison))
    _compare(f"{name}.md", render_comparison_markdown(comparison))
    _compare(f"{name}.json", dumps(comparison, indent=2) + "\n")


def test_no_golden_file_is_left_over():
    wanted = {f"{name}.{form}" for name, form in CASES}
    wanted |= {
        f"{pair}.{form}" for pair in ("failing-to-passing", "warning-to-failing") for form in ("txt", "md", "json")
    }
    assert {path.name for path in GOLDEN.iterdir()} == wanted


def test_no_golden_file_names_this_machine():
    for path in GOLDEN.iterdir():
        text = path.read_text("utf-8")
        assert str(Path(__file__).parents[2]) not in text
        assert not re.search(r"/root\b|/tmp\b", text)


@pytest.mark.parametrize("form", FORMATS)
def test_each_format_ends_with_one_line_feed_and_has_no_trailing_spaces(form):
    for build in REPORTS.values():
        text = FORMATS[form](build())
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        if form == "txt":
            assert not re.search(r"[ \t]+$", text, re.MULTILINE)
