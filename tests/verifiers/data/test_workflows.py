import pytest

from tests.harness.verified_texts import judged, said

NAME = ".github/workflows/ci.yml"
RIGHT = """\
name: ci
on: push
jobs:
  build:
    runs-on: ${{ matrix.os }}
    steps:
      - uses: actions/checkout@v4
      - name: x
        run: |
          echo "${{ github.ref }}" }}
      - &again
        run: echo ${HOME} $((1))
      - *again
  called:
    uses: ./.github/workflows/other.yml
    with: {a: "${{ inputs.a }}"}
"""


def test_a_workflow_is_right_and_its_on_is_never_flagged():
    assert judged(NAME, RIGHT).problems == ()
    assert judged(NAME, RIGHT.replace("\n", "\r\n")).problems == ()
    assert judged("a/.github/workflows/x.yaml", RIGHT).problems == ()


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("on: push\n", "", ("workflow.missing", 1, 1)),
        ("jobs:", "job:", ("workflow.missing", 1, 1)),
        ("    runs-on: ${{ matrix.os }}\n", "", ("workflow.runs-on", 4, 3)),
        ("      - name: x\n        run: |", "      - name: x\n        with: |", ("workflow.step", 8, 9)),
        ("- uses: actions", "- run: x\n        uses: actions", ("workflow.step", 7, 9)),
        ("${{ matrix.os }}", "${{ matrix.os }", ("workflow.expression", 5, 14)),
        ('"${{ github.ref }}" }}', '"${{ github.ref }"', ("workflow.expression", 10, 17)),
        ("uses: ./.github", "steps: []\n    uses: ./.github", ("workflow.job", 15, 12)),
        ("- uses: actions/checkout@v4", "- actions/checkout@v4", ("workflow.step", 7, 9)),
        ("name: ci", "name: c: i", ("yaml.colon", 1, 8)),
        ("  called:\n", "  called:\n\t", ("yaml.tab", 15, 1)),
    ],
)
def test_each_certain_mistake_is_named_at_its_place(old, new, found):
    assert old in RIGHT

    assert said(NAME, RIGHT.replace(old, new, 1)) == [found]


def test_an_empty_workflow_and_a_list_are_errors():
    assert said(NAME, "# soon\n") == [("workflow.empty", 1, 1)]
    assert said(NAME, "- on: push\n") == [("workflow.empty", 1, 1)]


def test_what_a_merge_may_bring_is_not_missed():
    text = "x: &x {on: push}\n<<: *x\njobs: {}\n"

    assert said(NAME, text) == []


def test_elsewhere_the_same_text_is_only_yaml():
    assert judged("config/ci.yml", "jobs: {a: {steps: [{name: x}]}}\n").problems == ()


def test_a_workflow_that_only_newer_readers_take_is_not_called_right():
    verdict = judged(NAME, RIGHT + "? x\n: {y: :z}\n")

    assert [problem.rule for problem in verdict.problems] == ["yaml.version"]
    assert "not looked at" in (verdict.skipped or "")
