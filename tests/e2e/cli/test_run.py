"""`verify-lsp run` as a user runs it, on a small project with real tools."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.harness.command_line import run_json, verify_lsp
from tests.harness.python_shop import SOURCE, TESTS, shop
from verify_lsp.checks.registry import BUILT, check_modules

BROKEN = SOURCE.replace("amount * 2", "amount * 3")
QUICK = ("--checks", "tests")


@pytest.fixture
def repository(tmp_path):
    return shop(tmp_path / "shop")


def test_a_good_change_passes_with_facts_that_say_what_ran(repository):
    repository.write("shop.py", SOURCE + "\n\ndef free() -> int:\n    return 0\n")
    repository.write("test_free.py", "from shop import free\n\n\ndef test_free():\n    assert free() == 0\n")

    done = run_json(repository.path)

    report = done.report()
    assert (done.code, report.status) == (0, "pass")
    assert {check.kind: check.status for check in report.checks} == {
        "diagnostics": "pass",
        "project-check": "pass",
        "security": "pass",
        "integrity": "pass",
        "tests": "pass",
        "mutation": "pass",
        "lint": "pass",
    }
    assert any(fact.text.startswith("3 tests pass (pytest ") for fact in report.facts)
    assert [(file.path, len(file.added_lines)) for file in report.files] == [("shop.py", 4), ("test_free.py", 5)]


def test_a_broken_function_fails_at_its_test(repository):
    repository.write("shop.py", BROKEN)

    done = run_json(repository.path, *QUICK)

    check = done.check("tests")
    assert (done.code, check.status) == (1, "fail")
    assert check.metrics["passed"] == 1
    assert check.metrics["failed"] == 1
    assert [(finding.path, finding.line, finding.preexisting) for finding in check.findings] == [
        ("test_shop.py", 5, False)
    ]


def test_a_type_error_is_reported_once_with_its_place(repository):
    repository.write("shop.py", SOURCE.replace("amount * 2", "str(amount)"))

    done = run_json(repository.path, "--checks", "project-check")

    check = done.check("project-check")
    assert (done.code, check.status) == (1, "fail")
    assert check.metrics["errors_touched"] == 1
    assert [(finding.path, finding.line, finding.rule) for finding in check.findings] == [
        ("shop.py", 2, "return-value")
    ]


def test_what_failed_before_the_change_is_told_apart(repository):
    repository.commit({"test_shop.py": TESTS.replace("== 4", "== 5")})
    repository.write("shop.py", SOURCE + "\n\nUNUSED = 1\n")

    done = run_json(repository.path, *QUICK)

    check = done.check("tests")
    assert (done.code, check.status) == (0, "warn")
    assert [finding.preexisting for finding in check.findings] == [True]


def test_a_test_that_passes_the_second_time_is_flaky(repository):
    flaky = "import pathlib\n\n\ndef test_flaky(tmp_path):\n    mark = pathlib.Path(__file__).with_name('.ran')\n    first = not mark.exists()\n    mark.touch()\n    assert not first\n"
    repository.write(".git/info/exclude", ".ran\n")
    repository.write("test_flaky.py", flaky)

    check = run_json(repository.path, *QUICK).check("tests")

    assert check.status == "warn"
    assert [finding.rule for finding in check.findings] == ["test-flaky"]


def test_warnings_fail_only_when_asked_for(repository):
    repository.write("shop.py", "import os\n" + SOURCE)

    assert verify_lsp("run", "--checks", "lint", cwd=repository.path).code == 0
    assert verify_lsp("run", "--checks", "lint", "--fail-on", "warn", cwd=repository.path).code == 1


def test_a_failure_can_be_told_never_to_fail(repository):
    repository.write("shop.py", BROKEN)

    assert verify_lsp("run", *QUICK, "--fail-on", "never", cwd=repository.path).code == 0


def test_no_change_is_empty_and_no_pass(repository):
    done = run_json(repository.path)

    assert (done.code, done.report().status, done.report().checks) == (0, "empty", ())


def test_a_folder_outside_of_git_is_one_clear_sentence(tmp_path):
    done = verify_lsp("run", cwd=tmp_path)

    assert done.code == 3
    assert done.out == ""
    assert done.err == f"verify-lsp: {tmp_path} is not in a git repository\n"


def test_a_base_that_is_not_there_is_one_clear_sentence(repository):
    done = verify_lsp("run", "--base", "no-such-branch", cwd=repository.path)

    assert done.code == 3
    assert len(done.err.splitlines()) == 1
    assert "no-such-branch" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--scope", "everything"],
        ["run", "--checks", "telepathy"],
        ["run", "--checks", ""],
        ["run", "--format", "pdf"],
        ["run", "--diff", "no-such-file"],
        ["run", "--workspace", "no-such-folder"],
        ["run", "--scope", "staged", "--base", "main"],
        ["run", "--scope", "files"],
        ["run", "--files", "/etc/passwd"],
        ["run", "--message", "no-such-file"],
        ["report", "show", "../../etc/passwd"],
        ["report", "list", "--limit", "0"],
        ["dance"],
        ["--tcp"],
        ["serve", "--tcp", "nowhere"],
    ],
)
def test_a_wrong_command_line_is_one_sentence_and_exit_2(repository, arguments):
    done = verify_lsp(*arguments, cwd=repository.path)

    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("verify-lsp: ")


@pytest.mark.parametrize("form", ["text", "json", "markdown", "sarif", "junit"])
def test_every_format_is_one_document_on_stdout(repository, form):
    repository.write("shop.py", BROKEN)

    done = verify_lsp("run", *QUICK, "--format", form, cwd=repository.path)

    assert done.code == 1
    assert done.err == ""
    assert "\x1b" not in done.out
    assert "test_price" in done.out
    if form in {"json", "sarif"}:
        json.loads(done.out)
    if form == "junit":
        assert ET.fromstring(done.out).tag == "testsuites"


def test_mutants_leave_as_a_report_that_other_tools_draw(repository, tmp_path):
    repository.write("shop.py", SOURCE.replace("amount * 2", "amount * 2 if amount > 1 else amount"))
    target = tmp_path / "mutants.json"

    form = ("--format", "mutation-report", "--output", str(target))
    done = verify_lsp("run", "--checks", "mutation", *form, cwd=repository.path)

    assert done.err == ""
    file = json.loads(target.read_text())["files"]["shop.py"]
    assert file["source"] == (repository.path / "shop.py").read_text()
    assert {mutant["status"] for mutant in file["mutants"]} == {"Survived"}
    assert file["mutants"][0]["coveredBy"] == ["test_shop.py::test_price"]


def test_a_report_can_be_written_to_a_file(repository, tmp_path):
    repository.write("shop.py", BROKEN)
    target = tmp_path / "report.json"

    done = verify_lsp("run", *QUICK, "--format", "json", "--output", str(target), cwd=repository.path)

    assert (done.code, done.out) == (1, "")
    assert json.loads(target.read_text())["status"] == "fail"


def test_staged_content_is_what_is_tested_even_when_the_disk_differs(repository):
    repository.write("shop.py", BROKEN)
    repository.add("shop.py")
    repository.write("shop.py", SOURCE)

    assert run_json(repository.path, *QUICK, "--scope", "staged").check("tests").status == "fail"
    assert run_json(repository.path, *QUICK, "--scope", "working-tree").report().status == "empty"


def test_a_diff_on_stdin_is_tested_without_touching_the_disk(repository):
    repository.write("shop.py", BROKEN)
    diff = repository.git("diff") + "\n"
    repository.write("shop.py", SOURCE)

    done = run_json(repository.path, *QUICK, "--diff", "-", stdin=diff)

    assert done.check("tests").status == "fail"
    assert (repository.path / "shop.py").read_text() == SOURCE
    assert repository.git("status", "--porcelain") == ""


def test_a_branch_is_held_against_where_it_left_its_base(repository):
    repository.git("checkout", "--quiet", "-b", "feature")
    repository.commit({"shop.py": BROKEN})

    report = run_json(repository.path, *QUICK, "--base", "main").report()

    assert report.status == "fail"
    assert report.base is not None
    assert report.base.sha == repository.git("rev-parse", "main")


def test_chosen_files_alone_are_verified(repository):
    repository.write("shop.py", BROKEN)
    repository.write("other.py", "x = 1\n")

    report = run_json(repository.path, *QUICK, "--files", "other.py").report()

    assert [file.path for file in report.files] == ["other.py"]


def test_without_trust_nothing_of_the_workspace_is_run(repository, tmp_path):
    mark = tmp_path / "ran"
    repository.write("test_evil.py", f"import pathlib\npathlib.Path({str(mark)!r}).touch()\n\n\ndef test_x(): pass\n")

    done = run_json(repository.path, "--untrusted")

    assert not mark.exists()
    assert done.report().status == "warn"
    executing = {module.KIND for module in check_modules(BUILT) if module.EXECUTES}
    kept_from = [check for check in done.report().checks if check.kind in executing]
    assert {check.status for check in kept_from} == {"skipped"}
    assert all("not trusted" in (check.reason or "") for check in kept_from)


def test_commands_of_a_workspace_file_are_ignored_without_trust_and_said_so(repository, tmp_path):
    mark = tmp_path / "ran"
    repository.write("verify.toml", f'testCommand = "touch {mark}"\n')

    untrusted = verify_lsp("run", "--untrusted", cwd=repository.path)
    assert not mark.exists()
    assert "ignored until this workspace is trusted: testCommand" in untrusted.err
    assert "ignored until this workspace is trusted: testCommand" in untrusted.out

    verify_lsp("run", *QUICK, cwd=repository.path)
    assert mark.exists()


def test_the_tree_is_the_same_after_a_run(repository):
    repository.write("shop.py", BROKEN)
    before = snapshot(repository.path)

    verify_lsp("run", cwd=repository.path)

    assert snapshot(repository.path) == before


def snapshot(folder: Path):
    skipped = {".venv"}
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not skipped & set(path.relative_to(folder).parts)
    }


def test_an_agents_claim_is_held_against_the_facts(repository):
    repository.write("shop.py", BROKEN)
    repository.write("said.md", "I changed the price. All 2 tests pass.\n")

    report = run_json(repository.path, *QUICK, "--message", "said.md").report()

    assert [(claim.status, claim.text) for claim in report.claims if claim.kind == "tests-pass"] == [
        ("contradicted", "All 2 tests pass.")
    ]
    assert report.claims[0].facts


def test_an_interrupt_ends_the_run_its_children_and_keeps_what_is_known(repository, tmp_path):
    fifo = tmp_path / "started"
    os.mkfifo(fifo)
    repository.write(
        "test_slow.py",
        f"import os, time\n\n\ndef test_slow():\n    open({str(fifo)!r}, 'w').write(str(os.getpid()))\n    time.sleep(600)\n",
    )
    command = [sys.executable, "-m", "verify_lsp", "run", "--format", "json", *QUICK]
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    process = subprocess.Popen(command, cwd=repository.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
    pid = int(fifo.read_text())

    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)

    assert process.returncode == 130
    assert json.loads(out)["status"] == "cancelled"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_an_output_that_cannot_be_written_is_refused_before_the_run(repository, tmp_path):
    repository.write("shop.py", BROKEN)
    nowhere = tmp_path / "nowhere" / "report.json"
    home = tmp_path / "home"

    done = run_json(repository.path, *QUICK, "--output", str(nowhere), env={"VERIFY_LSP_HOME": str(home)})

    assert (done.code, done.out, done.err) == (
        3,
        "",
        f"verify-lsp: cannot write {nowhere}: no such file or directory\n",
    )
    assert not home.exists()
