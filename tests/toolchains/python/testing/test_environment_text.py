from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.python.testing.environment_text import environments
from verify_lsp.toolchains.python.testing.output import parse_tests


def read(text: str, exit_code: int = 0):
    run = parse_tests(CommandResult(exit_code=exit_code, stdout=text))
    assert run is not None
    return run


def session(summary: str) -> str:
    return f"=== test session starts ===\nplatform linux\n\ntests/test_a.py ..\n\n=== {summary} ===\n"


def test_noxs_list_names_a_session_that_failed_without_a_failed_test():
    text = (
        session("3 passed in 0.1s") + "nox > Session tests was successful in 3 seconds.\nnox > Session lint failed.\n"
        "nox > Ran 2 sessions in 6 seconds:\nnox > * tests: success, took 3 seconds\nnox > * lint: failed, took 3 seconds\n"
    )
    run = read(text, 1)
    assert (run.verdict, run.passed, run.contradiction) == ("failed", 3, None)
    assert run.reason == "failed environments: lint, although no test failed"


def test_toxs_environments_are_added_up():
    text = (
        "py311: commands[0]> pytest\n" + session("1 failed, 1 passed in 0.1s") + "py311: exit 1 (0.3 seconds)\n"
        "py312: commands[0]> pytest\n"
        + session("2 passed in 0.1s")
        + "  py311: FAIL code 1 (0.40=setup[0.1]+cmd[0.3] seconds)\n  py312: OK (0.40=setup[0.1]+cmd[0.3] seconds)\n"
        "  py39: SKIP (0.01 seconds)\n  evaluation failed :( (1.21 seconds)\n"
    )
    run = read(text, 1)
    assert (run.verdict, run.passed, run.failed) == ("failed", 3, 1)
    assert "skipped environments: py39" in run.notes


def test_an_environment_that_fails_without_a_failed_test_is_named():
    text = session("2 passed in 0.1s") + (
        "  py312: OK (0.40=setup[0.1]+cmd[0.3] seconds)\n  lint: FAIL code 1 (0.2 seconds)\n"
        "  evaluation failed :( (1.21 seconds)\n"
    )
    run = read(text, 1)
    assert (run.verdict, run.passed, run.contradiction) == ("failed", 2, None)
    assert run.reason is not None
    assert "lint" in run.reason


def test_environments_alone_give_a_verdict_without_counts():
    run = read("  py312: OK (0.4 seconds)\n  congratulations :) (1.21 seconds)\n")
    assert (run.verdict, run.passed, run.failed) == ("passed", None, None)


def test_a_failed_environment_behind_an_exit_code_of_zero_is_a_contradiction():
    run = read("  py312: FAIL code 1 (0.4 seconds)\n  evaluation failed :( (1.21 seconds)\n", 0)
    assert run.verdict == "failed"
    assert run.contradiction is not None


def test_noxs_sessions_are_added_up():
    text = (
        "nox > Running session tests-3.11\nnox > python -m pytest\n"
        + session("3 passed in 0.1s")
        + "nox > Session tests-3.11 was successful.\nnox > Running session tests-3.12\nnox > python -m pytest\n"
        + session("1 failed, 2 passed in 0.1s")
        + "nox > Command python -m pytest failed with exit code 1\n"
        "nox > Session tests-3.12 failed.\nnox > Ran multiple sessions:\n"
        "nox > * tests-3.11: success\nnox > * tests-3.12: failed\n"
    )
    run = read(text, 1)
    assert (run.verdict, run.passed, run.failed) == ("failed", 5, 1)


def test_tox_3_is_read_too():
    found = environments(
        "___________ summary ___________\nERROR:   py310: commands failed\n  py311: commands succeeded\n"
    )
    assert (found.ok, found.failed) == (("py311",), ("py310",))


def test_lines_that_only_look_like_environments_count_nothing():
    assert not environments("  server: OK (ready)\n  client: FAIL\n")
