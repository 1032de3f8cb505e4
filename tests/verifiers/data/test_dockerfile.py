import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.harness.verified_texts import is_right, judged, said

RIGHT = """\
# syntax=docker/dockerfile:1
ARG VERSION=1
FROM --platform=linux/amd64 python:${VERSION} AS build
RUN --mount=type=cache,target=/x apt-get update \\
    # a comment between
    && echo "<<EOF" $((1<<N)) <<< x

RUN <<EOF
NOT AN INSTRUCTION
EOF
COPY <<-"ONE" <<TWO /dst/
\tone
\tONE
two
TWO
from scratch
copy --from=build /a /b
CMD ["a", "b"]
CMD []
ENTRYPOINT exec a
ENV A=1 B=2
ENV C d e
HEALTHCHECK NONE
ONBUILD RUN x
SHELL ["cmd", "/c"]
WORKDIR /a b
"""


@pytest.mark.parametrize("name", ["Dockerfile", "Containerfile", "Dockerfile.dev", "api.dockerfile", "dockerfile"])
def test_what_a_builder_takes_is_right(name):
    assert judged(name, RIGHT).problems == ()
    assert judged(name, RIGHT.replace("\n", "\r\n")).problems == ()
    assert judged(name, f"\ufeff{RIGHT}").problems == ()


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("FROM x\nRNU y\n", "dockerfile.instruction", 2),
        ("FROM x\n  apt-get update\n", "dockerfile.instruction", 2),
        ("RUN x\n", "dockerfile.from-first", 1),
        ("", "dockerfile.empty", 1),
        ("# only this\n", "dockerfile.empty", 1),
        ("FROM x\nRUN <<EOF\na\n", "dockerfile.heredoc", 2),
        ("FROM x y\n", "dockerfile.arguments", 1),
        ("FROM\n", "dockerfile.arguments", 1),
        ("FROM x\nCOPY a\n", "dockerfile.arguments", 2),
        ("FROM x\nENV A\n", "dockerfile.arguments", 2),
        ("FROM x\nRUN\n", "dockerfile.arguments", 2),
        ("FROM x\nSHELL ['a']\n", "dockerfile.exec-form", 2),
    ],
)
def test_what_every_builder_refuses_is_an_error_on_its_line(text, rule, line):
    (problem,) = judged("Dockerfile", text).problems

    assert (problem.rule, problem.line, problem.severity) == (rule, line, "high")


def test_a_misspelt_instruction_is_told_the_right_one():
    (problem,) = judged("Dockerfile", "FROM x\nENTRYPIONT y\n").problems

    assert "ENTRYPOINT" in (problem.suggestion or "")


def test_a_list_that_is_no_json_is_a_warning_as_a_shell_takes_it():
    (problem,) = judged("Dockerfile", "FROM x\nCMD ['a', 'b']\n").problems

    assert (problem.rule, problem.severity, problem.line) == ("dockerfile.exec-form", "medium", 2)


def test_the_escape_directive_says_what_continues_a_line():
    assert is_right("Dockerfile", "# escape=`\nFROM x\nCOPY a c:\\\nRUN y `\n  z\n")
    assert said("Dockerfile", "FROM x\nCOPY a c:\\\nRUN y `\n  z\n") == [("dockerfile.instruction", 4, 3)]


def test_a_part_of_a_dockerfile_is_skipped_but_for_its_own_mistakes():
    assert "no FROM" in (judged("Dockerfile.install", "ADD . /app\n").skipped or "")
    assert said("Dockerfile.install", "ADD . /app\nRNU x\n") == [("dockerfile.instruction", 2, 1)]
    assert said("a.dockerfile", "ADD . /app\n") == [("dockerfile.from-first", 1, 1)]


def test_other_builders_and_templates_are_skipped():
    assert "builder" in (judged("Dockerfile", "# syntax=example/other:1\nANYTHING\n").skipped or "")
    assert "no Dockerfile" in (judged("dockerfile.vim", '" Vim syntax file\n').skipped or "")
    assert "template" in (judged("Dockerfile.j2", "{{ x }}\n").skipped or "")
    assert "template" in (judged("Dockerfile", "{% if a %}\nFROM x\n{% endif %}\n").skipped or "")


@given(st.text(alphabet="FROMRUN<E\\ \n\t#=[]'\"a`\ufeff", max_size=60))
def test_no_text_is_worse_than_a_problem_in_its_bounds(text):
    for problem in judged("Dockerfile", text).problems:
        assert 1 <= problem.line <= text.count("\n") + 1
