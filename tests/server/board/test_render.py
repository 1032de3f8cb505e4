import pytest

from verify_lsp.model.finding import SEVERITIES, Finding
from verify_lsp.server.board.policy import ERROR, HINT, INFORMATION, WARNING, Policy, View, policy_for
from verify_lsp.server.board.render import Share, diagnostics, shares, wanted
from verify_lsp.server.board.spans import Placed, Span

EDITOR = policy_for("Visual Studio Code", offers_pull=True)
CLAUDE = policy_for("Claude Code", offers_pull=False)
OPENCODE = policy_for("opencode", offers_pull=True)


def placed(line: int = 0, severity: str = "high", *, preexisting: bool = False, url: str | None = None) -> Placed:
    finding = Finding(
        id=f"f{line}",
        check="lint",
        severity=severity,
        path="a.py",
        line=line + 1,
        rule="the-rule",
        message="the message",
        preexisting=preexisting,
        url=url,
    )
    return Placed(finding, Span(line, 0, line, 1), "r1")


def shown(one: Placed, policy: Policy) -> dict:
    (diagnostic,) = diagnostics([one], ["x"] * 200, Share(1), View(policy))
    return diagnostic


def test_a_diagnostic_says_who_which_rule_and_where_to_read_on():
    assert shown(placed(3, url="https://example.invalid/the-rule"), EDITOR) == {
        "range": {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 1}},
        "severity": ERROR,
        "source": "verify",
        "code": "the-rule",
        "message": "the message",
        "data": {"findingId": "f3", "reportId": "r1", "fixable": False},
        "codeDescription": {"href": "https://example.invalid/the-rule"},
    }


def test_severities_are_those_of_the_contract():
    levels = [shown(placed(severity=severity), EDITOR)["severity"] for severity in SEVERITIES]
    assert levels == [ERROR, ERROR, WARNING, INFORMATION, HINT]


def test_a_client_that_hands_on_errors_alone_gets_what_asks_for_an_act_as_one():
    levels = [shown(placed(severity=severity), OPENCODE)["severity"] for severity in SEVERITIES]
    assert levels == [ERROR, ERROR, ERROR, INFORMATION, HINT]
    assert shown(placed(), OPENCODE)["message"] == "the-rule: the message"


def test_an_old_problem_is_a_hint_that_says_so_and_agents_are_spared_it():
    old = placed(preexisting=True)
    assert shown(old, EDITOR)["severity"] == HINT
    assert shown(old, EDITOR)["message"] == "the message (there before this change)"
    assert [len(wanted([old], policy)) for policy in (EDITOR, CLAUDE, OPENCODE)] == [1, 0, 0]


def test_the_gravest_come_first():
    found = [placed(0, "info"), placed(1, "high", preexisting=True), placed(2, "critical"), placed(3, "medium")]
    assert [one.span.line for one in wanted(found, EDITOR)] == [2, 3, 0, 1]


def test_a_file_with_too_many_shows_the_gravest_and_says_how_many_are_hidden():
    files = {"a": wanted([placed(line, "low") for line in range(12)] + [placed(50, "critical")], CLAUDE)}
    share = shares(files, CLAUDE)["a"]
    items = diagnostics(files["a"], ["x"] * 60, share, View(CLAUDE))
    assert len(items) == 10
    assert items[0]["range"]["start"]["line"] == 50
    assert items[-1]["message"] == "4 more findings in this file hidden; the report has them all."
    assert items[-1]["severity"] == INFORMATION


@pytest.mark.parametrize("count", [9, 10])
def test_a_file_that_just_fits_hides_nothing(count):
    files = {"a": [placed(line) for line in range(count)]}
    assert shares(files, CLAUDE) == {"a": Share(count)}


def test_what_the_total_leaves_no_room_for_is_said_in_the_last_file_shown():
    policy = Policy("push", per_file=10, total=12)
    files = {name: [placed(line) for line in range(5)] for name in "abcd"}
    given = shares(files, policy)
    assert {name: share.count for name, share in given.items()} == {"a": 5, "b": 5, "c": 1, "d": 0}
    assert given["c"].note == "4 more findings in this file hidden; 5 more findings in 1 other file hidden"


def test_the_total_is_kept():
    policy = Policy("push", per_file=10, total=25)
    files = {f"{number:03}": [placed(line) for line in range(number % 13 + 1)] for number in range(100)}
    given = shares(files, policy)
    assert sum(share.count + bool(share.note) for share in given.values()) <= 26


def test_files_with_the_gravest_findings_are_shown_first():
    policy = Policy("push", per_file=10, total=1)
    files = {"a": [placed(0, "low")], "b": [placed(0, "critical")]}
    assert shares(files, policy)["b"].count == 1
    assert shares(files, policy)["a"].count == 0


def test_columns_are_counted_as_the_client_counts():
    one = Placed(placed().finding, Span(0, 10, 0, 18))
    line = 'x = "😀😀"; password = "correct-horse-9917"'
    for encoding, start, end in (("utf-8", 16, 24), ("utf-16", 12, 20), ("utf-32", 10, 18)):
        (item,) = diagnostics([one], [line], Share(1), View(EDITOR, encoding))
        assert item["range"] == {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}}


def test_clients_are_known_by_their_names():
    assert policy_for("claude-code", offers_pull=False).settled_only
    assert policy_for("OpenCode", offers_pull=True).errors_are_all
    assert policy_for(None, offers_pull=True) == Policy("pull")
    assert policy_for("Neovim", offers_pull=False) == Policy("push")
