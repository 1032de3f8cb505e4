"""The names of tools that people say out loud."""

import re

LINTERS = r"ruff|eslint|flake8|pylint|clippy|golangci-lint|biome|rubocop|stylelint|shellcheck|oxlint"
TYPE_CHECKERS = r"mypy|pyright|basedpyright|tsc|vue-tsc|cargo check|go vet|pyre"
TEST_TOOLS = r"pytest|jest|vitest|mocha|go test|cargo test|npm test|playwright|rspec|junit"
_TOOL = re.compile(rf"\b(?:{LINTERS}|{TYPE_CHECKERS}|{TEST_TOOLS})\b")

_NAMES = f"{LINTERS}|{TYPE_CHECKERS}|{TEST_TOOLS}|unittest|ty".split("|")
TOOL_WORDS = frozenset(word for name in _NAMES for word in name.split()) - {"check", "test", "npm"}
"""The words of those names that tell one tool from another."""


def tools_in(words: str) -> tuple[str, ...]:
    """Return the tools named in some lower-case words."""
    return tuple(_TOOL.findall(words))
