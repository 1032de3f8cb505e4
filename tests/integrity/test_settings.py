"""What is seen outside of tests: settings, pipelines, suppressions, recordings, instructions of agents."""

import pytest

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.integrity.examine import examine

WORKFLOW = """jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - name: Test
        run: pytest
      - name: Upload
        uses: codecov/codecov-action@v4
"""
PYPROJECT = """[tool.pytest.ini_options]
addopts = "-q"

[tool.coverage.report]
fail_under = 80

[tool.mypy]
strict = true
"""
JEST = "module.exports = {\n  coverageThreshold: { global: { branches: 80, lines: 90 } },\n};\n"
PACKAGE = '{\n  "scripts": {\n    "test": "jest",\n    "start": "node ."\n  }\n}\n'
CODE = "def total(cart):\n    return cart.sum()\n"
SCRIPT = "export function total(cart) {\n  return cart.sum();\n}\n"
RUST = "fn total(cart: &Cart) -> u32 {\n    cart.sum()\n}\n"

NAMED = [
    (".coveragerc", "[run]\nbranch = true\n", "[run]\nbranch = true\nomit = shop.py\n", "coverage-lowered"),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace("= 80", "= 0"), "coverage-lowered"),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace("fail_under = 80\n", ""), "coverage-lowered"),
    ("jest.config.js", JEST, JEST.replace("lines: 90", "lines: 10"), "coverage-lowered"),
    (".coveragerc", "[report]\nfail_under = 80\n", "[report]\nfail_under = 79\n", "coverage-lowered"),
    ("Makefile", "test:\n\tpytest --cov-fail-under=80\n", "test:\n\tpytest --cov-fail-under=10\n", "coverage-lowered"),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace("        run: pytest\n", "        run: pytest\n        continue-on-error: true\n"),
        "check-non-fatal",
    ),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace("    runs-on", "    continue-on-error: true\n    runs-on").replace(
            "      - name: Upload\n        uses: codecov/codecov-action@v4\n", ""
        ),
        "check-non-fatal",
    ),
    (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("run: pytest", "run: pytest || true"), "check-non-fatal"),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace("        run: pytest\n", "        if: false\n        run: pytest\n"),
        "check-non-fatal",
    ),
    (
        ".gitlab-ci.yml",
        "test:\n  script:\n    - pytest\n",
        "test:\n  allow_failure: true\n  script:\n    - pytest\n",
        "check-non-fatal",
    ),
    ("package.json", PACKAGE, PACKAGE.replace('"jest"', '"jest || true"'), "check-non-fatal"),
    ("package.json", PACKAGE, PACKAGE.replace('"jest"', '"jest --passWithNoTests"'), "check-non-fatal"),
    ("Makefile", "lint:\n\truff check .\n", "lint:\n\truff check . || true\n", "check-non-fatal"),
    ("Makefile", "lint:\n\truff check .\n", "lint:\n\truff check . --exit-zero\n", "check-non-fatal"),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace('"-q"', "\"-q -k 'not total'\""), "run-narrowed"),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace('"-q"', '"-q --ignore=tests/test_shop.py"'), "run-narrowed"),
    (
        "pytest.ini",
        "[pytest]\naddopts = -q\n",
        "[pytest]\naddopts = -q --deselect tests/test_shop.py::test_total\n",
        "run-narrowed",
    ),
    ("conftest.py", "import os\n", 'import os\n\ncollect_ignore = ["test_shop.py"]\n', "run-narrowed"),
    (
        "jest.config.js",
        "module.exports = {\n};\n",
        "module.exports = {\n  testPathIgnorePatterns: ['shop'],\n};\n",
        "run-narrowed",
    ),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace("run: pytest", "run: pytest --deselect tests/test_shop.py"),
        "run-narrowed",
    ),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace("strict = true", "strict = false"), "check-relaxed"),
    ("pyproject.toml", PYPROJECT, PYPROJECT + "ignore_errors = true\n", "check-relaxed"),
    ("tsconfig.json", '{\n  "strict": true\n}\n', '{\n  "strict": false\n}\n', "check-relaxed"),
    (".eslintrc.json", '{"rules": {"no-eval": "error"}}\n', '{"rules": {"no-eval": "off"}}\n', "check-relaxed"),
    ("shop.py", CODE, CODE.replace("sum()", "sum()  # type: ignore"), "suppression-added"),
    ("shop.py", CODE, CODE.replace("sum()", "sum()  # noqa: S101"), "suppression-added"),
    ("shop.py", CODE, CODE.replace("sum()", "sum()  # pragma: no cover"), "suppression-added"),
    ("shop.ts", SCRIPT, SCRIPT.replace("  return", "  // @ts-ignore\n  return"), "suppression-added"),
    (
        "shop.ts",
        SCRIPT,
        SCRIPT.replace("  return", "  // eslint-disable-next-line no-eval\n  return"),
        "suppression-added",
    ),
    ("shop.ts", SCRIPT, SCRIPT.replace("sum();", "sum(); // eslint-disable-line"), "suppression-added"),
    ("shop.go", "package shop\n\nvar a = b()\n", "package shop\n\nvar a = b() //nolint:gosec\n", "suppression-added"),
    ("shop.rs", RUST, "#[allow(dead_code)]\n" + RUST, "suppression-added"),
    ("shop.py", CODE, "# mypy: ignore-errors\n" + CODE, "file-silenced"),
    ("shop.py", CODE, "# ruff: noqa\n" + CODE, "file-silenced"),
    ("shop.ts", SCRIPT, "// @ts-nocheck\n" + SCRIPT, "file-silenced"),
    ("shop.ts", SCRIPT, "/* eslint-disable */\n" + SCRIPT, "file-silenced"),
    ("shop.rs", RUST, "#![allow(warnings)]\n" + RUST, "file-silenced"),
    (
        "conftest.py",
        "import os\n",
        "import os\n\n\ndef pytest_collection_modifyitems(items):\n    items[:] = []\n",
        "runner-hooked",
    ),
    (
        "conftest.py",
        "import os\n",
        'import os\n\n\ndef pytest_runtest_makereport(item, call):\n    report.outcome = "passed"\n',
        "runner-hooked",
    ),
    ("tests/__snapshots__/shop.snap", "a\nb\n", "a\nc\n", "snapshot-rewritten"),
    ("testdata/total.golden", "3\n", "4\n", "snapshot-rewritten"),
]

SILENT = [
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace("= 80", "= 90")),
    ("pyproject.toml", PYPROJECT, PYPROJECT.replace('"-q"', '"-ra"')),
    ("jest.config.js", JEST, JEST.replace("lines: 90", "lines: 95")),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW + "      - name: Nightly test\n        continue-on-error: true\n        run: pytest\n",
    ),
    (".github/workflows/ci.yml", WORKFLOW, WORKFLOW + "        continue-on-error: true\n"),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace(
            "        run: pytest\n", "        run: pytest\n        continue-on-error: ${{ matrix.experimental }}\n"
        ),
    ),
    (
        ".github/workflows/ci.yml",
        WORKFLOW,
        WORKFLOW.replace("        run: pytest\n", "        run: pytest\n        continue-on-error: false\n"),
    ),
    (".github/workflows/ci.yml", WORKFLOW, WORKFLOW.replace("run: pytest", "run: docker rm -f db || true")),
    (".github/workflows/ci.yml", WORKFLOW, WORKFLOW + "      - run: pytest -k 'not slow'\n"),
    ("Makefile", "clean:\n\trm -r build\n", "clean:\n\trm -r build || true\n"),
    ("Makefile", "lint:\n\truff check . || true\n", "lint:\n\truff check .\n"),
    ("package.json", PACKAGE, PACKAGE.replace('"jest"', '"vitest run"')),
    ("tsconfig.json", '{\n  "strict": false\n}\n', '{\n  "strict": true\n}\n'),
    (".eslintrc.json", '{"rules": {"no-eval": "off"}}\n', '{"rules": {"no-eval": "error"}}\n'),
    ("shop.py", CODE, CODE + "\n\ndef other():\n    return f()  # type: ignore[no-any-return]\n"),
    ("shop.py", CODE, CODE + '\nHELP = "# type: ignore"\n'),
    (
        "shop.py",
        CODE.replace("sum()", "sum()  # noqa"),
        CODE.replace("return cart.sum()", "return cart.total()  # noqa"),
    ),
    ("shop.py", CODE.replace("sum()", "sum()  # noqa"), CODE),
    ("shop.ts", SCRIPT, SCRIPT + "\n// eslint-disable-next-line no-eval\nexport const a = eval(b);\n"),
    ("shop.rs", RUST, RUST + "\n#[allow(dead_code)]\nfn other() {}\n"),
    ("conftest.py", "import os\n", "import os\n\n\ndef pytest_addoption(parser):\n    parser.addoption('--slow')\n"),
    ("tests/__snapshots__/shop.snap", "a\n", "a\nb\n"),
    ("AGENTS.md", "a\n", "b\n"),
]


def rules(*files):
    return {problem.rule.removeprefix("integrity.") for problem in examine(change_of(*files)).problems}


@pytest.mark.parametrize(("path", "before", "after", "wanted"), NAMED)
def test_what_is_named(path, before, after, wanted):
    assert rules(changed_file(path, before, after)) == {wanted}


@pytest.mark.parametrize(("path", "before", "after"), SILENT)
def test_what_stays_silent(path, before, after):
    assert before != after
    assert rules(changed_file(path, before, after)) == set()


def test_a_threshold_may_move_to_another_file():
    gone = changed_file(".coveragerc", "[report]\nfail_under = 80\n", "[report]\nbranch = true\n")
    come = changed_file("pyproject.toml", "[tool.mypy]\n", "[tool.mypy]\n\n[tool.coverage.report]\nfail_under = 80\n")

    assert rules(gone, come) == set()


def test_a_recording_may_change_with_the_code():
    recording = changed_file("tests/__snapshots__/shop.snap", "a\nb\n", "a\nc\n")

    assert rules(recording, changed_file("shop.py", CODE, CODE.replace("sum", "total"))) == set()
    assert rules(recording, changed_file("shop.py", CODE, "# A comment.\n" + CODE)) == {"snapshot-rewritten"}
    assert rules(recording, changed_file("README.md", "a\n", "b\n")) == {"snapshot-rewritten"}


def test_a_suppression_may_move_to_another_file():
    marked = CODE.replace("sum()", "sum()  # noqa")

    assert rules(changed_file("a.py", marked, ""), changed_file("b.py", CODE, marked)) == set()


def test_instructions_of_agents_that_change_beside_code_are_named():
    agents = changed_file("AGENTS.md", "Run the tests.\n", "Do not run the tests.\n")

    assert rules(agents, changed_file("shop.py", CODE, CODE.replace("sum", "total"))) == {"agent-instructions"}
    assert rules(agents) == set()
    assert rules(agents, changed_file("README.md", "a\n", "b\n")) == set()


def test_a_file_that_is_silenced_in_part_is_quieter():
    for path, text, comment in (
        ("shop.ts", SCRIPT, "/* eslint-disable no-eval */\n"),
        ("shop.rs", RUST, "#![allow(clippy::unwrap_used)]\n"),
    ):
        assert [each.severity for each in examine(change_of(changed_file(path, text, comment + text))).problems] == [
            "low"
        ]


def test_many_suppressions_in_a_file_are_one_sign():
    before = "".join(f"a{number} = f({number})\n" for number in range(9))
    found = examine(change_of(changed_file("shop.py", before, before.replace(")\n", ")  # type: ignore\n")))).problems

    assert [(each.line, each.severity) for each in found] == [(1, "low")]
    assert "9 lines" in found[0].message


def test_a_suppression_with_a_code_and_a_reason_is_quieter():
    said = CODE.replace("sum()", "sum()  # type: ignore[no-any-return]  # the stubs are older than the package")

    assert [each.severity for each in examine(change_of(changed_file("shop.py", CODE, said))).problems] == ["info"]


def test_a_marker_that_is_left_out_is_quieter_than_a_name():
    marked = PYPROJECT.replace('"-q"', "\"-q -m 'not slow'\"")

    assert [
        each.severity for each in examine(change_of(changed_file("pyproject.toml", PYPROJECT, marked))).problems
    ] == ["low"]


def test_prose_about_an_option_is_no_option():
    told = PYPROJECT.replace('addopts = "-q"', 'addopts = "-q"\nmarkers = ["slow: left out with -m \'not slow\'"]')

    assert rules(changed_file("pyproject.toml", PYPROJECT, told)) == set()


def test_new_suppressions_are_counted_wherever_they_stand():
    new = CODE + "\n\ndef other():\n    return f()  # type: ignore\n"

    assert examine(change_of(changed_file("shop.py", CODE, new))).silenced == 1
