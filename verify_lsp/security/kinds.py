"""What kinds of text a file is, by its name and its first lines: they choose the rules."""

import re
from posixpath import basename, splitext

from verify_lsp.syntax.languages import language_of

_EXTENSIONS = {
    ".zsh": "shell",
    ".ksh": "shell",
    ".yml": "yaml",
    ".yaml": "yaml",
    ".tf": "terraform",
    ".tfvars": "terraform",
    ".hcl": "terraform",
    ".html": "markup",
    ".htm": "markup",
    ".vue": "markup",
    ".svelte": "markup",
    ".astro": "markup",
    ".jinja": "markup",
    ".jinja2": "markup",
    ".j2": "markup",
    ".ejs": "markup",
    ".hbs": "markup",
    ".md": "prose",
    ".mdx": "prose",
    ".markdown": "prose",
    ".rst": "prose",
    ".adoc": "prose",
    ".json": "json",
    ".jsonc": "json",
    ".json5": "json",
    ".toml": "config",
    ".ini": "config",
    ".cfg": "config",
    ".conf": "config",
    ".properties": "config",
    ".mk": "make",
    ".dockerfile": "dockerfile",
}
_READ = {"tsx": frozenset({"typescript", "tsx"})} | {
    kind: frozenset({kind})
    for kind in ("python", "javascript", "typescript", "go", "rust", "shell", "prose", "json", "other")
}
_DOCKERFILE = re.compile(r"^(?:dockerfile|containerfile)(?:[.-].*)?$", re.IGNORECASE)
_ENV = re.compile(r"^\.env(?:\..*)?$|\.env$|^\.flaskenv$")
_MAKE = re.compile(r"^(?:gnu)?makefile$|^\.?justfile$", re.IGNORECASE)
_WORKFLOW = re.compile(r"(?:^|/)\.(?:github|forgejo|gitea)/workflows/[^/]+\.ya?ml$")
_ACTION = re.compile(r"(?:^|/)action\.ya?ml$")
_COMPOSE = re.compile(r"^(?:docker-)?compose[^/]*\.ya?ml$")
_KUBERNETES = re.compile(r"(?m)^apiVersion:\s*\S+.*$")
_KUBERNETES_KIND = re.compile(r"(?m)^kind:\s*[A-Z]")
_SHEBANG = re.compile(r"#!\S*/(?:env\s+)?(\w+)")
_INTERPRETERS = {
    "sh": "shell",
    "bash": "shell",
    "dash": "shell",
    "zsh": "shell",
    "python3": "python",
    "python": "python",
}


def kinds_of(path: str, text: str) -> frozenset[str]:
    """Return the kinds of a file: the grammar's name where there is one, and `yaml` with `workflow` and the like.

    TypeScript with elements counts as `typescript` too. A text of no known kind is `other`.
    """
    language: str | None = language_of(path)
    if language is not None:
        return _READ[language]
    name = basename(path)
    kind = _by_name(name) or _EXTENSIONS.get(splitext(name)[1].lower()) or _by_shebang(text)
    if kind == "yaml":
        return frozenset({"yaml", *_yaml_kinds(path, name, text)})
    return _READ.get(kind or "other") or frozenset({kind or "other"})


def _by_name(name: str) -> str | None:
    if _DOCKERFILE.match(name):
        return "dockerfile"
    if _ENV.search(name):
        return "env"
    return "make" if _MAKE.match(name) else None


def _by_shebang(text: str) -> str | None:
    found = _SHEBANG.match(text)
    return _INTERPRETERS.get(found.group(1)) if found else None


def _yaml_kinds(path: str, name: str, text: str) -> set[str]:
    kinds = set()
    if _WORKFLOW.search(path) or _ACTION.search(path):
        kinds.add("workflow")
    if _COMPOSE.match(name):
        kinds.add("compose")
    if "apiVersion:" in text and _KUBERNETES.search(text) and _KUBERNETES_KIND.search(text):
        kinds.add("kubernetes")
    return kinds
