"""Examples of security rules as files: a name that chooses the rule, and the text with its made-up secrets in it."""

from verify_lsp.security.samples import filled

NAMES = {
    "python": "app.py",
    "javascript": "app.js",
    "typescript": "app.ts",
    "tsx": "app.tsx",
    "go": "app.go",
    "rust": "app.rs",
    "shell": "run.sh",
    "yaml": "config.yaml",
    "workflow": ".github/workflows/ci.yml",
    "kubernetes": "deploy.yaml",
    "compose": "docker-compose.yml",
    "dockerfile": "Dockerfile",
    "terraform": "main.tf",
    "markup": "page.html",
    "env": ".env",
    "json": "config.json",
    "config": "app.ini",
    "make": "Makefile",
}


def named_example(rule, example):
    """Return the file name and the text of an example; `#! NAME` on its first line says the name."""
    text = filled(example)
    if text.startswith("#! "):
        head, _, rest = text.partition("\n")
        return head[3:].strip(), rest
    return (NAMES[rule.languages[0]] if rule.languages else "notes.txt"), text
