"""`verify-lsp report`, `trust`, `doctor` and `demo` as a user runs them."""

import json

import pytest

from tests.harness.command_line import run_json, verify_lsp
from tests.harness.python_shop import SOURCE, shop


@pytest.fixture
def repository(tmp_path):
    return shop(tmp_path / "shop")


def test_a_run_can_be_shown_again_and_in_every_format(repository):
    repository.write("shop.py", "import os\n" + SOURCE)
    first = run_json(repository.path, "--checks", "lint").report()

    again = verify_lsp("report", "show", "--format", "json", cwd=repository.path)

    assert again.report() == first
    for form in ("text", "markdown", "sarif", "junit"):
        shown = verify_lsp("report", "show", first.id, "--format", form, cwd=repository.path)
        assert (shown.code, shown.err) == (0, "")
        assert "F401" in shown.out


def test_a_report_is_found_from_another_folder_by_its_whole_id(repository, tmp_path):
    repository.write("shop.py", "import os\n" + SOURCE)
    report = run_json(repository.path, "--checks", "lint").report()

    assert verify_lsp("report", "show", report.id, "--format", "json", cwd=tmp_path).report() == report


def test_reports_are_listed_newest_first(repository):
    repository.write("shop.py", "import os\n" + SOURCE)
    ids = [run_json(repository.path, "--checks", "lint").report().id for _ in range(2)]

    listed = verify_lsp("report", "list", "--format", "json", cwd=repository.path).json()

    assert [each["id"] for each in listed["reports"]] == ids[::-1]
    assert sum(listed["reports"][0]["counts"].values()) == 1
    assert (
        len(verify_lsp("report", "list", "--limit", "1", "--format", "json", cwd=repository.path).json()["reports"])
        == 1
    )
    assert ids[0] in verify_lsp("report", "list", cwd=repository.path).out


def test_two_reports_are_compared(repository):
    repository.write("shop.py", "import os\n" + SOURCE)
    old = run_json(repository.path, "--checks", "lint").report()
    repository.write("shop.py", "import sys\n" + SOURCE)
    new = run_json(repository.path, "--checks", "lint").report()

    for form in ("text", "markdown", "json"):
        shown = verify_lsp("report", "diff", old.id, new.id, "--format", form, cwd=repository.path)
        assert (shown.code, shown.err) == (0, "")
        assert "`sys`" in shown.out.replace("\\`", "`")
        if form == "json":
            json.loads(shown.out)


def test_a_report_that_is_not_there_is_one_sentence_and_exit_2(repository):
    done = verify_lsp("report", "show", "20200101-000000", cwd=repository.path)

    assert (done.code, done.out, done.err) == (2, "", "verify-lsp: no such report: 20200101-000000\n")


def test_without_any_report_latest_says_so(repository):
    done = verify_lsp("report", "show", cwd=repository.path)

    assert done.code == 2
    assert "no report is stored" in done.err


def test_trust_is_given_listed_and_taken_back(repository):
    assert verify_lsp("trust", "--list", cwd=repository.path).out == ""

    assert verify_lsp("trust", cwd=repository.path).code == 0
    assert verify_lsp("trust", "--list", cwd=repository.path).out == f"{repository.path.resolve()}\n"

    assert verify_lsp("trust", "--remove", cwd=repository.path).code == 0
    assert verify_lsp("trust", "--list", cwd=repository.path).out == ""


def test_doctor_names_each_tool_it_found(repository):
    done = verify_lsp("doctor", "--format", "json", cwd=repository.path)

    found = {(line["group"], line["name"]): line for line in done.json()["checks"]}
    assert found["Python", "tests"]["detail"].startswith("pytest")
    assert found["Python", "project check"]["detail"].startswith("mypy")
    assert found["Python", "lint"]["detail"].startswith("ruff")
    assert found["verify-lsp", "git"]["state"] == "ok"
    assert done.code == 0


def test_doctor_says_how_to_get_what_is_missing(tmp_path):
    (tmp_path / "go.mod").write_text("module m\n\ngo 1.22\n")
    (tmp_path / "a.go").write_text("package m\n")

    done = verify_lsp("doctor", cwd=tmp_path, env={"PATH": "/nonexistent"})

    assert done.code == 1
    assert "missing git" in done.out
    assert "go" in done.out.lower()
    assert "Traceback" not in done.err


def test_the_demo_shows_a_failing_fact_a_contradicted_claim_and_a_reason(tmp_path):
    done = verify_lsp("demo", "--format", "json", cwd=tmp_path)

    report = done.report()
    assert done.code == 0
    assert report.status == "fail"
    assert report.risk_tier == 2
    assert {claim.status for claim in report.claims} >= {"contradicted", "supported", "hedged"}
    assert any("payment code" in reason for reason in report.risk_reasons)
    assert verify_lsp("report", "show", report.id, "--format", "json", cwd=tmp_path).report() == report
