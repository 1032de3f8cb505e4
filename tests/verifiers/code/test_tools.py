import os
import shutil

import anyio
import pytest

from tests.harness.tool_runs import laid_out, tree
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.verifiers.base import Subject
from verify_lsp.verifiers.code.registrations import REGISTRATIONS

TOOLS = {name: registration.thorough for registration in REGISTRATIONS for name in registration.names}


def asked(folder, name, text=None, *, trusted=True, workspace=True, environment=None):
    path = folder / name
    if text is not None:
        laid_out(folder, {name: text})
    data = path.read_bytes()
    subject = Subject(path, data.decode(), data, folder if workspace else None, saved=True, trusted=trusted)

    async def run(command, place):
        return await run_command(command, place, environment=environment)

    before = tree(folder)
    verdict = anyio.run(TOOLS[path.suffix].verify, subject, run)
    assert tree(folder) == before
    return verdict


def only(verdict):
    assert verdict.skipped is None
    (problem,) = verdict.problems
    return problem


# JavaScript, held against Node


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import a from 'a';\nexport const b = import.meta.url;\nawait a;\n", "a.js"),
        ("const a = <div class='b'>{c}</div>;\n", "a.js"),
        ("const a = <div class='b'>{c}</div>;\n", "a.jsx"),
        ("@dec class A {}\n", "a.mjs"),
        ("return 1;\n", "a.cjs"),
        ("#!/usr/bin/env node\nlet a; { let a; }\n", "a.js"),
    ],
)
def test_what_node_need_not_know_is_no_error(tmp_path, text, name):
    assert asked(tmp_path, name, text).problems == ()


@pytest.mark.parametrize(
    ("text", "name", "place", "message"),
    [
        ("const é = '😀';\nlet a; let a;\n", "a.js", (2, 12, 13), "Identifier 'a' has already been declared"),
        ("\tconst é = '😀', b = ;\r\n", "a.mjs", (1, 21, 22), "Unexpected token ';'"),
        ("const a = /(/;\n", "a.cjs", (1, 11, 14), "Invalid regular expression: /(/: Unterminated group"),
        ("function f() {\n  g(1;\n}\n", "a.js", (3, 1, 2), "unexpected `}`: `(` opened on line 2 is not closed"),
        ("import a from 'a';\nconst b = ;\n", "a.js", (2, 11, 12), "Unexpected token ';'"),
    ],
)
def test_what_node_refuses_for_good_is_an_error_at_its_place(tmp_path, text, name, place, message):
    problem = only(asked(tmp_path, name, text))

    assert (problem.severity, problem.message) == ("high", message)
    assert (problem.line, problem.column, problem.end_column) == place


def test_what_only_node_refuses_is_worth_a_look(tmp_path):
    problem = only(asked(tmp_path, "a.js", "import a from 'a';\nconst b = {c: 1,,};\n"))

    assert (problem.severity, problem.line, problem.column) == ("medium", 2, 17)
    assert problem.message == "Unexpected token ',' (Node refuses this, while our grammar takes it)"


def test_node_runs_nothing_of_the_file(tmp_path):
    asked(tmp_path, "a.cjs", "require('fs').writeFileSync(__dirname + '/was-run', '');\n")


# Shell


@pytest.mark.parametrize(
    "text",
    [
        "shopt -s extglob\nrm !(a|b)\n",
        '#!/usr/bin/env bash\nx=(1 2)\n[[ $x == @(a|b) ]] && echo "${x%%]*}"\n',
        'for file do echo "$file"; done\ncase $1 in a) ;; esac\n',
        "",
    ],
)
def test_scripts_that_the_shell_takes_are_no_problem(tmp_path, text):
    assert asked(tmp_path, "a.sh", text).problems == ()


@pytest.mark.parametrize(
    ("text", "severity", "place", "message"),
    [
        ("if true; then\n  echo é )\nfi\n", "high", (2, 10), "syntax error near unexpected token `)'"),
        (
            "#!/bin/sh\nx=(1 2)\n",
            "medium",
            (2, None),
            '"(" unexpected (bash takes it, but the script asks for sh, and dash does not)',
        ),
        ("cat <<E\nfoo\n", "medium", (None, None), "here-document at line 1 delimited by end-of-file (wanted `E')"),
    ],
)
def test_a_script_that_its_shell_refuses_is_placed(tmp_path, text, severity, place, message):
    line, column = place
    problem = only(asked(tmp_path, "a.sh", text))

    assert (problem.severity, problem.message) == (severity, message)
    assert line is None or problem.line == line
    assert column is None or problem.column == column


def test_no_line_of_a_script_is_run(tmp_path):
    laid_out(tmp_path, {"startup": f"touch {tmp_path}/startup-was-run\n"})
    environment = {**child_environment(), "BASH_ENV": str(tmp_path / "startup")}

    asked(tmp_path, "a.sh", f"touch {tmp_path}/was-run\n$(touch {tmp_path}/was-run)\n", environment=environment)


# Rust


@pytest.mark.parametrize(
    "text",
    ["mod not_there;\nasync fn f() {}\n", "fn main() { str![[1]]; }\n", "  fn   badly_formatted( ) { }  \n", ""],
)
def test_what_the_rust_parser_takes_is_no_problem(tmp_path, text):
    assert asked(tmp_path, "a.rs", text).problems == ()


def test_what_the_rust_parser_refuses_is_an_error_at_its_place(tmp_path):
    laid_out(tmp_path, {"rustfmt.toml": "no such setting", "rust-toolchain.toml": "[toolchain]\nchannel = '1.0.0'\n"})

    problem = only(asked(tmp_path, "a.rs", 'fn main() {\n    let é = "😀" + ;\n}\n'))
    assert (problem.severity, problem.line, problem.column) == ("high", 2, 19)
    assert problem.message == "expected expression, found `;`"
    problem = only(asked(tmp_path, "b.rs", "fn main() {\n    f(1;\n}\n"))
    assert (problem.line, problem.column) == (3, 1)
    assert problem.message == "unexpected `}`: `(` opened on line 2 is not closed"


CHAIN = "fn f() { if let Some(a) = b && a { } }\n"


@pytest.mark.parametrize(
    ("manifests", "takes"),
    [
        ({"p/Cargo.toml": '[package]\nedition = "2024"\n'}, True),
        ({"p/Cargo.toml": '[package]\nedition = "2021"\n'}, False),
        (
            {
                "p/Cargo.toml": "[package]\nedition.workspace = true\n",
                "Cargo.toml": '[workspace.package]\nedition = "2024"\n',
            },
            True,
        ),
        (
            {
                "p/Cargo.toml": "[package]\nedition.workspace = true\n",
                "Cargo.toml": '[workspace.package]\nedition = "2021"\n',
            },
            False,
        ),
        ({"p/Cargo.toml": '[package]\nedition.workspace = true\n[workspace.package]\nedition = "2024"\n'}, True),
        ({"p/Cargo.toml": "not toml"}, True),
        ({}, True),
    ],
)
def test_the_edition_is_that_of_the_package(tmp_path, manifests, takes):
    laid_out(tmp_path, manifests)

    assert (asked(tmp_path, "p/src/a.rs", CHAIN).problems == ()) is takes


def test_where_the_edition_is_not_known_any_may_take_the_file(tmp_path):
    assert asked(tmp_path, "a.rs", "fn f(async: u8) { let dyn = async; }\n").problems == ()
    assert only(asked(tmp_path, "a.rs", "fn f(async: u8 { }\n")).line == 1


# Go

MODULE = {"go.mod": "module m\n\ngo 1.18\n", "a.go": "package m\n\nfunc A() int { return 1 }\n"}


@pytest.fixture
def module(tmp_path):
    return laid_out(tmp_path, MODULE)


def test_a_type_error_is_found_at_its_place(module):
    problem = only(asked(module, "b.go", 'package m\n\nvar é, b = "😀", Unknown()\n'))

    assert (problem.rule, problem.severity, problem.line, problem.column) == ("go.compile", "high", 3, 17)
    assert problem.message == "undefined: Unknown"


def test_what_an_analyzer_finds_is_worth_a_look(module):
    problem = only(asked(module, "b.go", 'package m\n\nimport "fmt"\n\nfunc B() { fmt.Printf("%d", "x") }\n'))

    assert (problem.rule, problem.severity) == ("go.vet.printf", "medium")


@pytest.mark.parametrize("name", ["b_windows.go", "b.go"])
def test_a_file_that_is_not_built_here_is_verified_for_its_syntax_only(module, name):
    text = "package m\n\nvar b int = Unknown()\n"
    seen = asked(module, name, text if "windows" in name else f"//go:build ignore\n\n{text}")

    assert seen.problems == ()
    assert seen.skipped == "only its syntax was verified: its name or its build constraint leaves it out on this system"
    assert only(asked(module, name, text + "}\n")).rule == "go.syntax"


def test_a_type_error_is_found_in_a_folder_of_nothing_but_tests(module):
    text = 'package m_test\n\nimport "testing"\n\nfunc TestA(t *testing.T) { var a int = "" }\n'

    problem = only(asked(module, "only/a_test.go", text))
    assert (problem.rule, problem.line) == ("go.compile", 5)


C_FILE = 'package m\n\n/*\nint one() { return 1; }\n*/\nimport "C"\n\nvar One = C.one()\n'


def test_a_file_with_c_is_verified_for_its_syntax_only_where_no_c_can_be_compiled(module, monkeypatch):
    monkeypatch.setenv("CGO_ENABLED", "0")

    seen = asked(module, "b.go", C_FILE)
    assert (seen.problems, seen.skipped) == (
        (),
        "only its syntax was verified: it needs cgo, and no C compiler is here",
    )


def test_c_is_not_compiled_in_a_workspace_that_is_not_trusted(module):
    seen = asked(module, "b.go", C_FILE, trusted=False)

    assert (seen.problems, seen.skipped) == (
        (),
        "only its syntax was verified: it needs cgo, and cgo is off in a workspace that is not trusted",
    )


def test_a_second_main_with_an_ignore_tag_is_no_problem(tmp_path):
    laid_out(tmp_path, {"go.mod": MODULE["go.mod"], "gen.go": "//go:build ignore\n\npackage main\n\nfunc main() {}\n"})

    seen = asked(tmp_path, "main.go", "package main\n\nfunc main() {}\n")
    assert (seen.problems, seen.skipped) == ((), None)


def test_a_module_of_a_go_work_file_is_verified(tmp_path):
    laid_out(
        tmp_path,
        {
            "go.work": "go 1.18\n\nuse (\n\t./x\n\t./y\n)\n",
            "x/go.mod": "module x\n\ngo 1.18\n",
            "x/x.go": "package x\n\nfunc X() {}\n",
            "y/go.mod": "module y\n\ngo 1.18\n",
        },
    )

    seen = asked(tmp_path, "y/y.go", 'package y\n\nimport "x"\n\nfunc Y() { x.X() }\n')
    assert (seen.problems, seen.skipped) == ((), None)
    assert (
        only(asked(tmp_path, "y/y.go", 'package y\n\nimport "x"\n\nfunc Y() { x.Z() }\n')).message == "undefined: x.Z"
    )


def test_vendored_packages_are_used(tmp_path):
    laid_out(
        tmp_path,
        {
            "go.mod": "module m\n\ngo 1.18\n\nrequire example.test/v v1.0.0\n",
            "vendor/modules.txt": "# example.test/v v1.0.0\n## explicit\nexample.test/v\n",
            "vendor/example.test/v/v.go": "package v\n\nfunc V() {}\n",
        },
    )

    seen = asked(tmp_path, "a.go", 'package m\n\nimport "example.test/v"\n\nfunc A() { v.V() }\n')
    assert (seen.problems, seen.skipped) == ((), None)


def test_a_file_outside_of_every_module_is_verified_for_its_syntax_only(tmp_path):
    seen = asked(tmp_path, "a.go", "package a\n\nvar a int = Unknown()\n")

    assert (seen.problems, seen.skipped) == ((), None)
    assert seen.note == "only its syntax was verified, because it belongs to no Go module"
    assert only(asked(tmp_path, "a.go", "package a\n\nvar é = 5 5\n")).column == 11
    assert asked(tmp_path, "b.go", "package a\n", workspace=False).problems == ()


def test_a_module_for_a_newer_go_is_skipped_with_the_reason(tmp_path):
    laid_out(tmp_path, {"go.mod": "module m\n\ngo 1.999\n"})

    seen = asked(tmp_path, "a.go", "package m\n")
    assert seen.problems == ()
    assert "requires go 1.999 or later" in seen.skipped


IMPORTING = 'package m\n\nimport _ "example.test/none"\n'
REQUIRING = "module m\n\ngo 1.18\n\nrequire example.test/none v1.0.0\n"


def test_a_module_that_was_not_fetched_is_skipped_with_the_reason(tmp_path):
    hashes = "".join(f"example.test/none v1.0.0{part} h1:{'A' * 43}=\n" for part in ("", "/go.mod"))
    laid_out(tmp_path, {"go.mod": REQUIRING, "go.sum": hashes})

    seen = asked(tmp_path, "a.go", IMPORTING)
    assert seen.problems == ()
    assert seen.skipped == "only its syntax was verified: module lookup disabled by GOPROXY=off"


@pytest.mark.parametrize("manifest", [REQUIRING, "module m\n\ngo 1.18\n"])
def test_an_import_whose_module_was_not_added_yet_is_no_error(tmp_path, manifest):
    laid_out(tmp_path, {"go.mod": manifest})

    problem = only(asked(tmp_path, "a.go", IMPORTING))
    assert (problem.rule, problem.severity, problem.line) == ("go.missing-module", "medium", 3)


def test_an_error_of_another_file_is_no_error_of_this_one(module):
    laid_out(module, {"broken.go": "package m\n\nvar b = Unknown()\n"})

    seen = asked(module, "a.go")
    assert seen.problems == ()
    assert (
        seen.skipped == "only its syntax was verified, as its package does not build: broken.go:3: undefined: Unknown"
    )


def test_an_empty_go_file_lacks_its_package_clause(module):
    problem = only(asked(module, "b.go", ""))

    assert (problem.line, problem.severity) == (1, "high")
    assert "package" in problem.message


def test_a_bracket_that_is_not_closed_is_named_where_it_was_opened(module):
    problem = only(asked(module, "b.go", "package m\n\nfunc b() {\n\tif true {\n\t\tA()\n}\n"))

    assert (problem.line, problem.message) == (4, "`{` is never closed: missing `}`")


def test_without_its_tool_the_grammar_has_the_word(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert shutil.which("node") is None

    for name, text in {"a.js": "f(;\n", "a.go": "package a\nfunc f( {}\n", "a.rs": "fn f( {}\n"}.items():
        assert only(asked(tmp_path, name, text)).severity == "high"
    assert asked(tmp_path, "a.sh", "if true; then\n").problems[0].severity == "medium"
    assert os.environ["PATH"].endswith("bin")
