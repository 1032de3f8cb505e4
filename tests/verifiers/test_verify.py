import asyncio
import time

import attrs
import pytest

from verify_lsp.codec import from_wire, to_wire
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.model.finding import Problem
from verify_lsp.model.verify_result import VerifyResult
from verify_lsp.verifiers import verify as module
from verify_lsp.verifiers.base import Subject, TextVerifier, ToolVerifier, Verdict
from verify_lsp.verifiers.findings import findings_of
from verify_lsp.verifiers.reading import read_subject
from verify_lsp.verifiers.registration import Registration
from verify_lsp.verifiers.registry import RegistrationTable
from verify_lsp.verifiers.verify import SIZE_LIMIT, verify, verify_text


async def no_tool(_command: Command, _place: object) -> CommandResult:
    raise AssertionError("no tool is to be run")


def result_of(path, text, **more):
    return asyncio.run(verify(Subject(path, text, **more), no_tool))


@pytest.fixture
def with_verifier(monkeypatch):
    def put(verifier, thorough=None):
        table = RegistrationTable.of([Registration((".x",), verifier, thorough=thorough)])
        monkeypatch.setattr(
            "verify_lsp.verifiers.registry.installed",
            lambda: attrs.make_class("I", {"verifiers": attrs.field()})(table),
        )

    return put


def test_a_right_file_is_ok_and_was_not_skipped(tmp_path):
    result = result_of(tmp_path / "a" / "b.json", "{}", workspace=tmp_path)

    assert result == VerifyResult("a/b.json", True, False, "the json verifier found nothing wrong", (), "json")


def test_an_error_is_not_ok_and_the_detail_names_its_line(tmp_path):
    result = result_of(tmp_path / "b.json", '{\n"a": 1,\n}', workspace=tmp_path)

    assert (result.ok, result.skipped, result.verifier) == (False, False, "json")
    assert result.detail.startswith("line 2: ")
    (finding,) = result.findings
    assert (finding.path, finding.line, finding.column, finding.rule) == ("b.json", 2, 7, "json.trailing-comma")
    assert (finding.check, finding.fixable) == ("diagnostics", True)


def test_a_warning_is_ok_and_is_said(tmp_path):
    result = result_of(tmp_path / "b.json", '{"a": 1, "a": 2}')

    assert result.ok
    assert [finding.severity for finding in result.findings] == ["medium"]
    assert "stands in this object already" in result.detail


def test_a_file_of_no_known_kind_is_skipped_and_names_no_verifier(tmp_path):
    result = result_of(tmp_path / "yarn.lock", "# yarn lockfile v1\n")

    assert (result.ok, result.skipped, result.verifier) == (True, True, None)
    assert "no verifier" in result.detail


def test_a_path_outside_of_the_workspace_stays_absolute(tmp_path):
    assert result_of(tmp_path / "b.json", "{}", workspace=tmp_path / "other").path == (tmp_path / "b.json").as_posix()


def test_a_result_goes_over_the_wire_and_back(tmp_path):
    result = result_of(tmp_path / "b.json", "[1,]", workspace=tmp_path)
    wire = to_wire(result)

    assert {"path", "verifier", "ok", "skipped", "detail", "findings"} == set(wire)
    assert wire["findings"][0]["endColumn"] == 4
    assert from_wire(wire, VerifyResult) == result


def test_the_id_of_a_finding_stays_when_lines_above_it_move(tmp_path):
    text = '{\n  "a": [1,],\n  "b": [1,],\n  "a": 2\n}\n'
    before = [finding.id for finding in result_of(tmp_path / "b.json", text).findings]
    after = [finding.id for finding in result_of(tmp_path / "b.json", "\n\n" + text).findings]

    assert len(set(before)) == 3
    assert before == after


def test_findings_come_in_the_order_of_the_problems():
    problems = [Problem("", 2, "high", "r", "b"), Problem("", 1, "low", "r", "a\x1b[31m")]
    findings = findings_of("x", "one\ntwo\n", problems)

    assert [(finding.line, finding.message) for finding in findings] == [(2, "b"), (1, "a")]


def test_a_text_that_is_too_large_is_skipped_and_says_the_limit(tmp_path):
    result = result_of(tmp_path / "a.json", "[" + " " * SIZE_LIMIT + "]")

    assert (result.ok, result.skipped) == (True, True)
    assert "5 MB" in result.detail


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.json", "[" * 3000 + "]" * 3000), ("a.yaml", "[" * 3000 + "]" * 3000), ("a.toml", f"a = {'[' * 5000}")],
)
def test_deep_nesting_is_skipped_with_a_reason_and_agrees_with_what_is_typed(tmp_path, name, text):
    subject = Subject(tmp_path / name, text)
    result = asyncio.run(verify(subject, no_tool))

    assert (result.ok, result.skipped) == (True, True)
    assert "too deep" in result.detail
    assert verify_text(subject).skipped == result.detail


def test_one_list_of_sixty_thousand_strings_is_judged_or_skipped_and_never_a_crash(tmp_path):
    items = ",\n".join(f'    "item {index}"' for index in range(60_000))

    assert result_of(tmp_path / "data.json", f"[\n{items}\n]\n").ok
    python = result_of(tmp_path / "data.py", f"DATA = [\n{items}\n]\n")
    assert python.ok


def test_broken_syntax_is_found_at_once_without_any_tool(tmp_path):
    started = time.process_time()
    verdict = verify_text(Subject(tmp_path / "a.json", '{"a": "unterminated\n}'))

    assert [problem.rule for problem in verdict.problems] == ["json.unclosed-string"]
    assert time.process_time() - started < 1


def test_a_git_lfs_pointer_is_skipped(tmp_path):
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n"

    assert "Git LFS" in result_of(tmp_path / "a.json", pointer).detail


def test_a_verifier_that_raises_has_skipped_the_file(tmp_path, with_verifier):
    def fails(_subject):
        raise ZeroDivisionError("of ours")

    with_verifier(TextVerifier("bad", fails))

    result = result_of(tmp_path / "a.x", "")
    assert (result.ok, result.skipped) == (True, True)
    assert "ZeroDivisionError: of ours" in result.detail


def test_a_verifier_that_recurses_without_end_has_skipped_the_file(tmp_path, with_verifier):
    def recurses(subject):
        return recurses(subject)

    with_verifier(TextVerifier("deep", recurses))

    assert "too deeply nested" in result_of(tmp_path / "a.x", "").detail


def test_a_verifier_that_takes_too_long_has_skipped_the_file(tmp_path, with_verifier, monkeypatch):
    monkeypatch.setattr(module, "_TEXT_TIME_LIMIT_S", 0.05)
    monkeypatch.setattr(module, "_INLINE_LIMIT", 1)
    released = __import__("threading").Event()

    def waits(_subject):
        released.wait(10)
        return Verdict()

    with_verifier(TextVerifier("slow", waits))
    try:
        result = result_of(tmp_path / "a.x", "xx")
    finally:
        released.set()

    assert (result.ok, result.skipped) == (True, True)
    assert "longer than 0.05 s" in result.detail


def tool(verdict, **more):
    async def ask(_subject, _run):
        return verdict

    return ToolVerifier("tool", ask, **more)


WRONG = Verdict(problems=(Problem("", 1, "high", "tool.x", "bad"),))


def test_a_tool_is_asked_about_saved_files_only_and_runs_foreign_code_with_trust_only(tmp_path, with_verifier):
    with_verifier(tool(WRONG, executes=True))

    assert result_of(tmp_path / "a.x", "").skipped
    assert "not trusted" in result_of(tmp_path / "a.x", "", saved=True).detail
    assert not result_of(tmp_path / "a.x", "", saved=True, trusted=True).ok
    assert verify_text(Subject(tmp_path / "a.x", "")) is None
    assert asyncio.run(verify(Subject(tmp_path / "a.x", "", saved=True, trusted=True))).skipped


def test_what_looks_at_the_text_alone_is_asked_about_unsaved_files_too(tmp_path, with_verifier):
    with_verifier(tool(WRONG, reads_file=False))

    assert not asyncio.run(verify(Subject(tmp_path / "a.x", ""))).ok
    assert not result_of(tmp_path / "a.x", "").ok


def test_a_tool_that_takes_too_long_or_fails_has_skipped_the_file(tmp_path, with_verifier):
    async def waits(_subject, _run):
        await asyncio.sleep(30)

    async def fails(_subject, _run):
        raise OSError("no disk")

    with_verifier(ToolVerifier("slow", waits, time_limit_s=0.05))
    assert "longer than 0.05 s" in result_of(tmp_path / "a.x", "", saved=True).detail
    with_verifier(ToolVerifier("bad", fails))
    assert "no disk" in result_of(tmp_path / "a.x", "", saved=True).detail


def test_a_thorough_tool_stands_in_place_of_the_quick_one(tmp_path, with_verifier):
    quick = TextVerifier("quick", lambda _subject: Verdict())

    with_verifier(quick, tool(WRONG))
    assert not result_of(tmp_path / "a.x", "", saved=True).ok
    assert result_of(tmp_path / "a.x", "").ok


def test_what_a_thorough_tool_could_not_look_at_is_not_wholly_verified(tmp_path, with_verifier):
    with_verifier(TextVerifier("quick", lambda _subject: Verdict()), tool(Verdict(skipped="not built here")))
    result = result_of(tmp_path / "a.x", "", saved=True)
    assert (result.ok, result.skipped, result.detail) == (True, True, "not built here")
    with_verifier(TextVerifier("quick", lambda _subject: WRONG), tool(Verdict(skipped="not built here")))
    result = result_of(tmp_path / "a.x", "", saved=True)
    assert (result.ok, result.skipped) == (False, False)


def on_disk(path, data):
    path.write_bytes(data)
    subject = read_subject(path, workspace=path.parent)
    assert isinstance(subject, Subject)
    return asyncio.run(verify(subject, no_tool))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["package.json", "pyproject.toml", ".env"])
def test_a_file_in_another_unicode_encoding_is_one_error_that_names_it(tmp_path, name, encoding):
    text = '{"name": "x", "version": "1"}' if name.endswith("json") else 'name = "x"\n'
    result = on_disk(tmp_path / name, text.encode(encoding))

    (finding,) = result.findings
    assert not result.ok
    assert finding.rule.endswith(".encoding")
    assert encoding[:6].upper() in finding.message
    assert (finding.line, finding.column) == (1, 1)


def test_a_yaml_file_in_utf_16_is_right_as_yaml_allows_it(tmp_path):
    assert on_disk(tmp_path / "a.yaml", "a: é\n".encode("utf-16")).ok


def test_bytes_that_are_no_text_are_one_error_at_their_place(tmp_path):
    (finding,) = on_disk(tmp_path / "a.json", b'{\n"a": "\xe9"}').findings
    assert (finding.rule, finding.line, finding.column) == ("json.encoding", 2, 7)
    assert "0xe9" in finding.message

    (finding,) = on_disk(tmp_path / "b.json", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR").findings
    assert "binary" in finding.message


@pytest.mark.parametrize("name", ["pyproject.toml", "a.yaml", "a.py", "a.xml", ".env", "Dockerfile"])
def test_a_byte_order_mark_is_nothing_wrong_where_readers_take_it(tmp_path, name):
    texts = {"a.py": "a = 1\n", "a.xml": "<a/>", "Dockerfile": "FROM x\n", "a.yaml": "a: 1\n"}

    assert on_disk(tmp_path / name, b"\xef\xbb\xbf" + texts.get(name, "A = 1\n").encode()).ok


def why_unread(path):
    result = read_subject(path)
    assert isinstance(result, VerifyResult)
    assert (result.ok, result.skipped, result.findings) == (True, True, ())
    return result.detail


def test_what_cannot_be_read_is_said_in_one_sentence_each(tmp_path):
    import os

    (tmp_path / "gone.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "circle.json").symlink_to(tmp_path / "circle.json")
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "large.json").write_bytes(b" " * (SIZE_LIMIT + 1))
    os.mkfifo(tmp_path / "pipe.json")

    assert "no such file" in why_unread(tmp_path / "none.json")
    assert "no such file" in why_unread(tmp_path / "large.json" / "x.json")
    assert "link to nothing" in why_unread(tmp_path / "gone.json")
    assert "circle" in why_unread(tmp_path / "circle.json")
    assert "folder" in why_unread(tmp_path / "folder.json")
    assert "pipe" in why_unread(tmp_path / "pipe.json")
    assert "5 MB" in why_unread(tmp_path / "large.json")
    assert "NUL" in why_unread(tmp_path / "a\0.json")
    assert "File name too long" in why_unread(tmp_path / ("x" * 300))


def test_a_link_is_followed_and_judged_by_its_own_name(tmp_path):
    (tmp_path / "data").write_text("[1,]")
    (tmp_path / "link.json").symlink_to(tmp_path / "data")
    subject = read_subject(tmp_path / "link.json")

    assert isinstance(subject, Subject)
    assert not asyncio.run(verify(subject)).ok


def test_a_file_that_is_empty_for_a_moment_leaves_nothing_behind(tmp_path):
    assert not on_disk(tmp_path / "a.json", b"").ok
    assert on_disk(tmp_path / "a.json", b"{}").findings == ()


@pytest.mark.parametrize("name", ["a.yaml", "a.toml", "a.py"])
def test_empty_files_are_right_where_the_grammar_says_so(tmp_path, name):
    assert on_disk(tmp_path / name, b"").ok
