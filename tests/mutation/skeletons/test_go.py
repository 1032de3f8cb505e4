"""Skeletons in Go, run for real."""

from tests.harness.skeletons import mutant_of, write

SHOP = "package shop\n\nfunc Price(amount int) int {\n\tif amount >= 100 {\n\t\treturn amount - 10\n\t}\n\treturn amount\n}\n"
MODULE = "module example.test/shop\n\ngo 1.21\n"
TESTS = 'package shop\n\nimport "testing"\n\nfunc TestSmall(t *testing.T) {\n\tif Price(1) != 1 {\n\t\tt.Fatal("no")\n\t}\n}\n'


def mutant(**fields):
    return mutant_of("shop.go", 4, "Price", **fields)


def test_it_is_a_function_at_the_end_of_the_packages_test_file(tmp_path):
    written = write(tmp_path, {"go.mod": MODULE, "shop.go": SHOP, "shop_test.go": TESTS}, mutant())
    assert written.skeleton.path == "shop_test.go"

    result = written.run("go", "test", "./...")
    assert "--- FAIL: TestPriceBoundary" in result.stdout
    assert "not written yet: a test of Price (shop.go:4) that notices changing `>=` to `>`" in result.stdout
    assert written.run("gofmt", "-l", ".").stdout == ""

    written.fill("t.Fatal(", 'if Price(100) != 90 { t.Fatal("a hundred") }')
    assert written.run("go", "test", "./...").stdout.startswith("ok")


def test_without_a_test_file_there_is_a_new_one_in_the_same_package(tmp_path):
    written = write(tmp_path, {"go.mod": MODULE, "shop.go": SHOP}, mutant())
    assert (written.skeleton.path, written.skeleton.before) == ("shop_test.go", None)

    assert "--- FAIL: TestPriceBoundary" in written.run("go", "test", "./...").stdout
    assert written.run("gofmt", "-l", ".").stdout == ""


def test_a_file_that_is_built_only_at_times_is_no_place(tmp_path):
    files = {
        "go.mod": MODULE,
        "shop.go": SHOP,
        "shop_test.go": "//go:build integration\n\n" + TESTS,
        "other_test.go": 'package shop_test\n\nimport (\n\t"testing"\n)\n\nfunc TestPriceBoundary(t *testing.T) {}\n',
    }
    written = write(tmp_path, files, mutant())

    assert (written.skeleton.path, written.skeleton.name) == ("other_test.go", "TestPriceBoundary_2")


def test_the_file_with_the_tests_that_run_over_the_line_comes_first(tmp_path):
    other = TESTS.replace("TestSmall", "TestOther")
    files = {"go.mod": MODULE, "shop.go": SHOP, "a_test.go": other, "b_test.go": TESTS}

    assert write(tmp_path, files, mutant(covered_by=("example.test/shop TestSmall",))).skeleton.path == "b_test.go"


def test_methods_give_a_name_that_go_takes(tmp_path):
    written = write(tmp_path, {"go.mod": MODULE, "shop.go": SHOP}, mutant_of("shop.go", 4, "(*Cart).total"))

    assert written.skeleton.name == "TestCartTotalBoundary"
