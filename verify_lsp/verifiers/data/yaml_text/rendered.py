"""Whether a YAML text is a template, or is read by a program that renders its values later."""

import re
from pathlib import Path

_ANSIBLE_FOLDERS = {"tasks", "handlers", "roles", "playbooks", "group_vars", "host_vars", "defaults", "vars"}
_ANSIBLE_TEXT = re.compile(r"^(?:- |  )(?:hosts|tasks|ansible\.builtin\.\w+|become|gather_facts):", re.MULTILINE)
_STATEMENT = re.compile(r"^[ \t]*\{%", re.MULTILINE)


def is_chart_template(path: Path, text: str) -> bool:
    """Tell whether Helm renders the file: it lies in `templates/` of a chart and holds an action."""
    if "{{" not in text:
        return False
    for folder in path.parents:
        if folder.name == "templates":
            return (folder.parent / "Chart.yaml").is_file()
    return False


def is_ansible(path: Path, text: str) -> bool:
    """Tell whether Ansible reads the file: it parses YAML first and renders values then."""
    if _STATEMENT.search(text):
        return False
    return bool(_ANSIBLE_FOLDERS.intersection(path.parts[-5:-1])) or _ANSIBLE_TEXT.search(text) is not None
