"""How a service's token becomes a rule: they differ in shape alone."""

from typing import Literal

from verify_lsp.model.finding import Severity
from verify_lsp.security.rule import Rule, Secret
from verify_lsp.security.samples import shown

_PLAIN = "x" * 40


def token(rule: str, service: str, pattern: str, sample: str, *anchors: str, **more: "str | int | float") -> Rule:
    """Return the rule for a service's token.

    Args:
        rule: Its id.
        service: Whose token it is: "GitHub", or "A Slack webhook" with its article where "token" would be wrong.
        pattern: RE2, for bytes; its first group is the secret.
        sample: A made-up one, as `samples.filled` reads it.
        anchors: Fixed texts; what they have in front of the first random character may be shown.
        more: `severity` (critical), `check`, `entropy`, `context`, `file`, `after`, and `line`, where {} stands for the
            sample. Where an anchor is part of many words, `after` says how the token goes on.
    """
    what = service if service.startswith(("A ", "An ")) else f"A secret of {service}"
    severity: Severity = more.get("severity", "critical")  # type: ignore[assignment]  # the catalogue's words are tested
    file, context, check, after = (more.get(name) for name in ("file", "context", "check", "after"))
    line = str(more.get("line", 'value = "{}"'))
    in_tests: Literal["low"] | None = None if severity == "critical" else "low"
    return Rule(
        id=rule,
        title=f"{what} in plain text",
        severity=severity,
        languages=(),
        anchors=anchors,
        match=(
            Secret(
                pattern,
                check=None if check is None else str(check),
                shown=len(anchors[0]) if shown(sample).startswith(anchors[0]) else 0,
                entropy=float(more.get("entropy", 3.0)),
                context=None if context is None else str(context),
            ),
        ),
        message=f"{what} stands here in plain text",
        suggestion="Revoke it now, for whoever can read this text has it already; then read the new one from the environment or a secret store.",
        cwe=("CWE-798",),
        description=f"{what} gives whoever reads it the rights of its owner. Taking it out of the file does not take it out of the history.",
        after=None if after is None else str(after),
        file=None if file is None else str(file),
        in_tests=in_tests,
        bad=(line.replace("{}", sample),),
        good=tuple(
            line.replace("{}", text)
            for text in (anchors[0] + _PLAIN, f"{anchors[0]}...", f"{anchors[0]}<yours>", f"${{{anchors[0]}}}")
        ),
    )
