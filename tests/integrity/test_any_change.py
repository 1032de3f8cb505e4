"""Whatever a change does: the comparison does not break, and what is no change of meaning stays silent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.changed_files import change_of, changed_file
from tests.integrity import go_pairs, python_pairs, rust_pairs, script_pairs
from verify_lsp.integrity.examine import examine

TEXTS = {
    "tests/test_shop.py": python_pairs.SHOP,
    "test/shop.test.ts": script_pairs.SHOP,
    "shop_test.go": go_pairs.SHOP,
    "src/shop.rs": rust_pairs.SHOP,
}
COMMENTS = {"tests/test_shop.py": "# x", "test/shop.test.ts": "// x", "shop_test.go": "// x", "src/shop.rs": "// x"}


@pytest.mark.parametrize("path", TEXTS)
@given(data=st.data())
def test_any_lines_may_go(path, data):
    lines = TEXTS[path].split("\n")
    kept = data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
    after = "\n".join(line for line, keep in zip(lines, kept, strict=True) if keep)
    examined = examine(change_of(changed_file(path, TEXTS[path], after)))

    assert all(0 < problem.line <= len(after.split("\n")) for problem in examined.problems)


@pytest.mark.parametrize("path", TEXTS)
@given(data=st.data())
def test_comments_and_blank_lines_are_nothing(path, data):
    lines = TEXTS[path].split("\n")
    places = data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=6))
    after = [
        each
        for number, line in enumerate(lines)
        for each in (*([COMMENTS[path], ""] if number in places else []), line)
    ]

    assert examine(change_of(changed_file(path, TEXTS[path], "\n".join(after)))).problems == ()


@pytest.mark.parametrize("path", TEXTS)
def test_an_added_file_of_tests_is_nothing(path):
    assert examine(change_of(changed_file(path, None, TEXTS[path]))).problems == ()


@pytest.mark.parametrize("path", TEXTS)
def test_a_deleted_file_of_tests_is_named_once(path):
    (problem,) = examine(change_of(changed_file(path.replace("src", "tests"), TEXTS[path], None))).problems

    assert problem.rule == "integrity.test-removed"
    assert "2 tests are gone" in problem.message


@pytest.mark.parametrize("path", TEXTS)
def test_a_file_that_moved_is_nothing(path):
    other = path.replace("shop", "cart")

    assert (
        examine(change_of(changed_file(path, TEXTS[path], None), changed_file(other, None, TEXTS[path]))).problems == ()
    )
