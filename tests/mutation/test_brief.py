"""What an agent is told of a survivor, and the difference that a person is shown."""

import subprocess

import attrs
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.skeletons import mutant_of
from verify_lsp.mutation.brief import brief_on, diff_on

TEXT = "def price(amount):\n    if amount >= 100:\n        return amount - 10\n    return amount\n"
MUTANT = mutant_of("shop.py", 2)
MUTATED = TEXT.replace(">=", ">")


def brief(**fields):
    return brief_on(attrs.evolve(MUTANT, **fields), TEXT, MUTATED)


def test_of_tests_that_are_not_known_no_number_is_made_up():
    assert "did not notice: not known how many, not known by name\n" in brief(tests=None)
    assert "did not notice: 3, not known by name\n" in brief()
    named = brief(tests=None, covered_by=("a_test.go",))
    assert "Run over this line without noticing:\n- a_test.go\nA test must" in named


def test_a_line_that_no_test_runs_has_none():
    assert "Tests that run this line: none\n" in brief(status="no-coverage", tests=0)


def test_nothing_in_the_code_acts_on_who_reads_the_brief():
    text = TEXT.replace("amount >= 100", "amount >= 100  # \x1b[31m\u202e")
    told = brief_on(MUTANT, text, text.replace(">=", ">"))

    assert "\x1b" not in told
    assert "\u202e" not in told


lines = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\n\r\\"), max_size=8), min_size=1, max_size=12
)


@given(lines, st.data(), lines, st.sampled_from(["\n", "\r\n"]))
def test_the_difference_leads_from_the_text_to_the_one_with_the_fault(rows, data, put, end):
    first = data.draw(st.integers(1, len(rows)))
    last = data.draw(st.integers(first, len(rows)))
    text = "".join(row + end for row in rows)
    others = [*rows[: first - 1], *put, *rows[last:]]
    mutated = "".join(row + end for row in others)

    told = diff_on(attrs.evolve(MUTANT, line=first, end_line=last), text, mutated).split("\n")[2:-1]
    header, body = told[0], told[1:]
    start = int(header.split("-")[1].split(",")[0]) - 1
    old = [line[1:] for line in body if line[0] in " -"]
    new = [line[1:] for line in body if line[0] in " +"]
    assert rows[start : start + len(old)] == old
    assert [*rows[:start], *new, *rows[start + len(old) :]] == others
    assert header == f"@@ -{start + 1},{len(old)} +{start + 1},{len(new)} @@"


def test_git_takes_the_difference(tmp_path):
    (tmp_path / "shop.py").write_text(TEXT)
    done = subprocess.run(
        ["git", "apply", "--check", "-p0", "-"],
        cwd=tmp_path,
        input=diff_on(MUTANT, TEXT, MUTATED).replace(" (changing `>=` to `>`)", ""),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
