"""Skeletons in Rust, run for real."""

import pytest

from tests.harness.skeletons import mutant_of, write

MANIFEST = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n'
SHOP = "pub fn price(amount: i32) -> i32 {\n    if amount >= 100 {\n        return amount - 10;\n    }\n    amount\n}\n"
TESTS = (
    "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn small() {\n"
    "        assert_eq!(price(1), 1);\n    }\n}\n"
)


def mutant(**fields):
    return mutant_of("src/lib.rs", 2, **fields)


def test_it_stands_in_the_files_own_module_of_tests(tmp_path):
    written = write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": SHOP + TESTS}, mutant())

    result = written.run("cargo", "test", "--offline", "--lib")
    assert "test tests::price_boundary ... FAILED" in result.stdout
    assert "not written yet: a test of price (src/lib.rs:2) that notices changing `>=` to `>`" in result.stdout
    assert "warning" not in result.stderr
    assert written.run("rustfmt", "--check", "--edition", "2021", "src/lib.rs").returncode == 0

    written.fill("panic!(", "assert_eq!(price(100), 90);")
    assert "2 passed" in written.run("cargo", "test", "--offline", "--lib").stdout


def test_without_any_test_the_file_gets_a_module_of_tests(tmp_path):
    written = write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": "#![deny(warnings)]\n" + SHOP}, mutant())

    assert "test tests::price_boundary ... FAILED" in written.run("cargo", "test", "--offline", "--lib").stdout
    assert written.run("rustfmt", "--check", "--edition", "2021", "src/lib.rs").returncode == 0


def test_a_module_of_tests_in_a_file_of_its_own_is_followed(tmp_path):
    tests = "use super::*;\n\n#[test]\nfn small() {\n    assert_eq!(price(1), 1);\n}\n"
    files = {"Cargo.toml": MANIFEST, "src/lib.rs": SHOP + "\n#[cfg(test)]\nmod tests;\n", "src/tests.rs": tests}
    written = write(tmp_path, files, mutant())

    assert written.skeleton.path == "src/tests.rs"
    assert written.skeleton.after.startswith(tests)


def test_a_test_file_that_reaches_code_without_tests_of_its_own_is_the_place(tmp_path):
    tests = "use shop::price;\n\n#[test]\nfn small() {\n    assert_eq!(price(1), 1);\n}\n"
    files = {"Cargo.toml": MANIFEST, "src/lib.rs": SHOP, "tests/api.rs": tests}

    assert write(tmp_path, files, mutant(covered_by=("tests/api.rs small",))).skeleton.path == "tests/api.rs"


@pytest.mark.parametrize("module", ["mod tests {\n}\n", "mod tests {}\n", "mod tests {\n\t#[test]\n\tfn a() {}\n}\n"])
def test_every_form_of_the_module_stays_a_program(tmp_path, module):
    written = write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": f"{SHOP}\n#[cfg(test)]\n{module}"}, mutant())

    assert written.run("rustc", "--test", "--crate-type", "lib", "--emit", "metadata", "src/lib.rs").returncode == 0


def test_braces_in_the_code_are_shown_and_fill_nothing_in(tmp_path):
    braces = mutant(original='f!("{x}")', replacement="{}")
    written = write(tmp_path, {"Cargo.toml": MANIFEST, "src/lib.rs": SHOP}, braces)

    assert written.run("rustc", "--test", "--crate-type", "lib", "--emit", "metadata", "src/lib.rs").returncode == 0
