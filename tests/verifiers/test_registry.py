import subprocess
import sys
import time
from pathlib import Path

import pytest

from verify_lsp.verifiers.base import TextVerifier, Verdict
from verify_lsp.verifiers.registration import Registration
from verify_lsp.verifiers.registry import RegistrationTable, plugin_notes, verifier_for


def verifier(name):
    return TextVerifier(name, lambda _subject: Verdict())


def found(registrations, path, first_line=""):
    registration = RegistrationTable.of(registrations).find(Path(path), first_line)
    return None if registration is None else registration.verifier.name


def test_the_last_registration_of_a_name_holds():
    assert found([Registration((".x",), verifier("a")), Registration((".x",), verifier("b"))], "q.x") == "b"


def test_a_file_name_beats_a_pattern_and_a_pattern_beats_an_extension():
    registrations = [
        Registration(("data.x",), verifier("name")),
        Registration(("d*.x",), verifier("pattern")),
        Registration((".x",), verifier("extension")),
    ]

    assert [found(registrations, path) for path in ("a/data.x", "d.x", "e.x", "x")] == [
        "name",
        "pattern",
        "extension",
        None,
    ]


def test_a_long_extension_beats_a_short_one_and_a_template_of_it_is_something_else():
    registrations = [Registration((".y.x", ".y"), verifier("long")), Registration((".x",), verifier("short"))]

    assert found(registrations, "a.y.x") == "long"
    assert found(registrations, "a.z.x") == "short"
    assert found(registrations, "a.y.j2") is None


def test_names_are_compared_without_their_case():
    assert found([Registration((".x", "readme"), verifier("a"))], "A.X") == "a"
    assert verifier_for(Path("DOCKERFILE")).name == "dockerfile"
    assert verifier_for(Path("cargo.lock")).name == verifier_for(Path("Cargo.lock")).name == "toml"


def test_a_pattern_with_folders_is_for_the_end_of_the_path():
    registrations = [Registration((".f/w/*.x",), verifier("a"))]

    assert found(registrations, "/p/.f/w/b.x") == "a"
    assert found(registrations, "/p/w/b.x") is None


def test_a_pattern_for_any_extension_leaves_known_extensions_alone():
    registrations = [Registration(("n.*",), verifier("pattern")), Registration((".x",), verifier("extension"))]

    assert found(registrations, "n.dev") == "pattern"
    assert found(registrations, "n.x") == "extension"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("#!/bin/sh", "s"),
        ("#!/usr/bin/env python3.12", "p"),
        ("#!/usr/bin/env -S FOO=1 python -u", "p"),
        ("#! /usr/bin/python3", "p"),
        ("#!/usr/bin/env", None),
        ("#!", None),
        ("python", None),
    ],
)
def test_a_file_without_extension_is_known_by_its_first_line(line, expected):
    registrations = [
        Registration((".py",), verifier("p"), interpreters=("python",)),
        Registration((".sh",), verifier("s"), interpreters=("sh",)),
    ]

    assert found(registrations, "script", line) == expected
    assert found(registrations, "script.txt", line) is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.json", "json"),
        ("tsconfig.base.json", "jsonc"),
        ("a.jsonc", "jsonc"),
        (".babelrc", "json5"),
        ("events.ndjson", "ndjson"),
        ("a.yml", "yaml"),
        ("pnpm-lock.yaml", "yaml"),
        (".github/workflows/ci.yml", "workflow"),
        (".github/dependabot.yml", "yaml"),
        ("uv.lock", "toml"),
        ("a.svg", "xml"),
        (".env.production", "env"),
        ("Dockerfile.dev", "dockerfile"),
        (".dockerignore", None),
        ("yarn.lock", None),
        ("go.sum", None),
        ("README.md", None),
        ("a.yaml.j2", None),
    ],
)
def test_the_built_in_names(name, expected):
    verifier = verifier_for(Path("/p") / name)

    assert (verifier.name if verifier else None) == expected


def test_looking_up_imports_no_parser_and_little_else():
    code = (
        "import sys, attrs, pathlib; from verify_lsp.verifiers.registry import verifier_for; "
        "verifier_for(pathlib.Path('a.json')); "
        "print([name for name in ('json', 'yaml', 'tomllib', 'xml', 'tree_sitter', 'anyio', 'asyncio', 'cattrs', 'importlib.metadata') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_looking_up_is_quick():
    verifier_for(Path("a.json"))
    started = time.process_time()
    for _ in range(1000):
        verifier_for(Path("/a/b/c/some.json"))

    assert time.process_time() - started < 2


def test_this_installation_has_no_plugin_that_fails():
    assert plugin_notes() == ()
