"""Not one of these may read as a pass."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.harness.command_line import run_json, verify_lsp
from tests.harness.python_shop import SOURCE, shop
from tests.harness.repository import new_repository

GO_SOURCE = "package m\n\nfunc F() int { return 1 }\n"


@pytest.fixture
def repository(tmp_path):
    made = shop(tmp_path / "shop")
    made.write("shop.py", SOURCE + "\n\nFREE = 0\n")
    return made


def run_tests(path, *arguments, **kwargs):
    done = run_json(path, "--checks", "tests", *arguments, **kwargs)
    assert done.report().status != "pass", done.out
    assert not any("tests pass" in fact.text or "test passes" in fact.text for fact in done.report().facts)
    return done


def settings(repository, text):
    repository.write(".git/info/exclude", "verify.toml\n")
    repository.write("verify.toml", text)


def test_a_project_without_tests_is_not_verified(tmp_path):
    repository = new_repository(tmp_path / "bare", {"a.py": "x = 1\n"})
    repository.write("a.py", "x = 2\n")

    check = run_tests(repository.path).check("tests")

    assert check.status == "skipped"
    assert check.reason


def test_a_missing_toolchain_is_not_verified(tmp_path):
    repository = new_repository(tmp_path / "m", {"go.mod": "module m\n\ngo 1.22\n", "a.go": GO_SOURCE})
    repository.write("a.go", GO_SOURCE.replace("1", "2"))
    git = tmp_path / "bin"
    git.mkdir()
    (git / "git").symlink_to(Path("/usr/bin/git"))

    done = run_tests(repository.path, env={"PATH": str(git)})

    assert done.check("tests").status == "skipped"
    assert "go" in (done.check("tests").reason or "")
    assert any(reason.startswith("not verified: tests") for reason in done.report().risk_reasons)


def test_a_time_limit_is_neither_pass_nor_fail(repository):
    settings(repository, "timeoutSecs = 1\n")
    repository.write("test_slow.py", "import time\n\n\ndef test_slow():\n    time.sleep(600)\n")

    check = run_tests(repository.path).check("tests")

    assert check.status == "skipped"
    assert "within 1 s" in (check.reason or "")


def test_no_collected_test_is_not_a_pass(repository):
    (repository.path / "test_shop.py").write_text("def helper():\n    pass\n")

    check = run_tests(repository.path).check("tests")

    assert check.status == "skipped"


def test_a_test_file_that_cannot_be_imported_is_not_a_pass(repository):
    (repository.path / "test_shop.py").write_text("import no_such_module\n\n\ndef test_x():\n    pass\n")

    done = run_tests(repository.path)

    assert done.check("tests").status in {"fail", "error"}
    assert done.code == 1


@pytest.mark.parametrize("tail", ["2>&1 | tee out.txt", "|| true", "; echo done"])
def test_a_masked_exit_code_does_not_hide_a_failure(repository, tail):
    repository.write(".git/info/exclude", "verify.toml\nout.txt\n")
    repository.write("verify.toml", f'testCommand = ".venv/bin/python -m pytest -q -p no:cacheprovider {tail}"\n')
    repository.write("shop.py", SOURCE.replace("amount * 2", "amount * 3"))

    done = run_tests(repository.path)

    assert done.check("tests").status == "fail"


def test_a_command_that_prints_no_counts_claims_none(repository):
    settings(repository, 'testCommand = "true"\n')

    done = run_json(repository.path, "--checks", "tests")

    check = done.check("tests")
    assert check.metrics["passed"] is None
    assert check.metrics["failed"] is None
    assert check.metrics["total"] is None
    assert not any("0 tests" in fact.text or "no tests" in fact.text for fact in done.report().facts)


@pytest.mark.parametrize(("command", "status"), [("exit 127", "error"), ("no-such-program --all", "error")])
def test_a_test_command_that_cannot_run_is_an_error(repository, command, status):
    settings(repository, f'testCommand = "{command}"\n')

    done = run_tests(repository.path)

    assert done.check("tests").status == status
    assert done.code == 1


def test_a_failed_build_keeps_the_tests_from_running(repository, tmp_path):
    settings(repository, 'preTestCommand = "exit 3"\n')

    done = run_tests(repository.path)

    assert done.check("tests").status == "error"
    assert "exit 3" in (done.check("tests").reason or "")


def test_a_new_untracked_file_is_part_of_the_change(repository):
    repository.write("pkg/new.py", "import os\n")

    report = run_json(repository.path, "--checks", "lint").report()

    assert "pkg/new.py" in [file.path for file in report.files]
    assert any(finding.path == "pkg/new.py" for finding in report.findings())


def test_switched_off_tests_are_not_verified(repository):
    settings(repository, "runTests = false\n")

    assert run_tests(repository.path).check("tests").status == "skipped"


def test_a_change_of_prose_alone_is_read_and_no_more_is_claimed(tmp_path):
    repository = shop(tmp_path / "shop")
    repository.write("README.md", "# Shop\n")

    done = run_json(repository.path)

    assert done.report().status == "pass"
    statuses = {check.kind: check.status for check in done.report().checks}
    assert statuses.pop("security") == "pass"
    assert set(statuses.values()) == {"skipped"}
    assert {fact.check for fact in done.report().facts} == {"security"}


def test_a_check_in_error_fails_a_script(repository):
    settings(repository, 'testCommand = "exit 127"\n')

    assert verify_lsp("run", "--checks", "tests", cwd=repository.path).code == 1


def test_a_home_that_cannot_be_written_to_is_one_sentence_and_exit_3(repository, tmp_path):
    blocked = tmp_path / "blocked"
    blocked.write_text("a file, not a folder")

    done = verify_lsp("run", "--checks", "lint", cwd=repository.path, env={"VERIFY_LSP_HOME": str(blocked)})

    assert done.code == 3
    assert len(done.err.splitlines()) == 1
    assert os.linesep + "Traceback" not in done.err


def test_a_change_that_is_wholly_excluded_is_not_called_no_change(repository):
    settings(repository, 'exclude = ["**"]\n')

    report = run_json(repository.path, "--checks", "tests,lint").report()

    assert report.status == "warn"
    assert [(check.status, check.reason) for check in report.checks] == [
        ("skipped", "every changed file is excluded by the settings")
    ] * 2
    assert report.risk_reasons == ("1 changed file is excluded by the settings",)


def test_lint_counts_what_it_shows_and_names_what_was_switched_off(repository):
    repository.commit({"shop.py": "import os\n" + SOURCE})
    repository.write("shop.py", "import os\n" + SOURCE + '\n\nNAME = f"a" + f"b"\n')
    shown = run_json(repository.path, "--checks", "lint").check("lint")
    settings(repository, 'rules = { F401 = "off", F541 = "off" }\n')
    hidden = run_json(repository.path, "--checks", "lint").check("lint")

    assert [finding.preexisting for finding in shown.findings] == [False, True]
    assert "reports 1 new finding in 1 changed file, and 1 that was there before the change" in shown.summary
    assert (hidden.status, hidden.findings) == ("pass", ())
    assert "no new findings in 1 changed file, apart from rules that the settings switch off" in hidden.summary


def test_a_reader_that_goes_away_early_does_not_make_a_failure_a_success(repository):
    repository.write("shop.py", SOURCE.replace("amount * 2", "amount * 3"))
    reading, writing = os.pipe()
    os.close(reading)

    with os.fdopen(writing, "wb") as nobody:
        code = subprocess.run(
            [sys.executable, "-m", "verify_lsp", "run", "--checks", "tests"],
            cwd=repository.path,
            stdout=nobody,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
            check=False,
        )

    assert (code.returncode, code.stderr) == (1, b"")


def test_a_change_that_sets_how_it_is_checked_does_not_pass_by_it(repository):
    repository.write("shop.py", SOURCE.replace("amount * 2", "amount * 3"))
    repository.write("verify.toml", 'testCommand = "echo 12 passed in 0.1s"\nchecks = ["tests"]\n')

    report = run_json(repository.path).report()

    assert report.status == "warn"
    assert "verify.toml sets testCommand, checks in this very change, and the run followed it" in report.risk_reasons
    assert "echo 12 passed in 0.1s" in report.facts[0].text
