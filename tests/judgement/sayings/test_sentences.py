import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify_lsp.judgement.sayings.sentences import sentences_of


def marked(message: str) -> list[str]:
    return [sentence.marked for sentence in sentences_of(message)]


def asides(message: str) -> list[str | None]:
    return [sentence.aside for sentence in sentences_of(message)]


@pytest.mark.parametrize(
    ("message", "sentences"),
    [
        ("One is it. Two is it! Is three?", ["one is it.", "two is it!", "is three?"]),
        ("It is e.g. this one. And that.", ["it is e.g. this one.", "and that."]),
        ("Version 1.2.3 is out.", ["version 1.2.3 is out."]),
        ("I ran `a. b` here. Then more.", ["i ran <code:0> here.", "then more."]),
        ("I ran go test ./... and it ended.", ["i ran go test ./... and it ended."]),
        ("**All** _tests_ pass.", ["all tests pass."]),
        ("See [the tests](http://example.org/a_b) pass.", ["see the tests pass."]),
        ("It is at http://example.org/x. Done now.", ["it is at <address:0> done now."]),
        ("The <b>tests</b> pass 1 < 2.", ["the tests pass 1 2."]),
        ("✅ Tests ❌ lint", ["<ok> tests <bad> lint"]),
        ("We don’t know.", ["we don't know."]),
        ("I said “all tests pass” now.", ["i said <quote:0> now."]),
        ("I said 'all tests pass' now.", ["i said <quote:0> now."]),
        ("The users' data isn't the tests' data.", ["the users' data isn't the tests' data."]),
        ("Created src/a.py and b.ts.", ["created <path:0> and <path:1>."]),
        ("Node.js tests pass.", ["node.js tests pass."]),
        ("Pass and/or fail 12/12.", ["pass and/or fail 12/12."]),
        ("A snake_case_name stays.", ["a snake_case_name stays."]),
    ],
)
def test_a_message_is_split_and_marked(message, sentences):
    assert marked(message) == sentences


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("pytest -q", "tests"),
        ("uv run pytest tests/a.py", "tests"),
        ("CI=1 npm test", "tests"),
        ("npm run test:unit", "tests"),
        ("npm run lint", "lint"),
        ("ruff check .", "lint"),
        ("ruff format", "code"),
        ("cargo clippy -- -D warnings", "lint"),
        ("npx tsc --noEmit", "types"),
        ("go vet ./...", "types"),
        ("npm run build", "build"),
        ("npm test && echo ok", "code"),
        ("pytest | tail", "code"),
        ("pytest-xdist", "name"),
        ("src/a.py", "path"),
        ("Dockerfile", "path"),
        ("foo_bar()", "name"),
        ("@scope/name", "name"),
        ("a = b", "code"),
        ("all tests pass", "code"),
    ],
)
def test_code_is_known_by_what_it_is(code, kind):
    assert marked(f"I ran `{code}` now.") == [f"i ran <{kind}:0> now."]


def test_longer_runs_of_backticks_hold_shorter_ones():
    assert marked("Use ``a `b` c`` and `d` now.") == ["use <code:0> and <name:1> now."]
    assert marked("A lone ` stays.") == ["a lone ` stays."]


def test_a_sentence_is_shown_as_it_was_said():
    sentence = sentences_of("The **hook** prints `all “good” tests` from src/a.py.")[0]
    assert sentence.text == "The hook prints `all “good” tests` from src/a.py."
    assert sentence.spans == ("all “good” tests", "src/a.py")


def test_marks_cannot_be_forged():
    assert marked("It is <tests:0> and < tests:1 > and \ue000tests:0\ue001 here.") == [
        "it is and tests:1 and tests:0 here."
    ]


def test_what_is_not_examined_still_counts():
    message = "All is well.\n\n| all | tests |\n\n> All tests pass.\n\nAlle Tests sind grün.\n\n- [ ] tests"
    assert asides(message) == [None, "table", "quotation", "other language", "plan"]


def test_long_sentences_and_distant_ones_are_not_examined():
    assert asides("a " * 400) == ["too long"]
    message = "Far away. " * 3 + "\n\n" + "filler words here.\n\n" * 1200 + "Near."
    assert asides(message)[0] == "far from the end"
    assert asides(message)[-1] is None


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("The tests pass.", None),
        ("pytest: 12 passed", None),
        ("Done.", None),
        ("Toutes les vérifications sont terminées.", "other language"),
        ("Los tests pasan con la nueva versión.", "other language"),
        ("Все тесты проходят.", "other language"),
        ("Δοκιμές", "other language"),
        ("すべて合格", "other language"),
        ("The naïve café test passes.", None),
    ],
)
def test_other_languages_are_left_alone(text, aside):
    assert asides(text) == [aside]


@given(st.text(alphabet="aB1 .`'\"<>*_/[]()|\n~!?✅\ue000", max_size=300))
def test_any_text_can_be_split(message):
    for sentence in sentences_of(message):
        assert len(sentence.text) <= 600
        assert (sentence.marked == "") == (sentence.aside is not None)
