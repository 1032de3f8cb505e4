import re
import time
import unicodedata

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import HOSTILE, REPORTS, crowded, everything, failing, hostile, passing, warning
from tests.harness.samples import a_check, a_claim, a_fact, a_finding, a_report
from verify_lsp.model.fact import Evidence
from verify_lsp.model.report import Report
from verify_lsp.reports.markdown import render_markdown
from verify_lsp.reports.summary import summarize
from verify_lsp.reports.terminal import Span, Terminal, broken, cells, cut_cells
from verify_lsp.reports.text import render_summaries, render_text

SGR = re.compile(r"\x1b\[(?:\d+(?:;\d+)*)m")


def text_of(report, width=0):
    return render_text(report, color=False, width=width)


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report))
def test_any_report_can_be_shown(report):
    shown = text_of(report, width=80)
    hidden = {c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} - set("\n\u200c\u200d")
    assert not hidden
    shown.encode()


@pytest.mark.parametrize("name", REPORTS)
def test_no_control_character_of_the_data_reaches_the_terminal(name):
    plain = text_of(REPORTS[name](), width=80)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069]", plain)
    coloured = render_text(REPORTS[name](), color=True, width=80)
    assert SGR.sub("", coloured) == plain


def test_colours_come_only_when_asked():
    assert "\x1b" not in text_of(failing())
    assert "\x1b[31m" in render_text(failing(), color=True, width=100)


@pytest.mark.parametrize("width", [40, 60, 72, 100, 140])
@pytest.mark.parametrize("name", REPORTS)
def test_no_line_is_wider_than_the_terminal_but_for_what_must_stay_whole(name, width):
    for line in text_of(REPORTS[name](), width).splitlines():
        whole = re.search(r"^  \S[^:]*:\d+(:\d+)?: .*\] \(\w+\)$|verify-lsp (report|fix) ", line)
        assert cells(line) <= width or whole, line


def test_a_check_that_passed_names_what_it_found_all_the_same():
    finding = a_finding(severity="low", message="changing `<` to `<=` here goes unnoticed by the test that runs it")
    check = a_check("mutation", "pass", findings=(finding,))
    shown = text_of(a_report(checks=(check,)))
    assert "mutation passed in" in shown
    assert "goes unnoticed by the test that runs it" in shown
    assert "goes unnoticed by the test that runs it" in render_markdown(a_report(checks=(check,)))


def test_without_a_width_nothing_is_wrapped_or_cut():
    long = "word " * 70
    finding = a_finding(message=long.strip(), evidence="x" * 290)
    shown = text_of(a_report(status="warn", checks=(a_check("lint", "warn", findings=(finding,)),)))
    assert f"  shop/checkout.py:12: {long.strip()} [F401] (medium)\n" in shown
    assert "│ " + "x" * 290 + "\n" in shown


def test_a_finding_starts_with_its_place_so_that_it_can_be_clicked_and_grepped():
    shown = text_of(everything())
    assert "  tests/test_checkout.py:15: tests.test_checkout.DiscountTest.test_ten_percent_from_exactly_one_hundred_on: AssertionError: 0 != 1000 [test-failed] (high)\n" in shown  # fmt: skip
    assert "  shop/orders.py:8:5: This statement" in shown
    assert "  security: no file named [note] (info)\n" in shown


def test_a_place_with_spaces_is_kept_whole():
    finding = a_finding(path="NCR API  GW/a b.py", line=7, column=3)
    shown = text_of(a_report(status="warn", checks=(a_check("lint", "warn", findings=(finding,)),)), width=40)
    assert "  NCR API  GW/a b.py:7:3:" in shown


def test_the_gravest_findings_come_first():
    findings = tuple(a_finding(severity=severity, message=severity) for severity in ("info", "high", "low", "critical"))
    shown = text_of(a_report(status="fail", checks=(a_check("security", "fail", findings=findings),)))
    places = [shown.index(f": {word} [F401]") for word in ("critical", "high", "low", "info")]
    assert places == sorted(places)


def test_what_was_there_before_is_told_apart_and_folded_to_a_count():
    shown = text_of(failing())
    assert "test_a_voucher_is_taken_off" not in shown
    assert "There before the change\n  1 finding: 1 in tests\n" in shown


def test_a_check_that_did_not_look_is_never_shown_as_passed():
    shown = text_of(warning())
    assert "Not verified\n  – tests: web: vitest is not installed\n" in shown
    assert "passed" not in shown
    everything_skipped = a_report(
        status="warn",
        facts=(),
        checks=(a_check("tests", "skipped", summary="not verified: x", reason="go is missing"),),
    )
    shown = text_of(everything_skipped)
    assert shown.startswith("WARN not verified: tests\n")
    assert "passed" not in shown
    assert "✓" not in shown


def test_the_verdict_names_every_check():
    first = text_of(everything()).splitlines()[0]
    assert first == (
        "FAIL security, tests failed; diagnostics did not work; project-check passed; not verified: mutation; "
        "nothing to verify: dependencies, lint"
    )


def test_a_claim_stands_beside_the_fact_that_decides_it():
    shown = text_of(failing())
    assert "  ✗ “All 7 tests pass.” contradicted by fact 3\n    3: 1 test fails" in shown
    assert "  ✓ “There are no compile errors in the project.” supported by fact 1\n" in shown
    assert "  ~ “There should be no breaking changes for existing orders.” hedged\n" in shown
    assert shown.index("contradicted") < shown.index("hedged") < shown.index("supported by")


def test_the_mark_of_a_fact_is_how_its_check_ended():
    report = a_report(
        status="fail",
        checks=(a_check("tests", "fail"), a_check("lint", "warn"), a_check("security")),
        facts=(
            a_fact(text="one", evidence=Evidence(exit_code=1)),
            a_fact(id="l", check="lint", text="two", evidence=Evidence()),
            a_fact(id="s", check="security", text="three"),
        ),
    )
    shown = text_of(report)
    assert "1 ✗ tests: one" in shown
    assert "2 ! lint: two" in shown
    assert "3 ✓ security: three" in shown


def test_a_fact_of_a_command_that_succeeded_in_a_check_that_failed_is_marked_neither_way():
    report = a_report(
        status="fail",
        checks=(a_check("tests", "fail"),),
        facts=(a_fact(text="12 tests pass"), a_fact(id="w", text="web: 1 test fails", evidence=Evidence(exit_code=1))),
    )
    shown = text_of(report)
    assert "1 • tests: 12 tests pass" in shown
    assert "2 ✗ tests: web: 1 test fails" in shown
    assert "1 • mutation: one" in text_of(a_report(facts=(a_fact(check="mutation", text="one"),)))


@pytest.mark.parametrize("width", [20, 60, 0])
def test_a_finding_is_one_unbroken_line_at_any_width(width):
    message = "a message that is longer than any terminal is wide, " * 5
    check = a_check("lint", "warn", findings=(a_finding(message=message.strip()),))
    assert f"  shop/checkout.py:12: {message.strip()} [F401] (medium)\n" in text_of(a_report(checks=(check,)), width)


def test_output_is_shown_only_where_no_finding_says_what_was_wrong():
    output = "\n".join(f"line {number}" for number in range(50))
    bare = a_check("tests", "fail", output=output, command="make test")
    shown = text_of(a_report(status="fail", checks=(bare,)))
    assert "  $ make test\n    │ … 38 more lines above\n    │ line 38\n" in shown
    told = attrs.evolve(bare, findings=(a_finding(),))
    assert "line 49" not in text_of(a_report(status="fail", checks=(told,)))


def test_a_message_of_many_lines_is_bounded():
    finding = a_finding(message="first\n" + "\n".join(f"more {n}" for n in range(20)))
    shown = text_of(a_report(status="warn", checks=(a_check("lint", "warn", findings=(finding,)),)))
    assert "shop/checkout.py:12: first [F401] (medium)\n      more 0\n" in shown
    assert "      … 15 more lines\n" in shown


def test_a_thousand_findings_are_bounded_and_say_how_to_see_all():
    begun = time.monotonic()
    shown = text_of(crowded(), width=100)
    assert time.monotonic() - begun < 5
    assert shown.count("\n") < 120
    assert "… 880 more findings; see all: verify-lsp report show 20260314-091500-a1b2c3 --format json\n" in shown
    assert "… 180 more facts; see all:" in shown
    assert "… 180 more claims; see all:" in shown
    assert "  100 findings: 100 in lint\n" in shown


def test_an_opinion_is_set_apart_from_the_facts():
    assert "Opinion of reviewer, not a fact\n  doubtful: The boundary" in text_of(everything())


def test_the_way_back_to_the_report_is_told():
    assert text_of(passing()).endswith("see this report again: verify-lsp report show 20260314-091500-a1b2c3\n")


@pytest.mark.parametrize("status", ["running", "cancelled", "empty"])
def test_a_run_without_an_end_has_no_risk_tier(status):
    assert "risk" not in text_of(REPORTS[status]())
    assert "risk tier 0 of 2" in text_of(passing())


def test_a_claim_of_hostile_text_stays_on_its_lines():
    shown = text_of(a_report(claims=(a_claim(text=HOSTILE),)))
    assert sum("“" in line for line in shown.splitlines()) == 1
    assert text_of(hostile())


def test_stored_reports_are_listed_a_line_each():
    shown = render_summaries([summarize(failing()), summarize(passing())], width=140)
    assert shown.splitlines() == [
        "20260314-091500-a1b2c3 2026-03-14T09:15:00.000Z ✗ fail      risk 2 working-tree: 1 high",
        "20260314-091500-a1b2c3 2026-03-14T09:15:00.000Z ✓ pass      risk 0 working-tree: no findings",
    ]
    assert render_summaries([]) == "no reports are stored for this workspace\n"


@given(st.text(alphabet="ab 数é\u0301🚀", max_size=40), st.integers(1, 20))
def test_a_cut_fits_and_tells(text, width):
    cut = cut_cells(text, width)
    assert cells(cut) <= width
    assert cut == text or cut.endswith("…")


@given(st.text(alphabet="ab数é\u0301🚀", max_size=60), st.integers(2, 20))
def test_a_broken_word_is_whole_again_when_joined(word, width):
    pieces = broken(word, width)
    assert "".join(pieces) == word
    assert all(cells(piece) <= width for piece in pieces)


@given(st.lists(st.text(alphabet="ab 数🚀", max_size=30), max_size=5), st.integers(30, 60), st.integers(0, 4))
def test_a_paragraph_keeps_every_word_within_its_width(texts, width, indent):
    terminal = Terminal(color=False, width=width)
    lines = terminal.paragraph(*map(Span, texts), indent=indent, hang=indent + 2)
    assert all(cells(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join("".join(texts).split())
