from pathlib import Path

from verify_lsp.checks.base import CheckContext
from verify_lsp.checks.verified_files import verify_changed
from verify_lsp.model.change import Change, FileChange, Line
from verify_lsp.model.outcome import Ran, Skipped
from verify_lsp.settings.settings import Settings


async def nothing_runs(*_):
    raise AssertionError


def context(*files: FileChange) -> CheckContext:
    return CheckContext(Path("/w"), Path("/w"), Change(files=files), (), Settings(), nothing_runs)


def changed(path: str, before: str | None, after: str) -> FileChange:
    old = before.split("\n") if before is not None else []
    added = tuple(Line(n, text) for n, text in enumerate(after.split("\n"), 1) if text not in old)
    removed = tuple(Line(n, text) for n, text in enumerate(old, 1) if text not in after.split("\n"))
    kind = "added" if before is None else "modified"
    return FileChange(path, kind, before=before, after=after, added_lines=added, removed_lines=removed)


def ran(*files: FileChange) -> Ran:
    outcome = verify_changed(context(*files), "diagnostics")
    assert isinstance(outcome, Ran)
    return outcome


def test_a_file_that_no_longer_parses_fails_with_its_place():
    outcome = ran(changed("cfg.json", '{"a": true}\n', '{"a": true,}\n'))
    assert (outcome.verdict, outcome.summary) == ("fail", "1 new syntax error in 1 changed file (json)")
    (finding,) = outcome.findings
    assert (finding.path, finding.line, finding.fixable, finding.preexisting) == ("cfg.json", 1, True, False)


def test_what_was_broken_before_is_told_apart_and_only_warns():
    outcome = ran(changed("cfg.json", '{"a": 1,\n"b": 2,}\n', '{"a": 3,\n"b": 2,}\n'))
    assert (outcome.verdict, [finding.preexisting for finding in outcome.findings]) == ("warn", [True])
    assert outcome.summary == "no new syntax errors in 1 changed file (json), and 1 from before the change"


def test_files_that_parse_pass_and_say_which_they_were():
    outcome = ran(changed("a.yaml", None, "a: 1\n"), changed("b.toml", None, "a = 1\n"))
    assert (outcome.verdict, outcome.summary) == ("pass", "2 changed files (toml and yaml) parse")


def test_a_template_is_named_as_not_verified():
    outcome = ran(changed("a.yaml", None, "a: 1\n"), changed("t.yaml", None, "{% if x %}\na: 1\n{% endif %}\n"))
    assert outcome.summary == "1 changed file (yaml) parses"
    assert outcome.asides == ("t.yaml was not verified: template: what it makes is not known before it is rendered",)


def test_what_toolchains_check_is_left_to_them():
    outcome = verify_changed(context(changed("a.py", None, "def f(:\n"), changed("n.txt", None, "x")), "diagnostics")
    assert isinstance(outcome, Skipped)
    assert outcome.needless
