import attrs
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.changed_files import change_of, changed_file
from verify_lsp.judgement.sift import sift, sift_outcome
from verify_lsp.model.finding import SEVERITIES, Finding
from verify_lsp.model.outcome import Ran, Skipped
from verify_lsp.settings.settings import Settings

TEXT = "import os\n\nprint(evil)\nprint(evil)\n"
CHANGE = change_of(changed_file("a.py", None, TEXT))


def finding(path="a.py", line=3, message="bad", rule="R1", severity="medium", **more) -> Finding:
    return Finding("", "lint", severity, path, line, rule, message, **more)


def test_a_rule_that_is_off_is_silent_and_one_with_a_level_has_it():
    settings = Settings(rules={"R1": "off", "R2": "critical"})
    kept = sift((finding(), finding(rule="R2"), finding(rule="R3")), CHANGE, settings)
    assert [(each.rule, each.severity) for each in kept] == [("R2", "critical"), ("R3", "medium")]


def test_excluded_files_are_left_out_and_problems_without_a_file_are_not():
    settings = Settings(exclude=("gen/**", "*.min.js"))
    kept = sift((finding("gen/a.py"), finding("x/b.min.js"), finding("src/c.py"), finding("")), CHANGE, settings)
    assert [each.path for each in kept] == ["", "src/c.py"]


def test_the_same_message_on_the_same_line_is_said_once_and_the_severest_stays():
    kept = sift((finding(column=1), finding(column=9, severity="high"), finding(line=4)), CHANGE, Settings())
    assert [(each.line, each.severity) for each in kept] == [(3, "high"), (4, "medium")]


def test_a_new_finding_is_not_hidden_by_an_old_one_that_says_the_same():
    kept = sift((finding(preexisting=True, severity="high"), finding(severity="low")), CHANGE, Settings())
    assert [(each.preexisting, each.severity) for each in kept] == [(False, "low")]


def test_new_before_old_then_severity_then_place():
    kept = sift(
        (
            finding(line=4, severity="low"),
            finding("b.py", severity="critical", preexisting=True),
            finding("b.py", line=2, severity="high"),
            finding("a.py", line=9, severity="high"),
        ),
        CHANGE,
        Settings(),
    )
    assert [(each.path, each.line) for each in kept] == [("a.py", 9), ("b.py", 2), ("a.py", 4), ("b.py", 3)]


def test_words_of_tools_lose_what_acts_and_what_is_too_long():
    kept = sift(
        (
            finding(
                message="\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 \u202eturned\u202c\x00" + "x" * 9999,
                evidence="a\tb\nc\x07",
                suggestion="\ud800half",
                rule="R\u200b1\n",
                url="command:rm",
            ),
        ),
        CHANGE,
        Settings(),
    )[0]
    assert kept.message.startswith("red link turnedxxx")
    assert len(kept.message) == 1000
    assert (kept.evidence, kept.suggestion, kept.rule, kept.url) == ("a\tb\nc", "half", "R1", None)


def test_a_web_address_stays():
    assert sift((finding(url="https://example.org/R1"),), CHANGE, Settings())[0].url == "https://example.org/R1"


def test_a_path_out_of_the_workspace_becomes_words():
    paths = ("/etc/passwd", "../up.py", "a/../../b", "C:\\Windows\\x", "\\\\server\\x", "~/x")
    kept = sift([finding(path) for path in paths], CHANGE, Settings())
    assert {each.path for each in kept} == {""}
    assert {each.message for each in kept} == {f"{path}: bad" for path in paths}


def test_names_with_dots_are_no_way_out():
    assert sift((finding("a..b/..c/d.."),), CHANGE, Settings())[0].path == "a..b/..c/d.."


def test_line_zero_becomes_the_first_line():
    assert sift((finding(line=0),), CHANGE, Settings())[0].line == 1


def test_outcomes_that_found_nothing_pass_through():
    skipped = Skipped("go is not installed")
    assert sift_outcome(skipped, CHANGE, Settings()) is skipped


def test_an_outcome_keeps_its_verdict_and_gets_its_ids():
    outcome = sift_outcome(Ran("fail", "bad", findings=(finding(),)), CHANGE, Settings())
    assert isinstance(outcome, Ran)
    assert outcome.verdict == "fail"
    assert outcome.findings[0].id


def test_equal_lines_have_ids_of_their_own():
    first, second = sift((finding(line=4), finding(line=3)), CHANGE, Settings())
    assert first.id != second.id


def test_an_id_depends_on_check_rule_path_and_text_only():
    base = sift((finding(),), CHANGE, Settings())[0].id
    assert sift((finding(message="said otherwise", column=7, severity="high"),), CHANGE, Settings())[0].id == base
    other_text = change_of(changed_file("a.py", None, TEXT.replace("evil", "good")))
    for changed in (
        sift((finding(rule="R2"),), CHANGE, Settings()),
        sift((finding("b.py"),), CHANGE, Settings()),
        sift((attrs.evolve(finding(), check="tests"),), CHANGE, Settings()),
        sift((finding(),), other_text, Settings()),
    ):
        assert changed[0].id != base


def test_reindenting_a_line_keeps_its_id():
    indented = change_of(changed_file("a.py", None, TEXT.replace("print", "    print")))
    assert sift((finding(),), indented, Settings())[0].id == sift((finding(),), CHANGE, Settings())[0].id


def test_in_a_file_outside_the_change_the_message_names_the_problem_whatever_its_line():
    one = sift((finding("other.py", 7, "unused, see line 5"),), CHANGE, Settings())[0].id
    assert sift((finding("other.py", 9, "unused, see line 7"),), CHANGE, Settings())[0].id == one
    assert sift((finding("other.py", 9, "unused, see below"),), CHANGE, Settings())[0].id != one


def test_a_finding_in_a_deleted_file_is_known_by_the_text_that_is_gone():
    deleted = change_of(changed_file("a.py", TEXT, None))
    assert sift((finding(),), deleted, Settings())[0].id == sift((finding(),), CHANGE, Settings())[0].id


LINES = st.lists(st.sampled_from(["x = 1", "y = f(x)", "return", ""]), min_size=1, max_size=12)
PLACES = st.lists(
    st.tuples(
        st.integers(1, 12), st.sampled_from(["R1", "R2"]), st.sampled_from(["m", "n"]), st.sampled_from(SEVERITIES)
    ),
    max_size=10,
)


@given(LINES, PLACES, st.lists(st.sampled_from(["# new", "z = 2"]), max_size=5))
def test_lines_inserted_above_change_no_id(lines, places, above):
    def ids(shift: int, text: list[str]) -> list[tuple[str, str, int]]:
        change = change_of(changed_file("a.py", None, "\n".join(text) + "\n"))
        raised = [finding("a.py", min(line, len(lines)) + shift, m, r, s) for line, r, m, s in places]
        return [(each.id, each.rule, each.line - shift) for each in sift(raised, change, Settings())]

    assert ids(len(above), above + lines) == ids(0, lines)


@given(LINES, PLACES)
def test_ids_are_unique_and_sifting_twice_changes_nothing(lines, places):
    change = change_of(changed_file("a.py", None, "\n".join(lines)))
    raised = [finding(("a.py", "b.py")[line % 2], line, m, r, s) for line, r, m, s in places]
    kept = sift(raised, change, Settings())
    assert len({each.id for each in kept}) == len(kept)
    assert sift(kept, change, Settings()) == kept
    assert sift(reversed(raised), change, Settings()) == kept


@given(st.text(max_size=300), st.text(max_size=60), st.text(max_size=60))
def test_any_text_is_clean_after_one_pass(message, rule, path):
    kept = sift((finding(path, 1, message, rule),), CHANGE, Settings())
    assert sift(kept, CHANGE, Settings()) == kept
    assert not set("\x1b\x00\x07\x9b\u202e\u2066\ufeff") & set(kept[0].message + kept[0].rule)
    kept[0].message.encode()
