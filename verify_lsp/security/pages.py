"""The rules' pages of the documentation, generated from the rules themselves: docs/rules."""

import unicodedata
from collections.abc import Mapping

from verify_lsp.security.rule import Guard, Rule
from verify_lsp.security.rules import FAMILIES, family_rules, rules
from verify_lsp.security.samples import shown

_FAMILY_TITLES = {
    "secrets_cloud": "Secrets of clouds and hosting",
    "secrets_hosting": "Secrets of code hosting and delivery",
    "secrets_services": "Secrets of services",
    "secrets_general": "Secrets of any kind",
    "python_code": "Python",
    "python_web": "Python on the web",
    "python_servers": "Python: servers and clients",
    "script_code": "JavaScript and TypeScript",
    "script_web": "JavaScript and TypeScript on the web",
    "go_code": "Go",
    "rust_code": "Rust",
    "transport": "Connections",
    "crypto": "Hashes, ciphers, keys",
    "shell": "Shells",
    "pipelines": "Pipelines and package scripts",
    "containers": "Containers",
    "infrastructure": "Terraform",
    "hidden": "Hidden text",
    "guards": "What was taken away",
}
_SUPPRESS = (
    "Suppress one finding with `verify: ignore[RULE] reason` in a comment; switch the rule off, or give it another severity, "
    'in the settings: `rules = { RULE = "off" }`.'
)
_LABELLED = "[labelled texts](../accuracy.md#a-labelled-corpus)"
_IN_TESTS = {None: "the same", "off": "not reported"}


def pages(measured: Mapping[str, str]) -> dict[str, str]:
    """Return the pages by their file names: one a rule, and the index.

    Args:
        measured: By family, how often its rules are right on labelled texts, in words.
    """
    found = {
        f"{rule.id}.md": _page(rule, f"{_FAMILY_TITLES[family]}: {measured[family]}")
        for family in FAMILIES
        for rule in family_rules(family)
    }
    return {"README.md": _index(measured), **found}


def _index(measured: Mapping[str, str]) -> str:
    fixable = sum(rule.fixable for rule in rules())
    head = f"{len(rules())} rules, {fixable} of them with a safe rewrite where it is certain."
    parts = [
        f"# Security rules\n\n{head} How they are applied, and how to live with them: [security](../security.md).\n"
    ]
    for family in FAMILIES:
        parts.append(f"\n## {_FAMILY_TITLES[family]}\n\nOn {_LABELLED}: {measured[family]}.\n")
        parts.append("\n| rule | severity | |\n|---|---|---|\n")
        parts += [
            f"| [`{rule.id}`]({rule.id}.md) | {rule.severity} | {_cell(rule.title)} |\n"
            for rule in family_rules(family)
        ]
    return "".join(parts)


def _page(rule: Rule, measured: str) -> str:
    languages = ", ".join(rule.languages) or "every text"
    in_tests = _IN_TESTS.get(rule.in_tests, f"{rule.in_tests} at most")
    lines = [
        f"# {rule.title}",
        "",
        f"`{rule.id}` · {rule.severity} · {', '.join(rule.cwe)}",
        "",
        f"{rule.description or rule.message + '.'}",
        "",
        rule.suggestion,
        "",
        f"- Looked for in: {languages}",
        f"- In tests: {in_tests}",
        f"- Safe rewrite: {'yes, where it is certain' if rule.fixable else 'no'}",
        f"- On {_LABELLED}, all rules of the family together: {measured}",
        "",
        "## Found",
        "",
        *(_example(rule, text) for text in rule.bad),
        "## Not found",
        "",
        *(_example(rule, text) for text in rule.good),
        _SUPPRESS.replace("RULE", rule.id),
    ]
    return "\n".join(lines) + "\n"


def _example(rule: Rule, text: str) -> str:
    name = ""
    if text.startswith("#! ") and "\n" in text:
        head, _, text = text.partition("\n")
        name = f"In `{head[3:]}`:\n\n"
    language = "diff" if any(isinstance(matcher, Guard) for matcher in rule.match) else (rule.languages or ("",))[0]
    return f"{name}````{language}\n{_visible(shown(text)).rstrip()}\n````\n"


def _visible(text: str) -> str:
    """Write what nobody sees as an escape, so that the page holds none of it."""
    return "".join(
        character
        if character == "\n" or unicodedata.category(character) not in {"Cf", "Cc", "Lo"}
        else f"\\u{ord(character):04x}"
        for character in text
    )


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
