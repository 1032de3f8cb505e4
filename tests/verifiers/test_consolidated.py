import asyncio
from pathlib import Path

from verify_lsp.model.verify_result import VerifyResult
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.consolidated import consolidated
from verify_lsp.verifiers.verify import verify


def results(**texts):
    folder = Path("/p")

    async def all_of_them():
        subjects = (Subject(folder / name.replace("_", "."), text, workspace=folder) for name, text in texts.items())
        return [await verify(subject) for subject in subjects]

    return asyncio.run(all_of_them())


def test_nothing_is_said_when_nothing_failed():
    assert consolidated([]) == ""
    assert consolidated(results(a_json="{}", b_json='{"a": 1, "a": 2}', c_txt="x")) == ""
    assert consolidated([VerifyResult("a", True, True, "too large")]) == ""


def test_each_error_is_a_line_with_its_place_its_rule_and_what_to_do():
    message = consolidated(results(a_json='{\n"a": 1,\n}', b_yaml="a: b: c\n", c_json="{}"))

    lines = message.split("\n")
    assert lines[0] == "2 files do not verify:"
    assert lines[1].startswith("a.json:2:7: json.trailing-comma: ")
    assert lines[1].endswith("Remove the comma.")
    assert lines[2].startswith("b.yaml:1:5: yaml.colon: ")
    assert len(lines) == 3


def test_warnings_are_not_told():
    message = consolidated(results(a_json='{"a": 1, "a": 2,}'))

    assert "duplicate" not in message
    assert message.startswith("1 file does not verify:")


def test_the_message_is_bounded_and_counts_what_it_leaves_out():
    many = results(**{f"f{index}_json": "[" + "01," * 30 + "0]" for index in range(10)})
    lines = consolidated(many).split("\n")

    assert len(lines) == 22
    assert lines[-1] == "… and 280 more"
    assert max(map(len, lines)) <= 400


def test_what_a_file_says_cannot_break_the_message():
    (result,) = results(a_json='{"a": \x1b[31m\u202e' + "x" * 5000 + "}")

    message = consolidated([result])
    assert "`U+001B`" in message
    assert "\x1b" not in message
    assert "\u202e" not in message
