"""Skeletons in Python, run for real: they fail by themselves until somebody writes the assertion."""

import sys

import pytest

from tests.harness.skeletons import mutant_of, write

SHOP = "def price(amount):\n    if amount >= 100:\n        return amount - 10\n    return amount\n"
MAIN = 'if __name__ == "__main__":\n    pytest.main()\n'
FAILING = "raise AssertionError("


def case(text):
    return f"import unittest\n\nfrom shop import price\n\n\nclass PriceTest(unittest.TestCase):\n{text}"


@pytest.mark.parametrize(
    "tests",
    [
        "from shop import price\n\n\ndef test_small():\n    assert price(1) == 1\n",
        "from shop import price\r\n\r\n\r\ndef test_small() -> None:\r\n    assert price(1) == 1\r\n",
        "from shop import price\n\n\ndef test_small():\n    assert price(1) == 1",
        "from shop import price\n\n\nclass TestPrice:\n    def test_small(self):\n        assert price(1) == 1\n\n\n\n",
        "import pytest\nfrom shop import price\n\n\ndef test_small():\n    assert price(1) == 1\n\n\n" + MAIN,
    ],
    ids=["functions", "windows", "no-line-feed", "class", "main"],
)
def test_with_pytest_it_is_a_function(tmp_path, tests):
    files = {"shop.py": SHOP, "tests/test_shop.py": tests, "pytest.ini": "[pytest]\npythonpath = .\n"}
    written = write(tmp_path, files, mutant_of("shop.py", 2))
    assert written.skeleton.path == "tests/test_shop.py"
    assert written.skeleton.before == tests

    result = written.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert "1 failed, 1 passed" in result.stdout
    assert (
        "AssertionError: not written yet: a test of price (shop.py:2) that notices changing `>=` to `>`"
        in result.stdout
    )

    written.fill(FAILING, "assert price(100) == 90")
    assert "2 passed" in written.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider").stdout


@pytest.mark.parametrize(
    "tests",
    [
        case("    def test_small(self):\n        self.assertEqual(price(1), 1)\n"),
        case("\tdef test_small(self) -> None:\n\t\tself.assertEqual(price(1), 1)"),
        case("    def test_small(self):\n        self.assertEqual(price(1), 1)\n\n\n")
        + 'if __name__ == "__main__":\n    unittest.main()\n',
    ],
    ids=["plain", "tabs", "main"],
)
def test_with_unittest_it_is_a_method_of_the_last_case(tmp_path, tests):
    written = write(tmp_path, {"shop.py": SHOP, "tests.py": "", "test_shop.py": tests}, mutant_of("shop.py", 2))

    result = written.run(sys.executable, "-m", "unittest", "test_shop")
    assert "AssertionError: not written yet: a test of price (shop.py:2)" in result.stderr
    assert "Ran 2 tests" in result.stderr
    assert "failures=1" in result.stderr

    written.fill("self.fail(", "self.assertEqual(price(100), 90)")
    assert "OK" in written.run(sys.executable, "-m", "unittest", "test_shop").stderr


def test_without_a_file_about_the_code_there_is_a_new_one_beside_the_others(tmp_path):
    files = {
        "src/app.py": "x = 1\n",
        "src/shop.py": SHOP,
        "tests/test_app.py": case("    def test_x(self):\n        pass\n"),
    }
    written = write(tmp_path, files, mutant_of("src/shop.py", 2, status="no-coverage", tests=0))

    assert (written.skeleton.path, written.skeleton.before) == ("tests/test_shop.py", None)
    assert "failures=1" in written.run(sys.executable, "-m", "unittest", "discover", "tests").stderr


def test_the_file_whose_tests_run_over_the_line_comes_before_one_of_its_name(tmp_path):
    tests = "def test_all():\n    pass\n"
    files = {"shop.py": SHOP, "tests/test_shop.py": tests, "tests/test_orders.py": tests}
    mutant = mutant_of("shop.py", 2, covered_by=("tests/test_orders.py::test_all",))

    assert write(tmp_path, files, mutant).skeleton.path == "tests/test_orders.py"


def test_a_test_called_by_its_module_names_its_file(tmp_path):
    tests = case("    def test_small(self):\n        pass\n")
    files = {
        "shop.py": SHOP,
        "tests/__init__.py": "",
        "tests/test_orders.py": tests,
        "tests/test_orders_more.py": tests,
    }
    mutant = mutant_of("shop.py", 2, covered_by=("tests.test_orders.PriceTest.test_small",))

    assert write(tmp_path, files, mutant).skeleton.path == "tests/test_orders.py"


def test_a_second_one_has_a_name_of_its_own(tmp_path):
    files = {"shop.py": SHOP, "test_shop.py": "def test_price_boundary():\n    pass\n"}

    assert write(tmp_path, files, mutant_of("shop.py", 2)).skeleton.name == "test_price_boundary_2"


def test_what_the_code_says_cannot_end_the_text_it_stands_in(tmp_path):
    mutant = mutant_of("shop.py", 2, original='"\\"\n{x}', replacement='""" + 1\\')
    written = write(tmp_path, {"shop.py": SHOP, "test_shop.py": "def test_a():\n    pass\n"}, mutant)

    compile(written.skeleton.after, "test_shop.py", "exec")


def test_helpers_are_no_place_for_a_test(tmp_path):
    files = {
        "shop.py": SHOP,
        "tests/conftest.py": "",
        "tests/fixtures/shop.py": "def test_a():\n    pass\n",
        "tests/test_z.py": "def test_z():\n    pass\n",
    }

    assert write(tmp_path, files, mutant_of("shop.py", 2)).skeleton.path == "tests/test_shop.py"
