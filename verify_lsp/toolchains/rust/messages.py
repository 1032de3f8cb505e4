"""Cargo's JSON messages: what the compiler said, and what was built."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import attrs

from verify_lsp.model.finding import Problem, Severity
from verify_lsp.toolchains.output import head, relative_path

_SUMMARY = re.compile(r"aborting due to |\d+ warnings? emitted|could not compile ")
_NO_TARGET = re.compile(r"the `\S+` target may not be installed")
_LINT_DEFAULT = re.compile(r"`#\[\w+\(|requested on the command line|implied by")


@attrs.frozen
class Target:
    """One thing that cargo builds: a crate's library, a program, a test."""

    package: str
    kind: str
    name: str

    @property
    def id(self) -> str:
        """Its name as nextest gives it: `crate`, `crate::integration_test`, `crate::bin/program`."""
        if self.kind == "test":
            return f"{self.package}::{self.name}"
        if self.kind in {"bin", "example", "bench"}:
            return f"{self.package}::{self.kind}/{self.name}"
        return f"{self.package}::build script" if self.kind == "custom-build" else self.package


@attrs.frozen
class Diagnostic:
    """What the compiler said about one target."""

    target: Target
    problem: Problem


@attrs.frozen
class Artifact:
    """What was built. `executable` is absolute, and only there for programs and tests."""

    target: Target
    files: tuple[str, ...]
    executable: str | None


@attrs.frozen
class Messages:
    """All messages of one cargo run.

    Attributes:
        finished: Whether the build succeeded; None when cargo did not come to that.
        unfit: Why this machine cannot build it; None when it can.
        rest: The lines of stdout that are no messages: what the tests printed.
    """

    diagnostics: tuple[Diagnostic, ...]
    artifacts: tuple[Artifact, ...]
    finished: bool | None
    unfit: str | None
    rest: str

    def problems(self) -> tuple[Problem, ...]:
        """Return what was said, once, in the order of files and lines: a library is compiled for its tests as well."""
        found = dict.fromkeys(diagnostic.problem for diagnostic in self.diagnostics)
        return tuple(sorted(found, key=lambda problem: (problem.path, problem.line, problem.column or 0)))


def read_messages(stdout: str, folder: Path) -> Messages:
    """Return the messages in what cargo printed.

    Args:
        stdout: JSON lines, among what tests printed.
        folder: The workspace's absolute folder, which the compiler's paths are relative to.
    """
    diagnostics: list[Diagnostic] = []
    artifacts: list[Artifact] = []
    rest: list[str] = []
    finished: bool | None = None
    unfit: str | None = None
    for line in stdout.split("\n"):
        message = _message(line)
        if message is None:
            rest.append(line)
        elif message["reason"] == "build-finished":
            finished = message.get("success") is True
        elif message["reason"] == "compiler-artifact":
            artifacts.append(_artifact(message))
        elif message["reason"] == "compiler-message" and isinstance(said := message.get("message"), dict):
            unfit = unfit or _unfit(said)
            if problem := _problem(said, folder):
                diagnostics.append(Diagnostic(_target(message), problem))
    return Messages(tuple(diagnostics), tuple(artifacts), finished, unfit, "\n".join(rest))


def error_places(stdout: str, folder: Path) -> tuple[tuple[str, int], ...]:
    """Return every place (path, line) that the compiler's errors point at; `("", 0)` for an error without any."""
    places: dict[tuple[str, int], None] = {}
    for line in stdout.split("\n"):
        message = _message(line)
        said = _mapping(message.get("message")) if message is not None else {}
        if not str(said.get("level", "")).startswith("error") or _SUMMARY.match(str(said.get("message", ""))):
            continue
        spans = said.get("spans")
        own = [place for span in spans if (place := _place(span, folder))] if isinstance(spans, list) else []
        places.update(dict.fromkeys((path, _number(span, "line_start")) for path, span in own) or {("", 0): None})
    return tuple(places)


def _message(line: str) -> dict[str, Any] | None:
    if not line.startswith('{"reason":'):
        return None
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) and isinstance(message.get("reason"), str) else None


def _target(message: dict[str, Any]) -> Target:
    target = _mapping(message.get("target"))
    kinds = target.get("kind")
    kind = str(kinds[0]) if isinstance(kinds, list) and kinds else "lib"
    return Target(package_name(str(message.get("package_id", ""))), kind, str(target.get("name", "")))


def package_name(package_id: str) -> str:
    """Return the name in a package id: `path+file:///w/a#0.1.0`, `…#name@0.1.0`, or the older `name 0.1.0 (…)`."""
    if "#" not in package_id:
        return package_id.split(" ", maxsplit=1)[0]
    url, _, fragment = package_id.rpartition("#")
    if "@" in fragment:
        return fragment.partition("@")[0]
    # Only a version is given: the package is named like its folder.
    return urlparse(url.removeprefix("path+")).path.rstrip("/").rpartition("/")[2]


def _artifact(message: dict[str, Any]) -> Artifact:
    files = message.get("filenames")
    names = tuple(str(name) for name in files) if isinstance(files, list) else ()
    executable = message.get("executable")
    is_test = _mapping(message.get("profile")).get("test") is True
    return Artifact(_target(message), names, executable if isinstance(executable, str) and is_test else None)


def _unfit(said: dict[str, Any]) -> str | None:
    for child in _children(said):
        if found := _NO_TARGET.search(str(child.get("message", ""))):
            return found.group().replace("may not be", "is not")
    if re.match(r"linker `\S+` not found", str(said.get("message", ""))):
        return head(str(said["message"]), 200)
    return None


def _problem(said: dict[str, Any], folder: Path) -> Problem | None:
    severity = _severity(str(said.get("level", "")))
    message = str(said.get("message", ""))
    if severity is None or _SUMMARY.match(message):
        return None
    rule = str(_mapping(said.get("code")).get("code") or "rustc")
    placed = next((place for span in _primary(said) if (place := _place(span, folder))), None)
    text = head(_with_label(said, message))
    if placed is None:
        # A warning of code outside of the project is nobody's to mend here.
        return Problem("", 0, severity, rule, text) if severity == "high" else None
    path, span = placed
    start, end = (
        (_number(span, "line_start"), _number(span, "column_start")),
        (_number(span, "line_end"), _number(span, "column_end")),
    )
    return Problem(path, start[0], severity, rule, text, start[1], end[0], end[1], suggestion=_suggestion(said))


def _severity(level: str) -> Severity | None:
    if level.startswith("error"):
        return "high"
    return "medium" if level == "warning" else None


def _primary(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    spans = said.get("spans")
    for span in spans if isinstance(spans, list) else ():
        if isinstance(span, dict) and span.get("is_primary") is True:
            yield span


def _place(span: dict[str, Any], folder: Path) -> tuple[str, dict[str, Any]] | None:
    """Return the span, or the nearest macro call around it that stands in the project."""
    name = str(span.get("file_name", ""))
    inside = None if name.startswith("<") else relative_path(name, folder)
    if inside is not None:
        return inside, span
    around = _mapping(span.get("expansion")).get("span")
    return _place(around, folder) if isinstance(around, dict) else None


def _with_label(said: dict[str, Any], message: str) -> str:
    """Return the message, with what stands under the caret where that says more: "mismatched types: expected `i32`"."""
    label = next((span["label"] for span in _primary(said) if isinstance(span.get("label"), str)), None)
    return f"{message}: {label}" if label and label not in message else message


def _suggestion(said: dict[str, Any]) -> str | None:
    for child in _children(said):
        text = str(child.get("message", ""))
        if (
            child.get("level") != "help"
            or not text
            or _LINT_DEFAULT.search(text)
            or text.startswith("for further information")
        ):
            continue
        spans = child.get("spans")
        texts = (
            [span["suggested_replacement"] for span in spans if span.get("suggested_replacement")]
            if isinstance(spans, list)
            else []
        )
        return head(f"{text}: `{texts[0].strip()}`" if len(texts) == 1 and "\n" not in texts[0] else text, 300)
    return None


def _children(said: dict[str, Any]) -> list[dict[str, Any]]:
    children = said.get("children")
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _number(span: dict[str, Any], key: str) -> int:
    value = span.get(key)
    return value if isinstance(value, int) else 0


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
