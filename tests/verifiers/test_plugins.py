import asyncio
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.guarded import ask
from verify_lsp.verifiers.plugins import load
from verify_lsp.verifiers.registry import RegistrationTable

PLUGIN = """
from verify_lsp.verifiers.base import TextVerifier, Verdict
from verify_lsp.verifiers.registration import Registration

one = Registration((".one",), TextVerifier("one", lambda subject: Verdict()))
many = [one, Registration((".two",), TextVerifier("two", lambda subject: Verdict()))]


class Simple:
    names = [".simple"]
    name = "simple"

    def verify(self, path, content):
        if content == "raise":
            raise RuntimeError("not today")
        if content == "odd":
            return None
        if content == "skip":
            return {"ok": True, "detail": "no tool", "skipped": True}
        return "bad" not in content, f"{path} was read", False


class Async:
    names = (".later",)

    async def verify(self, path, content):
        return (False, "later", False)


simple = Simple()
later = Async()
within = Registration((".within",), Simple())
nonsense = 42
"""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    def put(**entries):
        (tmp_path / "some_plugin.py").write_text(dedent(PLUGIN))
        info = tmp_path / "some_plugin-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-plugin\nVersion: 1\n")
        lines = "\n".join(f"{name} = {value}" for name, value in entries.items())
        (info / "entry_points.txt").write_text(f"[test.verifiers]\n{lines}\n")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "some_plugin", raising=False)
        return load("test.verifiers")

    return put


def answer(brought, name, text):
    registration = RegistrationTable.of(brought.registrations).find(Path(name))

    async def run(_command, _place):
        raise AssertionError

    return asyncio.run(ask(registration.verifier, Subject(Path("/p") / name, text), run))


def test_an_entry_point_gives_one_registration_or_several(installed):
    brought = installed(a="some_plugin:one", b="some_plugin:many")

    assert brought.notes == ()
    assert [registration.names for registration in brought.registrations] == [(".one",), (".one",), (".two",)]


def test_a_plugin_that_fails_is_one_note_and_keeps_no_other_from_working(installed):
    brought = installed(a="no_such_module:x", b="some_plugin:nonsense", c="some_plugin:gone", d="some_plugin:one")

    assert [registration.names for registration in brought.registrations] == [(".one",)]
    assert len(brought.notes) == 3
    assert "no_such_module" in brought.notes[0]
    assert "b (some_plugin:nonsense)" in brought.notes[1]


def test_a_simple_verifier_is_adapted(installed):
    brought = installed(a="some_plugin:simple", b="some_plugin:within")

    for name in ("a.simple", "a.within"):
        right, wrong = answer(brought, name, "good"), answer(brought, name, "bad")
        assert right.problems == ()
        assert right.note == f"/p/{name} was read"
        assert right.skipped is None
        (problem,) = wrong.problems
        assert (problem.rule, problem.severity, problem.line) == ("simple.failed", "high", 1)
        assert answer(brought, name, "skip").skipped == "no tool"


def test_a_simple_verifier_may_be_asynchronous(installed):
    assert answer(installed(a="some_plugin:later"), "a.later", "").problems[0].message == "later"


def test_a_simple_verifier_that_raises_or_answers_nothing_has_skipped_the_file(installed):
    brought = installed(a="some_plugin:simple")

    assert "RuntimeError: not today" in (answer(brought, "a.simple", "raise").skipped or "")
    assert "no answer" in (answer(brought, "a.simple", "odd").skipped or "")
