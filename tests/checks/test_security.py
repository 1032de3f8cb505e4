"""The check of kind "security": added lines, removed guards, what only moved, and what comments say."""

from pathlib import Path

import anyio
import attrs
import pytest

from tests.harness.changed_files import changed_file as changed
from verify_lsp.checks import security
from verify_lsp.checks.base import CheckContext
from verify_lsp.model.change import Change, FileChange
from verify_lsp.model.command import CommandResult
from verify_lsp.model.outcome import Ran, Skipped
from verify_lsp.security.samples import filled
from verify_lsp.settings.settings import Settings

SECRET = filled("«password»")
EVAL = "result = eval(user_input)\n"


def checked(*files, **settings):
    async def run(_command, _place):
        return CommandResult(None)

    context = CheckContext(Path("/w"), Path("/w"), Change(tuple(files)), (), Settings(**settings), run)
    return anyio.run(security.check, context)


def test_an_added_danger_fails():
    outcome = checked(changed("app.py", "a = 1\n", "a = 1\n" + EVAL))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert [(each.rule, each.line, each.preexisting) for each in outcome.findings] == [("py-eval", 2, False)]
    assert outcome.metrics["lines_scanned"] == 1
    assert (outcome.metrics["critical"], outcome.metrics["high"], outcome.metrics["medium"]) == (0, 1, 0)
    assert not outcome.proofs[0].holds


def test_an_older_danger_beside_an_added_line_is_not_the_changes():
    outcome = checked(changed("app.py", EVAL, EVAL + "a = 1\n"))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert outcome.findings == ()


def test_medium_findings_warn():
    outcome = checked(changed("app.py", "", "import tempfile\nname = tempfile.mktemp()\n"))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"
    assert outcome.proofs[0].holds


def test_a_pass_says_how_many_lines_were_looked_at():
    outcome = checked(changed("app.py", "", "a = 1\nb = 2\n"))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.summary) == ("pass", "the security rules find nothing in 2 added lines of 1 file")


def test_no_added_line_is_a_skip_not_a_pass():
    for file in (
        changed("app.py", EVAL, None),
        FileChange("logo.png", "modified", binary=True),
        FileChange("run.sh", "mode"),
        changed("app.py", "a = 1\nb = 2\n", "a = 1\n"),
    ):
        outcome = checked(file)
        assert isinstance(outcome, Skipped), file.path
        assert "nothing to scan" in outcome.reason


def test_the_setting_switches_it_off():
    outcome = checked(changed("app.py", "", EVAL), security_rules=False)

    assert outcome == Skipped("the settings switch the security rules off", needless=True)


def test_a_rule_that_is_off_neither_fails_nor_shows():
    outcome = checked(changed("app.py", "", EVAL), rules={"py-eval": "off"})

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.findings) == ("pass", ())
    assert outcome.summary.endswith(", apart from rules that the settings switch off")


def test_a_rule_has_the_severity_that_the_settings_give_it():
    outcome = checked(changed("app.py", "", EVAL), rules={"py-eval": "medium"})

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "warn"


def test_a_moved_line_is_not_new():
    text = "a = 1\n" * 9
    outcome = checked(changed("app.py", EVAL + text, text + EVAL))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"
    assert [each.preexisting for each in outcome.findings] == [True]


def test_a_line_moved_to_another_module_is_not_new_but_one_of_two_copies_is():
    moved = checked(changed("old.py", EVAL, ""), changed("new.py", "", EVAL))
    doubled = checked(changed("old.py", EVAL, ""), changed("new.py", "", EVAL + "b = 1\n" + EVAL))

    assert isinstance(moved, Ran)
    assert isinstance(doubled, Ran)
    assert (moved.verdict, doubled.verdict) == ("pass", "fail")
    assert sorted(each.preexisting for each in doubled.findings) == [False, True]


def test_a_secret_that_moves_to_a_more_public_file_is_new():
    line = f'db_password = "{SECRET}"\n'
    same = checked(changed("server/a.py", line, ""), changed("server/b.py", "", line))
    opened = checked(changed("server/a.py", line, ""), changed("public/b.js", "", line))
    committed = checked(changed(".env", line, ""), changed("server/b.py", "", line))

    assert [outcome.verdict for outcome in (same, opened, committed)] == ["pass", "fail", "fail"]


def test_a_suppressed_finding_is_counted_and_does_not_fail():
    outcome = checked(changed("app.py", "", "eval(x)  # verify: ignore[py-eval] x is ours\n"))

    assert isinstance(outcome, Ran)
    assert (outcome.verdict, outcome.findings, outcome.metrics["suppressed"]) == ("pass", (), 1)
    assert "1 finding suppressed by a comment" in outcome.summary


def test_an_added_suppression_of_nothing_is_reported():
    outcome = checked(changed("app.py", "", "a = 1  # verify: ignore[py-eval] x is ours\n"))

    assert isinstance(outcome, Ran)
    assert [(each.rule, each.severity) for each in outcome.findings] == [("unused-suppression", "low")]
    assert outcome.verdict == "pass"


def test_a_suppression_added_for_an_older_finding_is_used():
    outcome = checked(changed("app.py", "\n" + EVAL, "# verify: ignore[py-eval] x is ours\n" + EVAL))

    assert isinstance(outcome, Ran)
    assert outcome.findings == ()


def test_a_text_that_is_known_by_its_added_lines_alone_is_scanned():
    file = attrs.evolve(changed("app.py", "a = 1\n", "a = 1\n" + EVAL), before=None, after=None)
    outcome = checked(file)

    assert isinstance(outcome, Ran)
    assert [(each.rule, each.line) for each in outcome.findings] == [("py-eval", 2)]


def test_code_too_large_to_parse_is_said():
    outcome = checked(changed("bundle.js", "", "var a = 1;" * 3_000 + "\n"))

    assert isinstance(outcome, Ran)
    assert outcome.unverified == ("the code of bundle.js (it has lines that only a program writes)",)


@pytest.mark.parametrize("text", ["print(1)\n", "eval('1')\n"])
def test_harmless_lines_pass(text):
    outcome = checked(changed("app.py", "", text))

    assert isinstance(outcome, Ran)
    assert outcome.verdict == "pass"


def test_a_guard_that_moves_to_another_file_is_not_gone():
    view = "def a():\n    return 1\n"
    gone = changed("views.py", "@login_required\n" + view, view)
    alone = checked(gone, changed("other.py", "", "a = 1\n"))
    moved = checked(gone, changed("urls.py", "", "view = login_required(a)\n"))

    assert isinstance(alone, Ran)
    assert isinstance(moved, Ran)
    assert (alone.verdict, moved.verdict) == ("fail", "pass")
