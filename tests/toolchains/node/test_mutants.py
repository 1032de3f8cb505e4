import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.harness.node_projects import NODE_MODULES, node_project, step_of
from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.model.command import Command, CommandResult
from verify_lsp.toolchains.node.manifest import Package
from verify_lsp.toolchains.node.testing import mutants
from verify_lsp.toolchains.node.testing.mutants import reached_by
from verify_lsp.toolchains.node.testing.runners import find_invocation, plan_for
from verify_lsp.toolchains.node.testing.substitute import find_part
from verify_lsp.toolchains.node.testing.switch import PRELUDE
from verify_lsp.toolchains.node.testing.together import Driver, read_together, together
from verify_lsp.toolchains.node.testing.trials import trial_argv

ASKS = "console.log([1, 2, 3].filter((n) => __verifyLspOn(n)).join());"


def printed(argv, **variables):
    """Return what a command prints, which must succeed."""
    environment = {"PATH": os.environ["PATH"], **variables}
    done = subprocess.run(argv, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


# The switch.


@pytest.mark.parametrize("kind", ["module", "commonjs"])
@pytest.mark.parametrize(("on", "answer"), [("", ""), ("0", ""), ("2", "2")])
def test_the_switch_answers_for_the_one_mutant_that_the_environment_names(kind, on, answer):
    argv = ["node", f"--input-type={kind}", "-e", PRELUDE + "\n" + ASKS]
    assert printed(argv, VERIFY_LSP_MUTANT=on) == answer


def test_a_call_ahead_of_the_switch_finds_its_answer():
    argv = ["node", "--input-type=module", "-e", ASKS + "\n" + PRELUDE]
    assert printed(argv, VERIFY_LSP_MUTANT="3") == "3"


def test_where_there_is_no_process_no_mutant_is_on():
    text = f"require('vm').runInNewContext({json.dumps(PRELUDE + ASKS)}, {{ console }});"
    assert printed(["node", "-e", text], VERIFY_LSP_MUTANT="3") == ""


def test_the_switch_is_one_line():
    assert "\n" not in PRELUDE


def test_the_strictest_compiler_takes_the_switch(tmp_path):
    text = f"{PRELUDE}\nexport const f = (a: number): number => (__verifyLspOn(3) ? a - 1 : a + 1);\n"
    laid_out(tmp_path, {"package.json": '{"type": "module"}', "a.ts": text})
    strict = ("--strict", "--noUnusedLocals", "--noUnusedParameters", "--noImplicitReturns", "--isolatedDeclarations")
    more = ("--declaration", "--noUncheckedIndexedAccess", "--erasableSyntaxOnly", "--verbatimModuleSyntax")
    tsc = str(NODE_MODULES / "typescript/bin/tsc")
    place = ("--noEmit", "--module", "nodenext", "--target", "es2022", str(tmp_path / "a.ts"))
    assert printed(["node", tsc, *strict, *more, *place]) == ""


# What is typed.


def words(script, files=(), version=None):
    invocation = find_invocation(tuple(script.split()))
    plan = plan_for(invocation, version)
    argv = trial_argv(invocation, plan, version, "/private")
    usual = tuple(word for word in plan.argv if word != "--includeTaskLocation")
    return [" ".join(each[len(usual) :] if each[: len(usual)] == usual else each) for each in argv.of(files)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("vitest run", ["--typecheck.enabled=false --bail=1 /a.ts /b.ts"]),
        ("jest", ["--cacheDirectory=/private/jest --runTestsByPath /a.ts /b.ts"]),
        ("mocha", ["--bail"]),
        ("node --test", ["/a.ts /b.ts"]),
    ],
)
def test_only_the_named_files_run_and_to_the_first_failure_where_that_leaves_a_report(script, expected):
    assert words(script, ("/a.ts", "/b.ts")) == expected


@pytest.mark.parametrize("script", ["vitest run src", "jest src"])
def test_names_are_not_added_to_a_pattern_that_they_would_widen(script):
    assert not any("/a.ts" in line for line in words(script, ("/a.ts",)))


@pytest.mark.parametrize(
    ("version", "known"),
    [
        ((0, 34, 6), ()),
        ((1, 6, 1), ("--coverage",)),
        ((2, 1, 9), ("--coverage",)),
        ((3, 0, 0), ("--coverage", "--includeTask")),
    ],
)
def test_vitest_is_given_no_option_that_its_version_does_not_know(version, known):
    argv = plan_for(find_invocation(("vitest",)), version).argv
    newer = [word for word in argv if word.startswith(("--coverage", "--includeTask"))]
    assert [word.startswith(option) for word, option in zip(newer, known, strict=True)] == [True] * len(known)


def test_patterns_of_node_give_way_to_names():
    (line,) = words("node --import tsx --test test/one.js test/two.js", ("/a.ts",))
    assert line.endswith("--import tsx --test /a.ts")


def test_many_files_of_node_are_run_a_few_at_a_time():
    names = tuple(f"/{number}.js" for number in range(6))
    assert words("node --test", names) == ["/0.js /1.js /2.js /3.js", "/4.js /5.js"]


def test_where_tests_stand_is_not_asked_with_every_mutant():
    invocation = find_invocation(("vitest",))
    plan = plan_for(invocation, (3, 0, 0))
    assert "--includeTaskLocation" in plan.argv
    assert "--includeTaskLocation" not in trial_argv(invocation, plan, (3, 0, 0), "/private").whole


def test_types_are_not_checked_with_every_mutant():
    (line,) = words("vitest run --typecheck", ("/a.ts",))
    assert "--typecheck " not in line


# A longer script.


def part(tmp_path, **scripts):
    return find_part(Package(tmp_path, {"scripts": scripts}), "test")


def test_of_a_longer_script_the_tests_run_and_what_builds_ahead_of_them(tmp_path):
    found = part(tmp_path, test="eslint . && npm run build && node --test test", build="tsc")
    assert (found.invocation.runner, found.ahead) == ("node:test", ("npm run build",))


def test_a_check_of_types_builds_nothing(tmp_path):
    assert part(tmp_path, test="tsc --noEmit && vitest run").ahead == ()


@pytest.mark.parametrize("line", ["vitest run", "vitest run && jest", "eslint . && tsc"])
def test_a_script_without_one_plain_step_of_tests_stays_whole(tmp_path, line):
    assert part(tmp_path, test=line) is None


# Who reaches what.


def log(*notes):
    return "".join(json.dumps(note) + "\n" for note in notes)


def test_each_mutant_is_reached_by_the_files_that_say_so(tmp_path):
    told = log([0, f"{tmp_path}/a.js", "1"], [1, f"{tmp_path}/a.js", "1"], [1, f"{tmp_path}/b.js", "2"])
    assert reached_by(told, tmp_path) == {1: ("a.js", "b.js")}


@pytest.mark.parametrize(
    "notes",
    [
        ([1, "", "1"],),
        ([1, "/elsewhere/a.js", "1"],),
        ([1, "{}/a.js", "1"], [2, "{}/b.js", "1"]),
    ],
)
def test_where_it_is_not_known_which_file_reaches_a_mutant_all_do(tmp_path, notes):
    told = log(*([number, name.format(tmp_path), world] for number, name, world in notes))
    assert reached_by(told, tmp_path)[1] == ()


@pytest.mark.parametrize("line", ["", "{", "[]", '["1", "a", "b"]', "null"])
def test_a_line_that_was_cut_is_left_out(tmp_path, line):
    assert reached_by(line + "\n" + log([3, "", "1"]), tmp_path) == {3: ()}


# Many in one process.


def told(*lines):
    return CommandResult(exit_code=0, files={"tried.ndjson": "".join(json.dumps(line) + "\n" for line in lines)})


def test_the_driver_is_told_the_runner_its_words_and_what_to_try(tmp_path):
    driver = Driver("vitest_mutants.mjs", tmp_path / "vitest/package.json", ("run",))
    command = together(driver, Command(("vitest",)), ((3, ("a.js",)),), tmp_path, tmp_path / "private")
    order = json.loads(command.support["order.json"])
    assert command.argv[:2] == ("node", f"{tmp_path}/private/vitest_mutants.mjs")
    assert order["tries"] == [[3, [f"{tmp_path}/a.js"]]]


def test_what_the_driver_left_is_read_also_when_it_was_ended(tmp_path):
    files = [f"{tmp_path}/a.js"]
    failure = {"path": files[0], "titles": ["price", "members"], "message": "no"}
    result = told(
        {"number": 1, "files": files, "passed": 2, "failures": []},
        {"number": 2, "files": files, "passed": 1, "failures": [failure]},
        {"number": 3, "files": files, "timedOut": True},
        {"number": 4, "files": files, "passed": 2, "failures": [], "errors": ["nobody listens"]},
        {"number": 5, "files": files, "passed": 0, "failures": []},
    )
    runs = read_together(result, tmp_path)
    verdicts = {number: run and run.verdict for (number, _), run in runs.items()}
    assert verdicts == {1: "passed", 2: "failed", 3: None, 4: "unusable", 5: "none-ran"}
    assert runs[2, ("a.js",)].failures()[0].id == "a.js > price > members"


def test_several_runs_without_a_mutant_hold_only_together(tmp_path):
    lines = [
        {"number": 0, "files": [], "passed": 1, "failures": failures} for failures in ([], [{"titles": ["t"]}], [])
    ]
    assert read_together(told(*lines), tmp_path)[0, ()].verdict == "failed"


# Links into the user's tree.


def test_what_tools_write_into_node_modules_stays_in_the_copy(tmp_path):
    home = laid_out(
        tmp_path / "home",
        {
            "node_modules/dep/package.json": "{}",
            "node_modules/.vite/results.json": "{}",
            "node_modules/.bin/tool": "",
            "packages/a/package.json": '{"name": "@mine/a"}',
            "packages/b/package.json": '{"name": "b"}',
            "packages/b/dist/b.js": "",
        },
    )
    (home / "node_modules/@mine").mkdir()
    (home / "node_modules/@mine/a").symlink_to("../../packages/a")
    (home / "node_modules/b").symlink_to("../packages/b")
    copy = laid_out(
        tmp_path / "copy",
        {"packages/a/package.json": '{"name": "@mine/a"}', "packages/b/package.json": '{"name": "b"}'},
    )
    (copy / "node_modules").symlink_to(home / "node_modules")
    program = str(Path(mutants.__file__).with_name("relink.cjs"))

    printed(["node", program, str(copy), str(home), "packages/a"])

    modules = copy / "node_modules"
    assert not modules.is_symlink()
    assert sorted(path.name for path in modules.iterdir()) == [".bin", "@mine", "b", "dep"]
    assert (modules / "@mine/a").resolve() == copy / "packages/a"
    assert (modules / "b").resolve() == home / "packages/b"  # what was built there is not in the copy
    assert (modules / "dep").resolve() == home / "node_modules/dep"


# Which program tries many.


def test_a_runner_that_another_program_sets_up_is_not_started_by_itself():
    wrapped = [find_invocation(tuple(script.split())).wrapped for script in ("react-scripts test", "jest", "jest test")]
    assert wrapped == [True, False, False]


def built_in_of(folder, script, **files):
    project = project_in(node_project(folder / "project", {**files}, scripts={"test": script}))
    return step_of(project).built_in(folder / "private")


@pytest.mark.parametrize(
    "script", ["vitest", "vitest run --config vitest.config.ts src", "jest --config jest.config.js"]
)
def test_a_runner_that_can_stay_tries_many_mutants(tmp_path, script):
    assert built_in_of(tmp_path, script).together is not None


@pytest.mark.parametrize(
    "script",
    [
        "mocha",
        "node --test",
        "node --experimental-vm-modules node_modules/jest/bin/jest.js",
        "vitest related src/a.ts",
        "vitest run | tee log",
    ],
)
def test_others_take_a_process_for_each_mutant(tmp_path, script):
    assert built_in_of(tmp_path, script).together is None
