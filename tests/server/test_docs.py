"""docs/lsp.md lists what routes.py answers, no more and no less."""

import json
import re
from pathlib import Path

import pytest

from verify_lsp.server import routes
from verify_lsp.server.features import run_events
from verify_lsp.server.running import collect

PAGE = (Path(__file__).parents[2] / "docs" / "lsp.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.split(r"^## ", PAGE, flags=re.MULTILINE)[
        [t.split("\n")[0] for t in re.split(r"^## ", PAGE, flags=re.MULTILINE)].index(title)
    ]


def listed(text: str) -> list[str]:
    """The methods in the first column of the first table of a section."""
    table = re.search(r"(?:^\|.*\n)+", text, flags=re.MULTILINE)[0]
    return re.findall(r"^\| \[?`([^`]+)`", table, flags=re.MULTILINE)


def test_the_page_lists_every_request_that_is_answered():
    answered = [route.method for route in (*routes.REQUESTS, *routes.PULLED, *routes.OWN_REQUESTS)]
    assert sorted(listed(section("Requests"))) == sorted([*answered, "workspace/executeCommand"])


def test_the_page_lists_every_notification_that_is_taken():
    taken = [route.method for route in (*routes.NOTIFICATIONS, *routes.OWN_NOTIFICATIONS)]
    assert sorted(listed(section("Notifications to the server"))) == sorted(taken)


def test_the_page_lists_every_command_with_its_request():
    commands = {own.command: own.method for own in routes.OWN_REQUESTS if own.command}
    table = section("Requests").partition("### Commands")[2]
    assert dict(re.findall(r"^\| `(\w+)` \| `([^`]+)`", table, flags=re.MULTILINE)) == commands


def test_the_page_describes_what_we_tell_and_ask():
    assert {run_events.EVENT, run_events.CHANGED, run_events.SESSION_EVENT} <= set(
        listed(section("Notifications from the server"))
    )
    assert collect.METHOD in listed(section("Requests of the server"))


def test_every_method_of_ours_has_a_part_with_an_example():
    methods = [own.method for own in (*routes.OWN_REQUESTS, *routes.OWN_NOTIFICATIONS)]
    for method in [*methods, run_events.EVENT, run_events.CHANGED, run_events.SESSION_EVENT, collect.METHOD]:
        part = re.search(rf"^### {method}\n(.*?)(?=^##)", PAGE, flags=re.MULTILINE | re.DOTALL)
        assert part, method
        assert "```json" in part[1], method


@pytest.mark.parametrize("example", re.findall(r"```json\n(.*?)```", PAGE, flags=re.DOTALL))
def test_every_example_is_json(example):
    decoder = json.JSONDecoder()
    rest = example.strip()
    while rest:
        _, end = decoder.raw_decode(rest)
        rest = rest[end:].strip()


def test_every_link_inside_the_page_leads_somewhere():
    anchors = {
        re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", PAGE, flags=re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
