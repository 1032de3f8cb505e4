from pathlib import Path

import attrs
import pytest

from verify_lsp.inspection.fix_report import fix_findings
from verify_lsp.inspection.inspect import inspect_all
from verify_lsp.inspection.relocate import Refusal, rewrite_now
from verify_lsp.model.change import FileChange
from verify_lsp.model.rewrite import rewritten
from verify_lsp.settings.settings import Settings
from verify_lsp.verifiers.base import Subject

REPORTED = '{\n  "a": [1,],\n  "b": [2,]\n}\n'


def look(text):
    return inspect_all(Subject(Path("/w/a.json"), text), "a.json", Settings())


def file(after=REPORTED):
    return FileChange("a.json", "modified", after=after)


def reported(line, text=REPORTED):
    return next(one.finding for one in look(text) if one.finding.line == line)


def fixed(finding, present, of=None):
    rewrite = rewrite_now(finding, of or file(), present, look(present))
    return rewrite.reason if isinstance(rewrite, Refusal) else rewritten(present, rewrite)


def test_a_line_that_stayed_is_mended():
    assert fixed(reported(2), REPORTED) == REPORTED.replace("[1,]", "[1]")


def test_a_line_that_moved_is_mended_where_it_is_now():
    present = REPORTED.replace("{\n", '{\n  "new": 0,\n', 1)
    assert fixed(reported(3), present) == present.replace("[2,]", "[2]")


def test_an_edited_line_that_still_has_the_finding_is_mended():
    present = REPORTED.replace('"a": [1,]', '"a": [1, 3,]')
    assert fixed(reported(2), present) == present.replace("3,]", "3]")


def test_a_finding_that_is_gone_is_refused():
    assert "is no longer what was found" in fixed(reported(2), REPORTED.replace("[1,]", "[1]"))
    assert "not found in a.json any more" in fixed(reported(2), "{}\n")


def test_of_several_places_that_fit_none_is_guessed():
    finding = attrs.evolve(reported(2), column=99)
    present = '{\n  "a": [1,], "c": [1,],\n  "b": [2,]\n}\n'
    assert "is no longer what was found" in fixed(finding, present)


def test_a_report_without_the_text_is_enough_while_the_id_fits():
    assert fixed(reported(2), REPORTED, FileChange("a.json", "modified")) == REPORTED.replace("[1,]", "[1]")
    other = attrs.evolve(reported(2), id="another")
    assert "is no longer what was found" in fixed(other, REPORTED, FileChange("a.json", "modified"))


def test_all_findings_of_a_file_are_mended_one_after_the_other():
    text = '{"a": [1,], "b": [2,], "c": [3,]}\n'
    findings = [one.finding for one in look(text)]
    done = fix_findings(findings, file(text), text, look)
    assert (done.text, len(done.made), done.refused) == ('{"a": [1], "b": [2], "c": [3]}\n', 3, ())


@pytest.mark.parametrize("gone", ["{}\n", ""])
def test_what_cannot_be_mended_is_said_and_changes_nothing(gone):
    done = fix_findings([reported(2)], file(), gone, look)
    assert (done.text, done.made, len(done.refused)) == (gone, (), 1)
