"""What the page says of labelled changes is what is counted now."""

from pathlib import Path

from benchmarks.integrity_heldout import NAMED, SILENT
from benchmarks.integrity_labelled import HEAD, table
from verify_lsp.integrity.rules import by_id

PAGE = Path(__file__).parents[2] / "docs" / "integrity.md"


def test_the_page_shows_the_figures_that_are_counted_now():
    shown = "\n".join((*HEAD, *table()))

    assert shown in PAGE.read_text("utf-8"), f"the table is to be:\n{shown}"


def test_every_labelled_change_names_a_rule_and_changes_something():
    assert {f"integrity.{rule}" for *_, rule in NAMED} <= set(by_id())
    assert {rule for *_, rule in SILENT} == {None}
    assert [path for path, before, after, _ in (*NAMED, *SILENT) if before == after] == []
