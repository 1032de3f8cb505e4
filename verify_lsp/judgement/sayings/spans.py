"""What a piece of code in a sentence is: a command, a path, a name, or something to leave alone."""

import re
from typing import Literal

SpanKind = Literal["tests", "lint", "types", "build", "path", "name", "code"]

_RUNNER = (
    r"^(?:\$ )?(?:[A-Z_][A-Z0-9_]*=\S+ )*(?:(?:sudo|npx|bunx|pnpx|time|uv run|uvx|poetry run|pdm run|hatch run|pipenv run"
    r"|pnpm exec|yarn exec|npm exec|bundle exec|python3? -m|\.venv/bin/python -m) )*(?:\.?/?(?:\S{1,60}/)?(?:bin|\.bin)/)?"
)
_SCRIPT = r"(?:npm|pnpm|yarn|bun|deno|composer)(?: -\S+)*(?: run| task)?"
_TESTS = re.compile(
    _RUNNER + r"(?:pytest|py\.test|unittest|nose2|tox|nox|jest|vitest|mocha|ava|playwright test|cypress run|go test"
    rf"|gotestsum|cargo (?:nextest run|test)|{_SCRIPT} (?:t|tests?)(?::[\w-]+)?|(?:make|just) (?:tests?|check)|rspec|phpunit"
    r"|ctest|mvn test|(?:\./)?gradlew? test|dotnet test|mix test|swift test|flutter test|node --test|deno test)"
    r"(?P<rest>(?:$| ).*)$"
)
_LINT = re.compile(
    _RUNNER
    + r"(?:ruff(?! format)(?: check)?|eslint|flake8|pylint|cargo clippy|clippy|golangci-lint run|golangci-lint|biome (?:lint|check)"
    rf"|stylelint|rubocop|shellcheck|oxlint|{_SCRIPT} lint(?::[\w-]+)?|(?:make|just) lint)(?P<rest>(?:$| ).*)$"
)
_TYPES = re.compile(
    _RUNNER + r"(?:mypy|pyright|basedpyright|ty check|tsc|vue-tsc|pyre|flow check|cargo check|go vet"
    rf"|{_SCRIPT} (?:type-?checks?|check-?types?|check:types|types|tsc)|(?:make|just) type-?checks?)(?P<rest>(?:$| ).*)$"
)
_BUILD = re.compile(
    _RUNNER
    + rf"(?:{_SCRIPT} build(?::[\w-]+)?|cargo build|go build|mvn (?:package|compile)|(?:\./)?gradlew? build|dotnet build"
    r"|vite build|next build|webpack|rollup|build|docker build|make|make build|just build)(?P<rest>(?:$| ).*)$"
)
_COMMANDS: tuple[tuple[SpanKind, re.Pattern[str]], ...] = (
    ("tests", _TESTS),
    ("lint", _LINT),
    ("types", _TYPES),
    ("build", _BUILD),
)
_CHAINED = re.compile(r"&&|\|\||[;|<>`]|\$\(")

_LENGTH_LIMIT = 300

_EXTENSIONS = (
    r"py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|go|mod|sum|rs|java|kt|kts|scala|c|h|cc|cpp|hpp|cs|swift|rb|php|pl"
    r"|lua|r|sh|bash|zsh|ps1|sql|json|jsonc|json5|toml|ya?ml|ini|cfg|conf|env|lock|md|mdx|rst|txt|html?|css|scss|less|xml|svg"
    r"|proto|graphql|tf|hcl|csv|snap|gradle|properties|dart|ex|exs|zig|nix|prisma|png|jpe?g|gif|ico|pdf"
)
_FILE = re.compile(
    rf"^(?:[\w.@+ -]+/)*[\w.@+-]*\.(?:{_EXTENSIONS})$|^(?:[\w.@+-]+/)*(?:Dockerfile|Makefile|CODEOWNERS|LICENSE)$"
)
_LIBRARY = re.compile(
    r"^(?:node|next|vue|react|express|nuxt|three|d3|ember|nest|chart|discord|p5|alpine|moment|solid|socket|asp)\.(?:js|io|net)$",
    re.IGNORECASE,
)
_FOLDER = re.compile(r"^(?:\.{0,2}[\w.@+-]+/)+$|^(?:[\w.@+-]+/){2,}[\w.@+-]+$")
_NAME = re.compile(r"^@?[A-Za-z_$][\w$-]*(?:[./:#]+[\w$-]+)*(?:\(\))?$")

# Arguments that leave a test command whole.
_WHOLE = re.compile(r"^(?:\./\.\.\.|\.|tests?/?|--all|--workspace|run|--run)$")
_NARROWING = re.compile(
    r"^(?:-k|-m|-t|--filter|-run|--lf|--last-failed|--ff|--only\S*|--testNamePattern\S*|--grep|-g|--test|--lib|-p)$"
)


def kind_of_code(content: str) -> SpanKind:
    """Return what the content of a code span is. Chained commands are left alone: which part is meant is unclear."""
    if len(content) > _LENGTH_LIMIT or _CHAINED.search(content):
        return "code"
    for kind, pattern in _COMMANDS:
        if pattern.match(content):
            return kind
    return kind_of_word(content) or ("name" if _NAME.match(content) else "code")


def kind_of_word(word: str) -> Literal["path"] | None:
    """Return "path" for a word that names a file or folder by its look, else None."""
    if _LIBRARY.match(word):
        return None
    return "path" if _FILE.match(word) or _FOLDER.match(word) else None


def is_narrowed(command: str) -> bool:
    """Say whether a test command runs only some of the tests: it names files, or picks by name."""
    found = _TESTS.match(command)
    words = found["rest"].split() if found else []
    return any(
        _NARROWING.match(word) or _names_tests(word, words[index - 1] if index else "")
        for index, word in enumerate(words)
    )


def _names_tests(word: str, before: str) -> bool:
    if word.startswith("-") or _WHOLE.match(word):
        return False
    # What follows a flag may be its value, unless it looks like a place.
    return not before.startswith("-") or before == "--" or "::" in word or "/" in word or kind_of_word(word) is not None
