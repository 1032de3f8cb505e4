import pytest

from tests.harness.changed_files import changed_file
from verify_lsp.judgement.files.behaviour import changes_behaviour
from verify_lsp.judgement.files.protected import PROTECTED, Protected, protected_class
from verify_lsp.model.change import FileChange


def class_of(file: FileChange) -> Protected | None:
    return protected_class(file, acts=changes_behaviour(file))


def about(path, before="x = 1\n", after="x = 2\n"):
    found = class_of(changed_file(path, before, after))
    return found.about if found else None


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("src/auth/login.py", "who gets in"),
        ("src/userPermissions.ts", "who gets in"),
        ("internal/jwt/verify.go", "who gets in"),
        ("lib/OAuth2Client.java", "who gets in"),
        ("app/session.py", "session code"),
        ("pkg/crypto/aes.go", "cryptography"),
        ("billing/invoice_total.rb", "money"),
        ("src/CheckoutForm.tsx", "money"),
        ("app/migrations/0002_add.py", "stored data"),
        ("alembic/versions/a.py", "stored data"),
        ("db/schema.sql", "stored data"),
        ("prisma/schema.prisma", "stored data"),
        (".github/workflows/ci.yml", "CI configuration"),
        (".gitlab-ci.yml", "CI configuration"),
        ("Jenkinsfile", "CI configuration"),
        ("docker/Dockerfile.prod", "infrastructure"),
        ("docker-compose.override.yml", "infrastructure"),
        ("infra/main.tf", "infrastructure"),
        ("deploy/k8s/pod.yaml", "infrastructure"),
        (".env.production", "secrets"),
        ("certs/server.pem", "secrets"),
        ("credentials.json", "secrets"),
        ("setup.py", "package manager"),
        ("crates/a/build.rs", "package manager"),
        ("tests/conftest.py", "package manager"),
        (".husky/pre-commit", "package manager"),
        ("pytest.ini", "checks the code has to pass"),
        ("web/tsconfig.build.json", "checks the code has to pass"),
        ("eslint.config.mjs", "checks the code has to pass"),
        (".github/CODEOWNERS", "checks the code has to pass"),
        ("verify.toml", "checks the code has to pass"),
    ],
)
def test_a_protected_path_says_what_it_does(path, word):
    assert word in (about(path) or "")


@pytest.mark.parametrize(
    "path",
    [
        "src/author.py",
        "src/authors/list.py",
        "src/authority.ts",
        "src/tokenizer.py",
        "lib/accessibility.js",
        "src/repay.py",
        "tools/git_checkout.py",
        "src/git/checkout.ts",
        "db/session.py",
        "src/passing.py",
        "src/macl.py",
        "docs/auth.md",
        "tests/auth/test_login.py",
        "src/login.test.ts",
        ".env.example",
        "src/composer.py",
        "src/environment.py",
        "src/keyboard.key.ts",
        "src/hooks/useThing.ts",
        "src/immigration.py",
        "README.md",
    ],
)
def test_a_path_that_only_looks_alike_is_not_protected(path):
    assert about(path) is None


def test_a_comment_in_a_protected_file_is_no_reason():
    assert about("src/auth/login.py", "x = 1\n", "# why\nx = 1\n") is None
    assert about(".github/workflows/ci.yml", "a: 1\n", "# why\na: 1\n") is None


@pytest.mark.parametrize(
    "path", ["AGENTS.md", "pkg/CLAUDE.md", ".cursor/rules/a.mdc", ".mcp.json", ".claude/settings.json"]
)
def test_agents_obey_prose(path):
    assert "coding agents" in (about(path, "Run the tests.\n", "Skip the tests.\n") or "")


def test_a_file_that_acts_by_its_place_or_mode_counts_when_those_change():
    assert class_of(FileChange(".github/ci-old.yml", "renamed", old_path=".github/workflows/ci.yml"))
    assert class_of(FileChange(".husky/pre-commit", "mode"))
    assert class_of(FileChange("src/auth/login.py", "mode")) is None


def test_only_some_sections_of_a_manifest_are_protected():
    scripts = about("package.json", '{"scripts": {}}', '{"scripts": {"postinstall": "x"}}')
    assert "package manager" in (scripts or "")
    assert "checks" in (about("package.json", '{"jest": {}}', '{"jest": {"a": 1}}') or "")
    assert about("package.json", '{"dependencies": {}}', '{"dependencies": {"a": "1"}}') is None
    assert about("pyproject.toml", "[project]\nversion='1'", "[project]\nversion='2'") is None
    assert about("pyproject.toml", "[tool.poetry]\nversion='1'", "[tool.poetry]\nversion='2'") is None
    assert "checks" in (about("pyproject.toml", "[tool.coverage.report]\nfail_under=80", "") or "")


def test_a_manifest_that_cannot_be_read_may_have_changed_anything():
    assert about("package.json", '{"scripts": {}}', '{"scripts": {') is not None


def test_the_first_class_in_the_table_names_the_file():
    assert len({protected.about for protected in PROTECTED}) == len(PROTECTED)
    assert "CI configuration" in (about(".github/workflows/auth.yml") or "")
