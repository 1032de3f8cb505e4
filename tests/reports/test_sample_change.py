"""The sample change is what it says it is, with nothing but a plain Python."""

import ast
import filecmp
import re
import shutil
import subprocess
import sys

import pytest

from tests.harness.sample_reports import SAMPLE_CHANGE, failing

VOUCHER = "tests.test_checkout.AmountDueTest.test_a_voucher_is_taken_off"
BOUNDARY = "tests.test_checkout.DiscountTest.test_ten_percent_from_exactly_one_hundred_on"


def run_tests(side, tmp_path):
    """Run the tests of one side in a copy of it; return how many ran, and which failed."""
    copy = shutil.copytree(SAMPLE_CHANGE / side, tmp_path / side)
    done = subprocess.run(
        [sys.executable, "-I", "-c", "import sys; sys.path.insert(0, ''); import unittest; unittest.main(module=None)", "discover"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    ran = re.search(r"^Ran (\d+) tests? in", done.stderr, re.MULTILINE)
    return int(ran[1]), set(re.findall(r"^(?:FAIL|ERROR): \w+ \(([\w.]+)\)", done.stderr, re.MULTILINE))


def test_before_the_change_only_the_voucher_fails(tmp_path):
    assert run_tests("before", tmp_path) == (5, {VOUCHER})


def test_after_it_an_order_of_exactly_one_hundred_fails_too(tmp_path):
    assert run_tests("after", tmp_path) == (7, {VOUCHER, BOUNDARY})


def test_the_command_of_its_readme_finds_the_tests(tmp_path):
    copy = shutil.copytree(SAMPLE_CHANGE / "before", tmp_path / "shop")
    command = re.search(r"`python (-m unittest discover)`", (copy / "README.md").read_text("utf-8"))[1].split()
    done = subprocess.run([sys.executable, *command], cwd=copy, capture_output=True, text=True, check=False)
    assert "Ran 5 tests" in done.stderr


def test_only_the_checkout_and_its_tests_change():
    def differing(seen):
        yield from seen.diff_files + seen.left_only + seen.right_only
        for name, below in seen.subdirs.items():
            yield from (f"{name}/{path}" for path in differing(below))

    found = differing(filecmp.dircmp(SAMPLE_CHANGE / "before", SAMPLE_CHANGE / "after", ignore=["__pycache__"]))
    assert sorted(found) == ["shop/checkout.py", "tests/test_checkout.py"]


@pytest.mark.parametrize("side", ["before", "after"])
def test_it_compiles_and_needs_nothing_but_the_standard_library(side):
    for path in (SAMPLE_CHANGE / side).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            modules = [node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in getattr(node, "names", ())] if isinstance(node, ast.Import) else []  # fmt: skip
            assert {module.split(".")[0] for module in modules} <= {"shop"} | sys.stdlib_module_names


def test_its_readme_quotes_the_message():
    message = " ".join((SAMPLE_CHANGE / "message.md").read_text("utf-8").split())
    readme = (SAMPLE_CHANGE / "README.md").read_text("utf-8")
    quoted = re.findall(r'`message\.md`: "([^"]+)"', readme)
    assert len(quoted) == 3
    assert all(sentence in message for sentence in quoted)


def test_the_sample_report_tells_the_same_story():
    report = failing()
    message = " ".join((SAMPLE_CHANGE / "message.md").read_text("utf-8").split())
    assert all(claim.text in message for claim in report.claims)
    assert [file.path for file in report.files] == ["shop/checkout.py", "tests/test_checkout.py"]
    lines = (SAMPLE_CHANGE / "after" / "tests" / "test_checkout.py").read_text("utf-8").split("\n")
    new, old = report.findings()
    assert lines[new.line - 1].strip() == new.evidence
    assert "amount_due([20_00], summer), 15_00" in lines[old.line - 1]
