"""The check of kind "integrity": what it says, what it counts, and what it leaves open."""

from pathlib import Path

import anyio
import attrs

from tests.harness.changed_files import changed_file
from verify_lsp.checks import integrity
from verify_lsp.checks.base import CheckContext
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.command import CommandResult
from verify_lsp.model.outcome import Ran, Skipped
from verify_lsp.settings.settings import Settings

CODE = "def total(cart):\n    return sum(cart)\n"
TEST = "from shop import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n\n\ndef test_none():\n    assert total([]) == 0\n"
WEAK = TEST.replace("assert total([1, 2]) == 3", "assert total([1, 2])")


def checked(*files, place="/nowhere", **settings):
    async def run(_command, _place):
        raise AssertionError("nothing is run")

    context = CheckContext(Path(place), Path(place), Change(tuple(files)), (), Settings(**settings), run)
    return anyio.run(integrity.check, context)


def test_nothing_is_executed():
    assert integrity.EXECUTES is False
    assert isinstance(CommandResult(None), CommandResult)


def test_a_weaker_assertion_warns_with_its_line_and_neutral_words():
    outcome = checked(changed_file("tests/test_shop.py", TEST, WEAK))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    (finding,) = outcome.findings
    assert (finding.rule, finding.severity, finding.line) == ("integrity.assertion-weakened", "medium", 5)
    assert finding.message == "This assertion is weaker than before: `assert total([1, 2]) == 3` became a truth check."
    assert finding.suggestion == (
        "The test may be wrong or the code may be wrong; find out which, fix that one, and say how you know."
    )
    assert finding.evidence == "before: assert total([1, 2]) == 3\nnow: assert total([1, 2])"
    assert finding.url is None
    assert outcome.metrics["assertions_weakened"] == 1
    assert [proof.holds for proof in outcome.proofs] == [False]


def test_it_never_fails_however_much_was_seen():
    files = [
        changed_file("tests/test_shop.py", TEST, None),
        changed_file(
            "pyproject.toml", "[tool.coverage.report]\nfail_under = 90\n", "[tool.coverage.report]\nfail_under = 0\n"
        ),
        changed_file("shop.py", CODE, "# mypy: ignore-errors\n" + CODE),
    ]
    outcome = checked(*files)

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert {finding.rule for finding in outcome.findings} >= {
        "integrity.test-removed",
        "integrity.coverage-lowered",
        "integrity.file-silenced",
    }
    assert outcome.metrics["tests_removed"] == 2


def test_where_the_code_changed_too_a_sign_is_quieter():
    code = changed_file("shop.py", CODE, CODE.replace("sum(cart)", "sum(cart, 0)"))
    comment = changed_file("shop.py", CODE, "# Adds up.\n" + CODE)
    weak = changed_file("tests/test_shop.py", TEST, WEAK)
    skipped = changed_file(
        "tests/test_shop.py", TEST, TEST.replace("def test_none", "@pytest.mark.skip\ndef test_none")
    )

    assert [finding.severity for finding in checked(code, weak).findings] == ["low"]
    assert [finding.severity for finding in checked(comment, weak).findings] == ["medium"]
    assert [finding.severity for finding in checked(code, skipped).findings] == ["low"]
    assert [finding.severity for finding in checked(comment, skipped).findings] == ["medium"]
    assert checked(code, skipped).verdict == "warn"


def test_an_expected_value_that_changed_with_the_code_is_nothing():
    code = changed_file("shop.py", CODE, CODE.replace("sum(cart)", "sum(cart) + 1"))
    outcome = checked(
        code, changed_file("tests/test_shop.py", TEST, TEST.replace("== 3", "== 4").replace("== 0", "== 1"))
    )

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.findings) == ("pass", ())


def test_a_pass_says_how_many_files_it_compared():
    outcome = checked(
        changed_file("tests/test_shop.py", TEST, TEST + "\n\ndef test_one():\n    assert total([1]) == 1\n")
    )

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.summary) == (
        "pass",
        "no test was removed, skipped or weakened in 1 changed test file",
    )
    assert [(proof.kind, proof.holds) for proof in outcome.proofs] == [("integrity", True)]
    assert (outcome.metrics["tests_removed"], outcome.metrics["assertions_weakened"]) == (0, 0)


def test_a_test_that_went_with_its_code_is_not_denied():
    code = changed_file("shop.py", CODE + "\n\ndef double(cart):\n    return cart * 2\n", CODE)
    test = (
        TEST.replace("import total", "import double, total")
        + "\n\ndef test_double():\n    assert double([1]) == [1, 1]\n"
    )
    outcome = checked(code, changed_file("tests/test_shop.py", test, TEST))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert outcome.summary.startswith("1 test was replaced or went with the code; no other was removed")
    assert outcome.metrics["tests_replaced"] == 1


def test_a_skip_that_asks_the_machine_is_not_denied():
    asked = TEST.replace("def test_none", '@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_none')
    outcome = checked(changed_file("tests/test_shop.py", TEST, asked))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert "skipped on every machine" in outcome.summary


def test_code_without_tests_claims_nothing_about_tests():
    outcome = checked(changed_file("shop.py", CODE, CODE + "\n\nRATE = 2\n"))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.proofs) == ("pass", ())
    assert outcome.summary == "no check was relaxed in 1 file of code, and no test file was changed"
    assert outcome.metrics["tests_removed"] is None
    assert outcome.metrics["suppressions_added"] == 0


def test_nothing_to_look_at_is_a_needless_skip():
    outcome = checked(changed_file("README.md", "a\n", "b\n"))

    assert outcome == Skipped("no test, no setting of a check and no code was changed", needless=True)


def test_tests_of_a_language_that_is_not_read_are_no_pass():
    outcome = checked(changed_file("spec/shop_spec.rb", "it 'a' do\nend\n", "it 'b' do\nend\n"))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.unverified == ("tests in spec/shop_spec.rb are in a language that is not compared",)
    assert outcome.proofs == ()
    assert outcome.metrics["tests_removed"] is None


def test_tests_that_a_macro_makes_are_no_pass():
    before = "rgtest!(counts, |dir: Dir| {\n    assert_eq!(4, f(dir));\n});\n"
    outcome = checked(changed_file("tests/json.rs", before, before.replace("    assert_eq!(4, f(dir));\n", "")))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.unverified == ("tests that a macro makes in tests/json.rs were not compared",)
    assert outcome.proofs == ()


def test_a_script_beside_the_tests_is_no_gap():
    outcome = checked(changed_file("tests/run.sh", "a\n", "b\n"))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.unverified) == ("pass", ())


def test_a_skip_that_asked_before_and_asks_no_more_is_quieter():
    asked = TEST.replace("def test_none", '@pytest.mark.skipif(sys.platform == "win32", reason="x")\ndef test_none')
    skipped = TEST.replace("def test_none", "@pytest.mark.skip\ndef test_none")

    assert [each.severity for each in checked(changed_file("tests/test_shop.py", asked, skipped)).findings] == ["low"]


def test_a_test_file_that_does_not_parse_is_no_pass():
    outcome = checked(changed_file("tests/test_shop.py", TEST, TEST + "def test_(:\n"))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert "does not parse after the change" in outcome.unverified[0]


def test_a_file_of_which_a_text_is_not_known_is_no_pass():
    file = attrs.evolve(changed_file("tests/test_shop.py", TEST, WEAK), before=None)
    outcome = checked(file)

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert "is not known" in outcome.unverified[0]


def test_a_comment_with_a_reason_suppresses():
    said = WEAK.replace(
        "assert total([1, 2])\n", "assert total([1, 2])  # verify: ignore[integrity.assertion-weakened] sums vary\n"
    )
    outcome = checked(changed_file("tests/test_shop.py", TEST, said))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.findings) == ("pass", ())
    assert outcome.metrics["suppressed"] == 1
    assert outcome.proofs == ()
    assert "1 finding suppressed by a comment" in outcome.summary


def test_a_comment_that_suppresses_nothing_is_told():
    idle = TEST.replace("== 0\n", "== 0  # verify: ignore[integrity.test-skipped] not so\n")
    outcome = checked(changed_file("tests/test_shop.py", TEST, idle))

    assert [finding.rule for finding in outcome.findings] == ["unused-suppression"]


def test_the_settings_switch_a_rule_off():
    outcome = checked(changed_file("tests/test_shop.py", TEST, WEAK), rules={"integrity.assertion-weakened": "off"})

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.findings, outcome.proofs) == ("pass", (), ())
    assert outcome.summary.endswith("apart from rules that the settings switch off")


def test_a_test_that_stands_in_an_unchanged_file_is_not_gone(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_moved.py").write_text("def test_none():\n    assert total([]) == 0\n")
    gone = changed_file("tests/test_shop.py", TEST, TEST[: TEST.index("\n\ndef test_none")])

    assert [finding.rule for finding in checked(gone).findings] == ["integrity.test-removed"]
    assert checked(gone, place=tmp_path).findings == ()


def test_a_test_that_moved_to_another_file_is_not_gone():
    cut = changed_file("tests/test_shop.py", TEST, TEST[: TEST.index("\n\ndef test_none")])
    pasted = changed_file(
        "tests/test_none.py", None, "from shop import total\n\n\ndef test_none():\n    assert total([]) == 0\n"
    )

    assert checked(cut, pasted).findings == ()


def test_a_renamed_file_keeps_its_tests():
    assert checked(changed_file("tests/test_cart.py", TEST, TEST + "\n# end\n", "tests/test_shop.py")).findings == ()


def test_a_name_that_the_runner_does_not_look_for_takes_tests_away():
    for name in ("tests/old_shop.py", "tests/test_shop.py.bak"):
        outcome = checked(changed_file(name, TEST, TEST + "\n# end\n", "tests/test_shop.py"))
        assert [finding.rule for finding in outcome.findings] == ["integrity.test-removed"], name


def test_assertions_that_changed_without_code_are_a_nudge_that_does_not_warn():
    renamed = TEST.replace("total([1, 2]) == 3", "total([1, 2, 3]) == 6")
    outcome = checked(changed_file("tests/test_shop.py", TEST, renamed))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert [(finding.rule, finding.severity) for finding in outcome.findings] == [
        ("integrity.test-changed-alone", "info")
    ]


def test_the_nudge_knows_new_tests_and_mere_words_from_changes():
    for after in (
        TEST + "\n\ndef test_one():\n    assert total([1]) == 1\n",
        TEST.replace("total([]) == 0", "0 == total([])"),
        TEST.replace("test_none", "test_nothing"),
        TEST.replace("assert total([]) == 0", "assert (\n        total([])\n        == 0\n    )"),
    ):
        assert checked(changed_file("tests/test_shop.py", TEST, after)).findings == ()


def test_a_binary_file_is_nothing_to_compare():
    assert isinstance(checked(FileChange("tests/a.png", "modified", binary=True)), Skipped)
