import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings

from tests.harness.model_strategies import values_of
from tests.harness.sample_reports import REPORTS, everything, passing
from verify_lsp.codec import to_wire
from verify_lsp.model.report import Report
from verify_lsp.reports.schema import report_schema

PAGE = Path(__file__).parents[2] / "docs" / "report.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(report_schema())


def test_the_published_schema_is_the_one_the_model_says():
    fresh = json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"
    stale = PAGE.read_text("utf-8") if PAGE.exists() else ""
    if stale != fresh:
        PAGE.write_text(fresh, encoding="utf-8")
    assert stale == fresh, "docs/report.schema.json was stale; it has been written anew"


def test_the_schema_is_itself_valid():
    jsonschema.Draft202012Validator.check_schema(report_schema())


@pytest.mark.parametrize("name", REPORTS)
def test_each_sample_report_fits_the_schema(name):
    VALIDATOR.validate(to_wire(REPORTS[name]()))


@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(values_of(Report))
def test_any_report_fits_the_schema(report):
    VALIDATOR.validate(to_wire(report))


def _objects(schema: dict[str, Any], data: Any, path: tuple[Any, ...] = ()) -> Any:
    """Yield the path of every object of `data` that the schema describes field by field."""
    if "$ref" in schema:
        schema = report_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    if isinstance(data, dict) and "properties" in schema:
        yield path, schema
        for key, value in data.items():
            yield from _objects(schema["properties"][key], value, (*path, key))
    if isinstance(data, list):
        for index, item in enumerate(data):
            for member in schema["items"].get("anyOf", [schema["items"]]):
                if "$ref" in member or member.get("type") != "string":
                    yield from _objects(member, item, (*path, index))


def test_a_report_with_one_thing_wrong_does_not_fit():
    data = to_wire(everything())
    tried = 0
    for path, schema in _objects(report_schema(), data):
        for wrong in ("unknown", *schema["properties"]):
            mutated = copy.deepcopy(data)
            target = mutated
            for step in path:
                target = target[step]
            target[wrong] = {"no": object}
            assert not VALIDATOR.is_valid(mutated) or schema["properties"][wrong].get("type") == "object", (path, wrong)
            tried += 1
        for name in schema["required"]:
            mutated = copy.deepcopy(data)
            target = mutated
            for step in path:
                target = target[step]
            del target[name]
            assert not VALIDATOR.is_valid(mutated), (path, name)
            tried += 1
    assert tried > 500


@pytest.mark.parametrize("field", ["sessionId", "base", "finishedAt", "durationMs", "opinion"])
def test_what_is_not_known_is_absent_and_never_null(field):
    assert not VALIDATOR.is_valid({**to_wire(passing()), field: None})


def test_an_unknown_metric_is_null():
    data = to_wire(passing())
    data["checks"][0]["metrics"] = {"passed": None}
    VALIDATOR.validate(data)
    data["checks"][0]["metrics"] = {"passed": "12"}
    assert not VALIDATOR.is_valid(data)


def test_every_definition_and_most_fields_say_what_they_are():
    schema = report_schema()
    assert all(definition["description"] for definition in schema["$defs"].values())
    assert schema["properties"]["createdAt"]["description"] == "RFC 3339, UTC."
    finding = schema["$defs"]["Finding"]["properties"]
    assert finding["column"]["description"] == "1-based, in code points; `endColumn` is exclusive."
    assert finding["line"] == {"type": "integer", "description": "1-based."}
