from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.go.constraints import BuildContext, constraint_holds, name_matches, not_built

LINUX = BuildContext("linux", "amd64", frozenset({"integration"}))


@pytest.mark.parametrize(
    ("name", "built"),
    [
        ("a.go", True),
        ("a_test.go", True),
        ("a_linux.go", True),
        ("a_linux_test.go", True),
        ("a_linux_amd64.go", True),
        ("a_amd64.go", True),
        ("a_windows.go", False),
        ("a_windows_test.go", False),
        ("a_linux_arm64.go", False),
        ("a_windows_amd64.go", False),
        ("windows.go", True),
        ("amd64_test.go", True),
        ("a_linux_helper.go", True),
        ("a_unix.go", True),
    ],
)
def test_a_file_name_may_be_for_another_system(name: str, built: bool) -> None:  # noqa: FBT001  # a table's column
    assert name_matches(name, LINUX) is built


@pytest.mark.parametrize(
    ("line", "holds"),
    [
        ("//go:build linux", True),
        ("//go:build windows", False),
        ("//go:build !windows && (amd64 || arm64)", True),
        ("//go:build linux && !amd64", False),
        ("//go:build unix", True),
        ("//go:build ignore", False),
        ("//go:build integration", True),
        ("//go:build e2e", False),
        ("//go:build go1.99", True),
        ("//go:build !!linux", True),
        ("//go:build cgo", True),
        ("//go:build linux &&", True),
        ("// +build ignored in favour of nothing", True),
        ("", True),
    ],
)
def test_a_build_line_is_read_as_go_reads_it(line: str, holds: bool) -> None:  # noqa: FBT001  # a table's column
    assert constraint_holds(f"// Copyright\n\n{line}\n\npackage a\n", LINUX) is holds


def test_a_build_line_below_the_package_clause_is_a_comment() -> None:
    assert constraint_holds("package a\n\n//go:build ignore\n", LINUX)


@given(st.text(alphabet="!&|() ab", max_size=30))
def test_no_text_after_go_build_breaks_the_reader(expression: str) -> None:
    assert constraint_holds(f"//go:build {expression}\npackage a\n", LINUX) in {True, False}


@given(
    st.recursive(
        st.sampled_from(["linux", "windows"]), lambda inner: st.tuples(inner, st.sampled_from(["&&", "||"]), inner)
    )
)
def test_expressions_have_the_value_that_python_gives_them(tree: object) -> None:
    def go(node: object) -> str:
        return node if isinstance(node, str) else f"({go(node[0])} {node[1]} {go(node[2])})"  # type: ignore[index]

    text = go(tree)
    python = text.replace("&&", " and ").replace("||", " or ").replace("linux", "True").replace("windows", "False")
    assert constraint_holds(f"//go:build {text}\npackage a\n", LINUX) is eval(python)


@pytest.mark.parametrize(
    ("path", "left_out"),
    [
        ("a.go", False),
        ("_old/a.go", True),
        ("_a.go", True),
        (".hidden/a.go", True),
        ("ignored.go", True),
        ("testdata/ignored.go", False),
        ("vendor/x.test/ignored.go", False),
        ("c.go", False),
        ("missing.go", False),
    ],
)
def test_test_data_is_no_source_but_what_go_leaves_out_is(tmp_path: Path, path: str, left_out: bool) -> None:  # noqa: FBT001  # a table's column
    laid_out(tmp_path, {path: "package a\n"} if path != "missing.go" else {})
    ignored = "//go:build ignore\n\npackage a\n"
    laid_out(tmp_path, {"ignored.go": ignored, "testdata/ignored.go": ignored, "vendor/x.test/ignored.go": ignored})
    laid_out(tmp_path, {"c.go": 'package a\n\nimport "C"\n'})
    assert not_built(tmp_path, path, LINUX) is left_out


def test_a_file_that_imports_c_is_left_out_without_a_compiler(tmp_path: Path) -> None:
    laid_out(tmp_path, {"c.go": 'package a\n\nimport (\n\t"C"\n)\n', "d.go": 'package a\n\nvar s = "C"\n'})
    without = BuildContext("linux", "amd64", cgo=False)
    assert not_built(tmp_path, "c.go", without)
    assert not not_built(tmp_path, "d.go", without)
