"""`verify-lsp rules`: the rules, listed."""

from verify_lsp.cli.exit_code import ExitCode
from verify_lsp.cli.output import emit
from verify_lsp.inspection.rule_list import every_rule


def show_rules(form: str) -> int:
    """Print the rules."""
    rules = every_rule()
    if form == "json":
        import json

        emit(json.dumps({"rules": rules}, indent=2, ensure_ascii=False) + "\n")
        return ExitCode.OK
    widest = max(len(rule["id"]) for rule in rules)
    lines = [
        f"{rule['severity']:<8}  {rule['id']:<{widest}}  {'fix' if rule['fixable'] else '   '}  {rule['title']}"
        for rule in rules
    ]
    fixable = sum(rule["fixable"] for rule in rules)
    emit("\n".join((*lines, "", f"{len(rules)} rules, {fixable} of them with a safe rewrite")) + "\n")
    return ExitCode.OK
