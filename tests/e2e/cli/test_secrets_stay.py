"""No form of a report carries a secret that the change brought."""

import json

import pytest

from tests.harness.command_line import verify_lsp
from tests.harness.repository import new_repository
from verify_lsp.security.samples import filled

TOKEN, KEY, PASSWORD = filled("«github:ghp_»"), filled("«pem:k»"), filled("«password»")
TEXT = (
    f'token = "{TOKEN}"; eval(x)\n'
    f'K = """-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n-----END RSA PRIVATE KEY-----"""\n'
    f'password = "{PASSWORD}"\n'
)
HIDDEN = [TOKEN[8:], PASSWORD, *KEY.split("\n")]


@pytest.fixture
def repository(tmp_path):
    made = new_repository(tmp_path / "shop", {"README.md": "# Shop\n"})
    made.write("app.py", TEXT)
    return made


@pytest.mark.parametrize("form", ["text", "markdown", "sarif", "junit"])
def test_a_report_names_the_rule_and_not_the_secret(repository, form):
    done = verify_lsp("run", "--checks", "security", "--format", form, cwd=repository.path)

    assert done.code == 1
    assert "github-token" in done.out
    assert "private-key" in done.out
    assert [secret for secret in HIDDEN if secret in done.out + done.err] == []


def test_in_a_report_as_json_only_the_files_own_texts_hold_it(repository):
    done = verify_lsp("run", "--checks", "security", "--format", "json", cwd=repository.path)
    report = done.json()
    del report["files"]

    assert report["riskTier"] == 2
    assert [secret for secret in HIDDEN if secret in json.dumps(report)] == []
