"""Runs other scanners over the labelled corpus, and prints all of them in one table.

Each text is a file in a folder of its own. A scanner has found something in a text when it reports anything there of
what it calls medium, a warning, or more; where it has no grades (gitleaks, detect-secrets), anything at all. Each is
held against the kinds of text that it is made for. Of semgrep's rules only those of its category "security" count, read
from files in a folder, as its registry is not asked.
"""

import json
import re
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]  # PyYAML brings no types

from benchmarks.accuracy.corpus import Entry
from benchmarks.accuracy.scoring import score
from verify_lsp.security.rules import family_rules

Files = set[str]

_BY_EXTENSION = {
    ".py": "Python",
    ".js": "JavaScript",
    ".ts": "JavaScript",
    ".tsx": "JavaScript",
    ".vue": "JavaScript",
    ".go": "Go",
    ".rs": "Rust",
}
OPERATIONS = "shells, pipelines, containers, infrastructure"
CODE = ("Python", "JavaScript", "Go", "Rust")
KINDS = ("secrets", *CODE, OPERATIONS, "hidden text")
HELD_OUT = ("heldout", "heldout_second", "heldout_third")
MADE_FOR = {
    "verify-lsp": KINDS,
    "gitleaks": ("secrets",),
    "detect-secrets": ("secrets",),
    "bandit": ("Python",),
    "semgrep": KINDS,
}
_SECRETS = ("secrets_cloud", "secrets_hosting", "secrets_services", "secrets_general")


def kinds_of(every: list[Entry]) -> dict[Entry, str]:
    """Say of each text what kind it is; a fine text is of its twin's kind, which stands before it. Changes are left out."""
    secrets = {rule.id for family in _SECRETS for rule in family_rules(family)}
    hidden = {rule.id for rule in family_rules("hidden")}
    kinds, twin = {}, None
    for each in every:
        if each.bad:
            twin = each.rule
        if each.group == "guards":
            continue
        language = _BY_EXTENSION.get(Path(each.path).suffix, OPERATIONS)
        kinds[each] = "secrets" if twin in secrets else "hidden text" if twin in hidden else language
    return kinds


def print_beside(tools: list[str], semgrep_rules: Path | None, every: list[Entry], ours: set[Entry]) -> None:
    """Print the tables, of all texts and of those held out: each scanner, on each kind of text that it is made for."""
    kinds = kinds_of(every)
    flagged = {"verify-lsp": ours}
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent).resolve() / "corpus"
        places = written_out(folder, list(kinds))
        for named in tools:
            tool, _, program = named.partition("=")
            flagged.update(
                (name, {places[Path(file).relative_to(folder).parts[0]] for file in files})
                for name, files in _SCANNERS[tool](program or tool, folder, semgrep_rules).items()
            )
    for about, chosen in (("texts", kinds), *((group, _of_group(group, kinds)) for group in HELD_OUT)):
        print(f"\n| {about} | bad | fine | scanner | precision | recall |")
        print("|---|---|---|---|---|---|")
        for kind in KINDS:
            told = {name: flags for name, flags in flagged.items() if kind in _made_for(name)}
            _print_rows(kind, [each for each in chosen if kinds[each] == kind], told)
        _print_rows("all", list(chosen), {name: each for name, each in flagged.items() if _made_for(name) == KINDS})


def _of_group(group: str, kinds: Mapping[Entry, str]) -> list[Entry]:
    return [each for each in kinds if each.group == group]


def _made_for(name: str) -> tuple[str, ...]:
    return MADE_FOR[name.partition(",")[0]]


def _print_rows(kind: str, chosen: list[Entry], flagged: Mapping[str, set[Entry]]) -> None:
    for name, flags in flagged.items() if chosen else ():
        scored = score(chosen, flags)
        print(f"| {kind} | {scored.bad} | {scored.fine} | {name} | {scored.precision} | {scored.recall} |")


def written_out(folder: Path, every: list[Entry]) -> dict[str, Entry]:
    """Write each text into a folder of its own, under its own name."""
    places = {}
    for each in every:
        place = folder / f"{each.group}-{each.number}" / each.path.replace("tests/", "t/")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(each.text.encode("utf-8", "surrogatepass"))
        places[place.relative_to(folder).parts[0]] = each
    return places


def _gitleaks(program: str, folder: Path, _: Path | None) -> dict[str, Files]:
    out = folder.parent / "gitleaks.json"
    command = [program, "dir", str(folder), "-f", "json", "-r", str(out), "--exit-code", "0"]
    subprocess.run(command, check=True, capture_output=True)
    return {"gitleaks": {each["File"] for each in json.loads(out.read_text())}}


def _bandit(program: str, folder: Path, _: Path | None) -> dict[str, Files]:
    command = [program, "-q", "-r", str(folder), "-f", "json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    results = json.loads(done.stdout)["results"]
    return {"bandit": {each["filename"] for each in results if each["issue_severity"] != "LOW"}}


def _detect_secrets(program: str, folder: Path, _: Path | None) -> dict[str, Files]:
    command = [program, "scan", "--all-files", "."]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder)
    return {"detect-secrets": {str(folder / name) for name in json.loads(done.stdout)["results"]}}


def _semgrep(program: str, folder: Path, rules: Path | None) -> dict[str, Files]:
    """All rules about security, and those of them that are not marked for an audit, which asks for a person's eye."""
    if rules is None:
        raise SystemExit("semgrep needs --semgrep-rules FOLDER: a checkout of its rules, without their tests")
    chosen = folder.parent / "rules.json"
    chosen.write_text(json.dumps({"rules": _security_rules(rules)}, default=str), "utf-8")
    (folder / ".semgrepignore").write_text("")
    out = folder.parent / "semgrep.json"
    quiet = ["--metrics", "off", "--disable-version-check", "--quiet", "--no-git-ignore"]
    command = [program, "scan", *quiet, "--config", str(chosen), "--json", "--output", str(out), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    told = json.loads(out.read_text())["results"]
    sure = [each for each in told if "audit" not in each["extra"]["metadata"].get("subcategory", ())]
    return {
        "semgrep": {each["path"] for each in told},
        "semgrep, without its audit rules": {each["path"] for each in sure},
    }


def _security_rules(folder: Path) -> list[dict[str, Any]]:
    """Read what counts of the rules in a folder; all in one file, as semgrep takes half a second to look at each."""
    found = []
    for file in sorted(folder.rglob("*.y*ml")):
        text = file.read_text("utf-8")
        if "category: security" in text and re.search(r"(?m)^rules:", text):
            found += yaml.load(text, yaml.CSafeLoader)["rules"]
    chosen = [
        rule for rule in found if rule["severity"] != "INFO" and rule.get("metadata", {}).get("category") == "security"
    ]
    return [rule | {"id": f"{rule['id']}.{number}"} for number, rule in enumerate(chosen)]


_SCANNERS: Mapping[str, Callable[[str, Path, Path | None], dict[str, Files]]] = {
    "gitleaks": _gitleaks,
    "detect-secrets": _detect_secrets,
    "bandit": _bandit,
    "semgrep": _semgrep,
}
