import pytest

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.files.declared_tests import TestCount, count_tests


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_a.py", "def test_it():"),
        ("tests/test_a.py", "    async def test_it(self):"),
        ("a.test.ts", "  it('works', () => {"),
        ("a.spec.js", 'test.only("works", async () => {'),
        ("a.test.js", "it.each([1, 2])('works %d', n => {"),
        ("a_test.go", "func TestIt(t *testing.T) {"),
        ("src/lib.rs", "    #[test]"),
        ("src/lib.rs", "#[tokio::test(flavor = 'x')]"),
        ("src/test/AT.java", "    @Test"),
        ("spec/a_spec.rb", "  it 'works' do"),
    ],
)
def test_a_declared_test_is_seen(path, line):
    assert count_tests(change_of(changed_file(path, None, line + "\n"))) == (TestCount(path, 1, 0),)
    assert count_tests(change_of(changed_file(path, line + "\n", None))) == (TestCount(path, 0, 1),)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/a.py", "def test_connection():"),
        ("tests/test_a.py", "def helper_test():"),
        ("a.ts", "it('works')"),
        ("a.test.ts", "await it.next()"),
        ("a.test.ts", "expect(test('x'))"),
        ("a_test.go", "func helper(t *testing.T) {"),
        ("tests/data.json", '"def test_it():"'),
    ],
)
def test_what_is_no_test_is_not_counted(path, line):
    assert count_tests(change_of(changed_file(path, None, line + "\n"))) == ()


def test_a_test_that_moved_to_another_file_neither_came_nor_went():
    one = changed_file("tests/test_a.py", "def test_it():\n    pass\n", None)
    two = changed_file("tests/test_b.py", None, "def test_it():\n    pass\ndef test_more():\n    pass\n")
    assert count_tests(change_of(one, two)) == (TestCount("tests/test_b.py", 1, 0),)


def test_a_renamed_test_is_one_come_and_one_gone():
    file = changed_file("tests/test_a.py", "def test_one():\n    pass\n", "def test_two():\n    pass\n")
    assert count_tests(change_of(file)) == (TestCount("tests/test_a.py", 1, 1),)
