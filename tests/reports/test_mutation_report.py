"""The export that other tools draw, held against the schema that they publish."""

import json
from pathlib import Path

import attrs
import jsonschema
import pytest

from tests.harness.sample_reports import REPORTS, survivors
from tests.harness.samples import a_check, a_report
from verify_lsp.mutation import judgement
from verify_lsp.reports.mutation_report import THRESHOLDS, render_mutation_report

TOOLS = Path(__file__).parents[1] / "tools" / "node" / "node_modules"
SCHEMA = json.loads(
    (TOOLS / "mutation-testing-report-schema" / "src" / "mutation-testing-report-schema.json").read_text("utf-8")
)


def exported(report):
    return json.loads(render_mutation_report(report))


def mutants(report):
    return [mutant for file in exported(report)["files"].values() for mutant in file["mutants"]]


@pytest.mark.parametrize("name", REPORTS)
def test_each_sample_report_fits_the_published_schema(name):
    jsonschema.Draft7Validator(SCHEMA).validate(exported(REPORTS[name]()))


def test_the_schema_refuses_what_is_not_a_status():
    document = exported(survivors())
    document["files"]["shop/prices.py"]["mutants"][0]["status"] = "survived"

    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(SCHEMA).validate(document)


def test_each_place_holds_the_mutants_own_text_in_the_source_as_utf_16_counts_it():
    document = exported(survivors())["files"]["shop/prices.py"]
    lines = document["source"].split("\n")
    texts = []
    for mutant in document["mutants"]:
        start, end = mutant["location"]["start"], mutant["location"]["end"]
        line = lines[start["line"] - 1].encode("utf-16-le")
        texts.append(line[2 * (start["column"] - 1) : 2 * (end["column"] - 1)].decode("utf-16-le"))

    assert texts == [one.original for one in survivors().checks[1].mutants]


def test_a_byte_order_mark_is_no_part_of_the_source():
    report = survivors()
    file = attrs.evolve(report.files[0], after="\ufeff" + report.files[0].after)

    assert exported(attrs.evolve(report, files=(file,))) == exported(report)


def test_two_mutants_that_are_alike_have_ids_of_their_own():
    report = survivors()
    check = attrs.evolve(report.checks[1], mutants=report.checks[1].mutants[:1] * 2)

    assert len({mutant["id"] for mutant in mutants(attrs.evolve(report, checks=(check,)))}) == 2


def test_an_id_stays_when_the_line_moves():
    report = survivors()
    moved = tuple(attrs.evolve(one, line=one.line + 1, end_line=one.end_line + 1) for one in report.checks[1].mutants)
    file = attrs.evolve(report.files[0], after="\n" + report.files[0].after)
    later = attrs.evolve(report, files=(file,), checks=(attrs.evolve(report.checks[1], mutants=moved),))

    assert [mutant["id"] for mutant in mutants(later)] == [mutant["id"] for mutant in mutants(report)]


def test_a_check_that_was_not_made_is_no_list_without_survivors():
    reason = "the tests fail without any mutant"
    skipped = a_check("mutation", "skipped", summary=f"not verified: {reason}", reason=reason)

    assert exported(a_report(checks=(skipped,)))["config"]["reason"] == reason
    assert exported(a_report(checks=()))["config"]["check"] == "not made"


def test_the_thresholds_are_those_of_the_verdict():
    assert THRESHOLDS == {"high": judgement.WARNS_BELOW * 100, "low": judgement.FAILS_BELOW * 100}


def test_tests_stand_below_their_file_where_their_names_tell_it():
    names = (
        "tests/test_a.py::test_b[x > y]",
        "test/c.test.js > price > is small",
        "test/c.test.js",
        "example.test/shop.TestSmall",
        "shop::api small",
        "tests.test_a.ATest.test_b",
    )
    report = survivors()
    mutant = attrs.evolve(report.checks[1].mutants[0], covered_by=names, killed_by=None)
    told = exported(attrs.evolve(report, checks=(attrs.evolve(report.checks[1], mutants=(mutant,)),)))["testFiles"]

    assert {path: [test["name"] for test in file["tests"]] for path, file in told.items()} == {
        "tests/test_a.py": ["test_b[x > y]"],
        "test/c.test.js": ["price > is small", "test/c.test.js"],
        "tests whose file is not known": [
            "example.test/shop.TestSmall",
            "shop::api small",
            "tests.test_a.ATest.test_b",
        ],
    }
