import json
from pathlib import Path

import jsonschema
import pytest

from verify_lsp.settings.editor import editor_properties, restricted_settings
from verify_lsp.settings.options import FIELDS, read_options

MANIFEST = Path(__file__).parents[2] / "client-vscode" / "package.json"
OWN = ["verify.serverPath"]
"""Settings of the extension itself that name a program."""


def test_the_extension_declares_the_settings_as_they_are():
    before = MANIFEST.read_text(encoding="utf-8")
    manifest = json.loads(before)
    manifest["contributes"]["configuration"][0]["properties"] = editor_properties()
    manifest["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = [*OWN, *restricted_settings()]
    fresh = json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"
    MANIFEST.write_text(fresh, encoding="utf-8")

    assert before == fresh, "client-vscode/package.json was stale; it has been rewritten"


def test_every_setting_is_declared():
    assert list(editor_properties()) == [f"verify.{key}" for key in FIELDS]


def test_each_default_is_valid_for_the_editor_and_for_the_server():
    for name, schema in editor_properties().items():
        jsonschema.validate(schema["default"], schema)
        assert read_options({name.removeprefix("verify."): schema["default"]}, "editor").problems == ()


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("timeoutSecs", 0),
        ("timeoutSecs", "5"),
        ("checks", ["nonsense"]),
        ("rules", {"a": "loud"}),
        ("trace", "loud"),
        ("inline.onSave", 1),
        ("registries", {"npm": 1}),
        ("testCommand", 1),
    ],
)
def test_what_the_server_refuses_the_editor_marks_as_wrong(name, wrong):
    assert read_options({name: wrong}, "editor").problems
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, editor_properties()[f"verify.{name}"])


def test_settings_that_name_commands_or_addresses_are_restricted():
    assert restricted_settings() == [
        "verify.preTestCommand",
        "verify.projectCheckCommand",
        "verify.registries",
        "verify.testCommand",
    ]
