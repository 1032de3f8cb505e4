"""Faults in added lines of Go, Rust and JavaScript, tried by a test command of the user's own."""

import attrs
import pytest

from tests.harness.go_shop import SHOP
from tests.harness.mutation import added, counts, mutated, ran, run_both
from tests.harness.tool_runs import laid_out, project_in, tree
from verify_lsp.checks import trial_time
from verify_lsp.checks.base import CheckContext, ProjectOf
from verify_lsp.model.change import Change
from verify_lsp.model.outcome import Skipped
from verify_lsp.settings.settings import Settings
from verify_lsp.system.environment import child_environment
from verify_lsp.system.process import run_command
from verify_lsp.toolchains.go.toolchain import TOOLCHAIN as GO
from verify_lsp.toolchains.node.toolchain import TOOLCHAIN as NODE
from verify_lsp.toolchains.rust.toolchain import TOOLCHAIN as RUST

GO_FILES = {
    "go.mod": "module example.test/shop\n\ngo 1.21\n",
    "shop.go": SHOP,
    "shop_test.go": """\
package shop

import "testing"

func TestPrices(t *testing.T) {
	if Price(200, true) != 190 || Price(200, false) != 200 {
		t.Fatal("prices")
	}
}
""",
    "Makefile": "test:\n\tgo vet ./...\n\tgo test ./...\n\tdate > written.txt\n",
}
RUST_FILES = {
    "Cargo.toml": '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    "Cargo.lock": 'version = 4\n\n[[package]]\nname = "shop"\nversion = "0.1.0"\n',
    "src/lib.rs": """\
pub fn price(amount: i32, member: bool) -> i32 {
    if amount >= 100 && member {
        return amount - 10;
    }
    amount
}

pub fn unused(amount: i32) -> bool {
    amount > 1
}
""",
    "src/main.rs": """\
fn main() {
    if shop::price(200, true) != 190 || shop::price(200, false) != 200 {
        std::process::exit(1);
    }
}
""",
    # Says nothing of any test, starts a program by where cargo puts it, and writes beside it.
    "run-tests.sh": "set -e\ncargo build -q\n./target/debug/shop\ndate > written.txt\n",
}
NODE_FILES = {
    "package.json": '{"name": "shop", "scripts": {"test": "node --test && node whole.js"}}',
    "shop.js": """\
exports.price = function (amount, member) {
  if (amount >= 100 && member) {
    return amount - 10;
  }
  return amount;
};
exports.unused = function (amount) {
  return amount > 1;
};
""",
    "whole.js": """\
const { price } = require("./shop.js");
require("fs").writeFileSync("written.txt", "");
if (price(200, true) !== 190 || price(200, false) !== 200) process.exit(1);
""",
    "run-tests.sh": "node whole.js",
}
PROJECTS = {
    "go": (GO, GO_FILES, "shop.go", "make test", 4),
    "rust": (RUST, RUST_FILES, "src/lib.rs", "sh run-tests.sh", 2),
    "node": (NODE, NODE_FILES, "shop.js", "sh run-tests.sh", 2),
}


def prepared(folder, language, line=None, *, more=None, changed=None, **settings):
    """Lay a small project out, a file of which is new, and return what its checks are given."""
    toolchain, files, own, command, _ = PROJECTS[language]
    files = {**files, **(more or {})}
    path = changed or own
    project = project_in(laid_out(folder / "project", files), path, cache=folder / "cache")
    variables = child_environment(offline=True)

    async def run(command, place):
        return await run_command(command, place, environment=variables)

    held = Settings(**{"timeout_secs": 120, "test_command": line or command, **settings})
    change = Change((added(path, files[path]),))
    return CheckContext(project.workspace, project.place, change, (ProjectOf(toolchain, project),), held, run)


@pytest.mark.parametrize("language", PROJECTS)
def test_the_command_is_run_once_a_mutant_that_it_reaches_and_the_tree_stays_as_it_is(tmp_path, language):
    context = prepared(tmp_path, language)
    before = tree(context.workspace)
    outcome = mutated(context)

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}
    line = PROJECTS[language][4]
    (missed,) = [each for each in ran(outcome).mutants if each.status == "survived"]
    assert (missed.line, missed.original) == (line, ">=")
    assert ran(outcome).command == PROJECTS[language][3]
    assert tree(context.workspace) == before


@pytest.mark.parametrize("language", PROJECTS)
def test_a_command_that_fails_by_itself_gives_no_score(tmp_path, language):
    context = prepared(tmp_path, language, "echo 2 wrong; exit 3")
    _, after_tests = run_both(context)
    alone = mutated(context)

    assert isinstance(after_tests, Skipped)
    assert after_tests.reason.startswith("the tests fail without any mutant")
    assert isinstance(alone, Skipped)
    assert "with none of them on: the test command (exit 3) fails" in alone.reason


@pytest.mark.parametrize("language", PROJECTS)
def test_a_command_that_never_runs_the_changed_file_gives_no_score(tmp_path, language):
    outcome = mutated(prepared(tmp_path, language, "echo ok"))

    assert isinstance(outcome, Skipped)
    assert outcome.reason.startswith("mutants do not reach the tests")


@pytest.mark.parametrize(("language", "code"), [("go", 1), ("rust", 127), ("node", 1)])
def test_a_command_that_only_breaks_beside_mutants_kills_nothing(tmp_path, language, code):
    line = f'if [ -n "$VERIFY_LSP_MUTANT" ]; then exit {code}; fi; ' + PROJECTS[language][3]
    outcome = ran(mutated(prepared(tmp_path, language, line)))

    assert outcome.metrics["killed"] == 0
    assert outcome.metrics["error"] == 3
    assert outcome.metrics["score"] is None


@pytest.mark.parametrize("language", PROJECTS)
def test_what_a_tool_kept_of_an_earlier_run_is_no_survivor(tmp_path, language):
    # The first run passes, and its answer is given ever after.
    line = f"test -e kept || {{ {PROJECTS[language][3]} && touch kept; }}"
    outcome = ran(mutated(prepared(tmp_path, language, line)))

    assert outcome.metrics["error"] == 3
    assert "kept from an earlier run" in outcome.mutants[0].reason


def test_go_does_not_answer_from_its_cache_where_the_command_sets_its_flags_itself(tmp_path):
    line = "GOFLAGS=-mod=mod go test ./... > /dev/null"
    assert counts(mutated(prepared(tmp_path, "go", line)))["killed"] == 2


def test_what_tools_keep_and_build_beside_packages_stays_in_the_copy(tmp_path):
    line = "echo > target/more; echo > node_modules/.cache/more; echo > node_modules/.more; node whole.js"
    kept = {"target/built": "", "node_modules/.cache/kept": "", "node_modules/some/package.json": "{}"}
    context = prepared(tmp_path, "node", "mkdir -p target node_modules/.cache; " + line, more=kept)
    before = tree(context.workspace)

    assert counts(mutated(context))["killed"] == 2
    assert tree(context.workspace) == before


def test_a_failing_test_that_the_output_names_is_noticed_whatever_the_exit_code(tmp_path):
    assert counts(mutated(prepared(tmp_path, "go", "go test ./... | tee log")))["killed"] == 2


def test_a_program_that_ends_with_success_before_its_tests_is_no_kill(tmp_path):
    text = RUST_FILES["src/lib.rs"].replace(
        "    amount\n}", "    if amount == 7 {\n        std::process::exit(0);\n    }\n    amount\n}"
    )
    more = {"src/lib.rs": text, "tests/it.rs": "#[test]\nfn it() {\n    assert_eq!(shop::price(8, true), 8);\n}\n"}
    outcome = ran(mutated(prepared(tmp_path, "rust", "cargo test --tests", more=more)))

    assert [each.status for each in outcome.mutants if each.original == "=="] == ["error"]


def test_programs_without_our_variables_give_no_score(tmp_path):
    for language, line in (
        ("go", 'env -i PATH="$PATH" HOME="$HOME" go test ./...'),
        ("node", 'env -i PATH="$PATH" node whole.js'),
    ):
        outcome = ran(mutated(prepared(tmp_path / language, language, line)))
        assert outcome.metrics["score"] is None
        assert outcome.metrics["error"] == 4


def test_programs_without_our_variables_give_no_score_either_where_no_time_is_left(tmp_path):
    # Less than what a run is given at the least, so that none is made to see whether the file matters at all.
    context = prepared(tmp_path, "node", 'env -i PATH="$PATH" node whole.js', timeout_secs=9)
    outcome = ran(mutated(context))

    assert outcome.metrics["score"] is None
    assert outcome.metrics["error"] == 4


def test_lines_that_named_tests_do_not_run_count_as_not_run(tmp_path):
    more = {"tests/it.rs": "#[test]\nfn it() {}\n"}
    assert counts(mutated(prepared(tmp_path, "rust", "cargo test --tests", more=more)))["no_coverage"] == 4


def test_a_linter_in_the_command_kills_nothing(tmp_path):
    # It complains of every text that is not the original's.
    for number, tests in enumerate(("go test ./...", "go test ./... > /dev/null")):
        line = f"cmp -s shop.go.sum shop.go && {tests}"
        context = prepared(tmp_path / str(number), "go", line, more={"shop.go.sum": GO_FILES["shop.go"]})
        outcome = ran(mutated(context))

        assert outcome.metrics["killed"] == 0
        assert outcome.metrics["error"] == 4
        assert outcome.metrics["score"] is None


def test_where_kills_could_not_be_told_from_complaints_survivors_are_not_told_either(tmp_path):
    # It complains of switches, and of some faults.
    line = "! grep -q 'zzVerifyLsp\\|amount + 10' shop.go && go test ./... > /dev/null"
    outcome = ran(mutated(prepared(tmp_path, "go", line)))

    assert outcome.metrics["error"] == 4
    assert outcome.metrics["score"] is None


def test_what_does_not_compile_is_invalid_and_spoils_nothing_for_others(tmp_path):
    text = (
        GO_FILES["shop.go"]
        + "\ntype T string\n\nfunc Joined(parts []T) T {\n\ta := parts[0]\n\treturn a + parts[1]\n}\n"
    )
    outcome = mutated(prepared(tmp_path, "go", more={"shop.go": text}))

    assert counts(outcome)["killed"] == 2
    assert counts(outcome)["invalid"] == 1


def test_what_does_not_compile_anyway_and_is_not_run_is_no_hindrance(tmp_path):
    broken = 'package other\n\nimport (\n\t"testing"\n\n\t"example.test/shop"\n)\n\nfunc TestIt(t *testing.T) { shop.Gone() }\n'
    outcome = mutated(prepared(tmp_path, "go", "go test . > /dev/null", more={"other/other_test.go": broken}))

    assert counts(outcome) == {"mutants": 4, "killed": 2, "survived": 1, "no_coverage": 1, "score": 0.5}


def test_a_mutant_that_the_command_does_not_end_with_is_no_kill(tmp_path, monkeypatch):
    monkeypatch.setattr(trial_time, "TRIAL_FACTOR", 1.0)
    monkeypatch.setattr(trial_time, "TRIAL_LEAST_S", 1.5)
    text = "exports.more = function (n) {\n  if (n > 1) {\n    for (;;);\n  }\n};\n"
    files = {"shop.js": text, "whole.js": 'require("./shop.js").more(1);\n'}
    outcome = mutated(prepared(tmp_path, "node", more=files))

    assert counts(outcome)["timeout"] == 1
    assert "killed" not in counts(outcome)


def test_what_the_time_did_not_reach_for_is_said(tmp_path):
    line = "sleep 1; node whole.js"
    outcome = ran(mutated(prepared(tmp_path, "node", line, timeout_secs=4)))

    assert any("the time limit left no room for" in gap for gap in outcome.unverified)


def test_a_build_before_the_tests_is_made_of_the_texts_with_mutants(tmp_path):
    files = {"run-tests.sh": "node out/whole.js", "build.sh": "rm -rf out; mkdir out; cp shop.js whole.js out"}
    context = prepared(tmp_path, "node", more=files, pre_test_command="sh build.sh")

    assert counts(mutated(context))["killed"] == 2
    assert not (context.workspace / "out").exists()


def test_a_build_before_the_tests_that_fails_gives_no_score(tmp_path):
    outcome = mutated(prepared(tmp_path, "node", pre_test_command="test ! -e shop.js"))

    assert isinstance(outcome, Skipped)
    assert "cannot be built" in outcome.reason


@pytest.mark.parametrize(
    ("language", "line", "shown"),
    [
        ("go", "go test ./...", "go test ."),
        ("rust", "cargo test", "cargo test --workspace"),
        ("node", "npm run unit", "node --test"),
    ],
)
def test_a_line_that_is_just_the_projects_own_suite_is_tried_by_single_tests(tmp_path, language, line, shown):
    more = {
        "package.json": '{"name": "shop", "scripts": {"unit": "node --test"}}',
        "shop.test.js": 'const test = require("node:test");\nconst assert = require("node:assert");\n'
        'const { price } = require("./shop.js");\ntest("it", () => assert.equal(price(200, true), 190));\n',
        "tests/shop.rs": "#[test]\nfn it() {\n    assert_eq!(shop::price(200, true), 190);\n}\n",
    }
    outcome = ran(mutated(prepared(tmp_path, language, line, more=more)))

    assert outcome.command.startswith(shown)
    assert outcome.metrics["killed"] > 0
    assert (
        any(each.killed_by and "it" in each.killed_by.lower() for each in outcome.mutants if each.status == "killed")
        or language == "go"
    )


def test_the_projects_own_script_is_its_own_suite_whatever_else_it_does(tmp_path):
    more = {
        "package.json": '{"name": "shop", "scripts": {"test": "node lint.js && NODE_OPTIONS=--no-warnings node --test"}}',
        "lint.js": 'if (!require("fs").readFileSync("shop.js", "utf8").startsWith("exports")) process.exit(1);\n',
        "shop.test.js": 'require("node:test").test("it", () => require("./whole.js"));\n',
    }
    assert counts(mutated(prepared(tmp_path, "node", "npm test", more=more)))["killed"] == 2


def test_a_module_below_the_workspace_is_tried_by_the_command_of_the_workspace(tmp_path):
    context = prepared(tmp_path, "go")
    folder = laid_out(tmp_path / "whole", {f"in/{name}": text for name, text in GO_FILES.items()})
    laid_out(folder, {"Makefile": "test:\n\t$(MAKE) -C in test\n"})
    owner = context.projects[0]
    project = attrs.evolve(owner.project, place=folder, workspace=folder, root="in")
    context = attrs.evolve(
        context,
        workspace=folder,
        place=folder,
        projects=(ProjectOf(GO, project),),
        change=Change((added("in/shop.go", GO_FILES["shop.go"]),)),
    )

    assert counts(mutated(context))["killed"] == 2
