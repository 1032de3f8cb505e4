import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.judgement.sayings.blocks import blocks_of


def read(message: str) -> list[tuple[str, str | None]]:
    return [(block.text, block.aside) for block in blocks_of(message)]


def test_paragraphs_headings_and_items_are_blocks():
    message = "# Done\n\nAll good,\nand more.\n\n- one\n- two\n  goes on\n\n1. three\n"
    assert read(message) == [
        ("Done", None),
        ("All good, and more.", None),
        ("one", None),
        ("two goes on", None),
        ("three", None),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "```\nAll tests pass.\n```",
        "```text title\nAll tests pass.\n```",
        "~~~\n```\nAll tests pass.\n~~~",
        "````\n```\nAll tests pass.\n````",
        "- item\n  ```\n  All tests pass.\n  ```",
        "```\nAll tests pass, and the block never ends.",
        "    All tests pass.",
        "\tAll tests pass.",
        "<!-- All tests pass. -->",
        "<!--\nAll tests pass.\n-->",
    ],
)
def test_code_and_comments_are_no_words(code):
    assert not [text for text, _ in read(f"Before.\n\n{code}\n") if "tests" in text]


def test_text_after_a_code_block_is_read_again():
    assert read("```\ncode\n```\nAll tests pass.") == [("All tests pass.", None)]


def test_a_line_of_inline_code_opens_no_block():
    assert read("```code``` here\nmore") == [("```code``` here more", None)]


def test_what_belongs_to_a_list_item_may_be_indented():
    assert ("tests pass", None) not in read("- ran it\n\n      deep\n")
    assert read("- ran it\n    and all tests pass\n") == [("ran it and all tests pass", None)]


def test_tables_and_quotations_are_told_apart():
    message = "| a | b |\n|---|---|\n| c | d |\n\n> you said\n> so\n"
    assert read(message) == [
        ("| a | b |", "table"),
        ("| c | d |", "table"),
        ("you said so", "quotation"),
    ]


def test_an_open_box_is_a_plan_and_a_ticked_one_is_not():
    assert read("## Test plan\n- [ ] one\n- [x] two\n- three\n") == [
        ("Test plan", None),
        ("one", "plan"),
        ("two", None),
        ("three", "plan"),
    ]


def test_a_plan_ends_with_the_next_heading():
    assert read("## Next steps\nrun it\n## Done\nran it\n")[-1] == ("ran it", None)


def test_a_lead_in_makes_plans_of_its_list_only():
    message = "To check, please run:\n- all tests\n\nAll tests pass.\n"
    assert read(message)[1:] == [("all tests", "plan"), ("All tests pass.", None)]


def test_short_lines_below_each_other_are_statements_of_their_own():
    assert read("All tests pass\nLint is clean\n") == [("All tests pass", None), ("Lint is clean", None)]


def test_a_wrapped_line_goes_on():
    message = "I have looked at all of it and cannot say whether the\nTypeScript build passes.\n"
    assert len(read(message)) == 1
    assert len(read("I can't say whether\nAll tests pass\n")) == 1


def test_a_code_block_that_began_before_the_part_that_is_read_is_still_code():
    message = "```\n" + "log line\n" * 30_000 + "All tests pass.\n```\nDone.\n"
    assert read(message) == [("Done.", None)]


def test_the_distance_to_the_end_is_known():
    first, last = blocks_of("one\n\ntwo")
    assert (first.from_end, last.from_end) == (8, 3)


@given(st.text(alphabet="a `~>|-#*[]x1.\n\t<!", max_size=200))
def test_any_text_can_be_read(message):
    for block in blocks_of(message):
        assert block.text == " ".join(block.text.split())
        assert 0 < block.from_end <= len(message)
