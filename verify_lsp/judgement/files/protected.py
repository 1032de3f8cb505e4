"""Paths where a mistake costs more than elsewhere: the classes, as data, and which of them a file is in."""

import functools
import re
from posixpath import basename

import attrs

from verify_lsp.judgement.files.file_kinds import is_documentation, is_test
from verify_lsp.judgement.files.manifests import changed_sections
from verify_lsp.judgement.globs import matches_any
from verify_lsp.model.change import FileChange

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@attrs.frozen
class Protected:
    """A class of protected paths.

    Attributes:
        about: What a file of it does, to go on from its path: "decides who gets in (authentication code)".
        globs: Files by where they are. Moving or chmodding such a file counts as well.
        words: Files of program text by a whole word of their path; `unless` names words that mean something else.
        sections: Files of which only these sections belong here; a trailing `*` stands for any ending.
        prose: True where documentation is obeyed, so that every line of it counts.
    """

    about: str
    globs: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    unless: frozenset[str] = frozenset()
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    prose: bool = False


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_PACKAGING_TOOLS = _words(
    "tool.poetry tool.uv tool.hatch tool.pdm tool.flit tool.setuptools tool.setuptools_scm tool.maturin"
)

PROTECTED: tuple[Protected, ...] = (
    Protected(
        "tells coding agents what to do (agent instructions)",
        globs=(
            *("AGENTS.md", "AGENT.md", "CLAUDE.md", "CLAUDE.local.md", "GEMINI.md", "QWEN.md", ".cursorrules"),
            *(".windsurfrules", ".clinerules", ".github/copilot*", ".github/instructions/**", ".github/prompts/**"),
            *("**/.{cursor,claude,codex,gemini,windsurf,opencode,roo,kiro}/**", "{.,}mcp.json", ".aider*"),
        ),
        prose=True,
    ),
    Protected(
        "decides what is checked and published (CI configuration)",
        globs=(
            *(".github/workflows/**", ".github/actions/**", "action.{yml,yaml}", ".gitlab-ci*", ".gitlab/ci/**"),
            *("Jenkinsfile*", "azure-pipelines*.{yml,yaml}", ".circleci/**", ".buildkite/**", ".travis.yml"),
            *("bitbucket-pipelines.yml", ".drone.yml", ".woodpecker*", "{.,}appveyor.yml", "cloudbuild.{yml,yaml}"),
        ),
    ),
    Protected(
        "decides which checks the code has to pass (configuration of checks)",
        globs=(
            *(
                "pytest.ini",
                "tox.ini",
                "noxfile.py",
                "tsconfig*.json",
                ".eslintrc*",
                ".eslintignore",
                "eslint.config.*",
            ),
            *("{.,}ruff.toml", "{.,}mypy.ini", "pyrightconfig.json", ".flake8", "{.,}pylintrc", ".coveragerc"),
            *("{.,}codecov.{yml,yaml}", "CODEOWNERS", ".pre-commit-config.yaml", "lefthook.{yml,yaml}"),
            *(
                "sonar-project.properties",
                "{jest,vitest,playwright,cypress}.config.*",
                ".nycrc*",
                ".c8rc*",
                ".mocharc*",
            ),
            *("{.,}clippy.toml", ".golangci.*", "biome.{json,jsonc}", "deny.toml", ".semgrep*", "verify.toml"),
            *("importlinter", ".importlinter", ".gitleaks.toml", ".gitleaksignore"),
        ),
        sections=(
            ("pyproject.toml", ("tool.*",)),
            (
                "package.json",
                ("jest", "vitest", "eslintConfig", "c8", "nyc", "mocha", "ava", "xo", "lint-staged", "husky"),
            ),
            ("Cargo.toml", ("lints", "workspace.lints")),
            ("setup.cfg", ("tool:*", "flake8*", "mypy*", "coverage*", "pylint*", "isort*", "pycodestyle*", "pytest*")),
        ),
    ),
    Protected(
        "runs on the machines of those who build, install or test this (scripts of the package manager)",
        globs=(
            *("setup.py", "build.rs", "conftest.py", "{Makefile,makefile,GNUmakefile}", "{.,}justfile"),
            *("Taskfile.{yml,yaml}", "**/.{husky,githooks,git-hooks}/**", "binding.gyp"),
        ),
        sections=(("package.json", ("scripts",)), ("pyproject.toml", ("build-system",))),
    ),
    Protected(
        "may hold secrets or decide how they are found (secrets and credentials)",
        globs=(
            *(".env", ".env.*", "!.env.{example,sample,template,dist}", "*.{pem,key,p12,pfx,jks,keystore}"),
            *("{credentials,secrets}", "{credentials,secrets}.{json,yml,yaml,toml,ini,env,properties}"),
            *(".npmrc", ".pypirc", ".netrc", "id_{rsa,dsa,ecdsa,ed25519}"),
        ),
    ),
    Protected(
        "decides where and how the program runs (infrastructure)",
        globs=(
            *("{Dockerfile,Containerfile}*", "*.{dockerfile,Dockerfile}", "{docker-,}compose*.{yml,yaml}"),
            *("*.{tf,tfvars,hcl}", "**/{helm,k8s,kubernetes,ansible,terraform}/**", "Chart.yaml"),
            *("kustomization.{yml,yaml}", "serverless.{yml,yaml,ts}", "Pulumi*.{yml,yaml}"),
        ),
    ),
    Protected(
        "changes how stored data is laid out (database migration or schema)",
        globs=(
            *("**/{migrations,migration,alembic}/**", "**/db/migrate/**", "{*schema*,*migration*}.sql"),
            *("schema.prisma", "**/prisma/schema/**", "db/schema.rb"),
        ),
    ),
    Protected(
        "handles money (payment code)",
        words=_words(
            "payment payments billing checkout checkouts invoice invoices invoicing stripe paypal refund refunds"
        ),
        unless=_words("git vcs scm svn repo repository branch worktree"),
    ),
    Protected(
        "decides who gets in (authentication code)",
        words=_words(
            "auth authn authz authenticate authenticated authenticator authentication authorize authorized authorizer "
            "authorization authorisation login logins logout signin oauth oauth2 oidc openid saml sso jwt jwts mfa totp "
            "permission permissions rbac acl acls passwd password passwords passphrase credential credentials"
        ),
    ),
    Protected(
        "decides who gets in (session code)",
        words=_words("session sessions"),
        unless=_words("db database databases sql sqlalchemy orm tmux terminal shell debug lsp spark editor chat"),
    ),
    Protected(
        "keeps data secret or proves its origin (cryptography)", words=_words("crypto cryptography cipher ciphers")
    ),
)


def protected_class(file: FileChange, *, acts: bool) -> Protected | None:
    """Return the class that a change to `file` falls in, by its path now or before; None for none.

    `acts` says whether the change can change behaviour, see `behaviour.changes_behaviour`.
    """
    for path in (file.path, *((file.old_path,) if file.change == "renamed" and file.old_path else ())):
        for protected in PROTECTED:
            if _is_in(protected, path, file, acts=acts):
                return protected
    return None


def _is_in(protected: Protected, path: str, file: FileChange, *, acts: bool) -> bool:
    if protected.globs and matches_any(path, protected.globs):
        return acts or _acts_where_it_is(protected, path, file)
    if not acts:
        return False
    words = _words_of(path) if protected.words else frozenset()
    if words & protected.words and not words & protected.unless:
        return not is_test(path) and not is_documentation(path)
    return any(basename(path) == name and _touches(file, wanted) for name, wanted in protected.sections)


def _acts_where_it_is(protected: Protected, path: str, file: FileChange) -> bool:
    """Such a file works by its place and its mode, so that moving it or making it executable is a change as well."""
    if file.change in {"renamed", "mode", "typechange"}:
        return True
    return protected.prose and is_documentation(path) and bool(file.added_lines or file.removed_lines)


def _touches(file: FileChange, wanted: tuple[str, ...]) -> bool:
    sections = changed_sections(file)
    return sections is None or any(_named(section, wanted) for section in sections - _PACKAGING_TOOLS)


def _named(section: str, wanted: tuple[str, ...]) -> bool:
    return any(section.startswith(name[:-1]) if name.endswith("*") else section == name for name in wanted)


@functools.lru_cache(maxsize=256)
def _words_of(path: str) -> frozenset[str]:
    """The words of a path: "src/authTokens/db-v2.py" has src, auth, tokens, db, v, 2, py, and names joined to digits."""
    parts = re.split(r"[^A-Za-z0-9]+", path)
    return frozenset(word.lower() for part in parts for word in (part, *_WORD.findall(part)) if word)
