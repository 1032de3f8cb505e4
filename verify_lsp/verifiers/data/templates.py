"""How templates are told from the text that they make."""

import re

# What begins a placeholder must look like a name or a call, as `{{"a": 1}}` is a slip and no template.
PLACEHOLDER = re.compile(
    r"\{\{[-~#/^>&!]?\s*[\w.$(@][^{}\n]*\}\}\}?|\{%[-+~]?\s*\w[^\n]*?%\}|\{#[^\n]*?#\}|<%[^\n]*?%>|\$\{\{[^\n]*?\}\}"
)
STATEMENT = re.compile(r"^[ \t]*(?:\{%[-+~]?\s*\w|\{\{[-~#/^>&!]|\{#|<%)", re.MULTILINE)

TEMPLATE = "template: what it makes is not known before it is rendered"
"""Why a template is skipped."""
