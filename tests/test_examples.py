"""What the documentation shows is held against the product."""

import re
from pathlib import Path

import yaml

from verify_lsp.cli.arguments import parse
from verify_lsp.security.scan import scan_text
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.verify import verify_text

ROOT = Path(__file__).parents[1]


def blocks(page: str) -> list[str]:
    return re.findall(r"^```yaml\n(.*?)^```", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)


def test_the_workflow_of_the_page_is_one_and_breaks_no_rule_of_ours():
    (workflow,) = [block for block in blocks("docs/ci.md") if "runs-on" in block]
    verdict = verify_text(Subject(ROOT / ".github" / "workflows" / "verify.yml", workflow))
    assert verdict is not None
    assert (verdict.problems, verdict.skipped) == ((), None)
    graver = [problem for problem in scan_text(".github/workflows/verify.yml", workflow) if problem.severity != "low"]
    assert graver == []


def test_the_hooks_for_pre_commit_call_commands_that_there_are():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert [hook["id"] for hook in hooks] == ["verify-lsp-check", "verify-lsp-run"]
    for hook in hooks:
        program, *words = hook["entry"].split()
        assert program == "verify-lsp"
        assert parse([*words, "a.json"] if hook.get("pass_filenames", True) else words).command == words[0]
    (config,) = [block for block in blocks("docs/ci.md") if "hooks:" in block]
    named = [hook["id"] for hook in yaml.safe_load(config)["repos"][0]["hooks"]]
    assert named == [hook["id"] for hook in hooks]
