import json
import os

import attrs
import pytest

from tests.harness.node_projects import NODE_MODULES, node_project, path_of
from tests.harness.tool_runs import laid_out, project_in, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import Absent, ProblemStep, Unreadable
from verify_lsp.toolchains.node.project_check import project_check
from verify_lsp.toolchains.node.tsc_output import read_tsc

# Checking the types of a browser would take most of the time.
QUICK = {"lib": ["es2020"], "types": [], "skipLibCheck": True, "strict": True}


def config(options=(), **more):
    return json.dumps({"compilerOptions": {**QUICK, **dict(options)}, **more})


STRICT = config(include=["src"])
WRONG = "const smile = '😀'; export const n: number = smile;\n"


def check(project):
    step = there(project_check(project, 60.0))
    assert isinstance(step, ProblemStep)
    result = run(step.command, project.place)
    return step.parse(result), step.unseen(result)


def absent(project):
    step = project_check(project, 60.0)
    assert isinstance(step, Absent)
    return step


def told(problems):
    assert not isinstance(problems, Unreadable), problems.reason
    return [(problem.path, problem.line, problem.column, problem.rule) for problem in problems]


def test_an_error_is_where_it_is_and_nothing_is_written(tmp_path):
    folder = node_project(tmp_path / "work", {"tsconfig.json": STRICT, "src/a.ts": WRONG, "src/b.ts": "export {};\n"})
    before = tree(folder)
    problems, unseen = check(project_in(folder, "src/a.ts", "src/b.ts"))
    assert told(problems) == [("src/a.ts", 1, 33, "TS2322")]
    assert problems[0].severity == "high"
    assert problems[0].message == "Type 'string' is not assignable to type 'number'."
    assert unseen == ()
    assert tree(folder) == before


def test_a_sound_project_has_no_problems_again_and_again(tmp_path):
    folder = node_project(tmp_path / "work", {"tsconfig.json": STRICT, "src/a.ts": "export const n: number = 1;\n"})
    project = project_in(folder, "src/a.ts")
    assert check(project) == ((), ())
    laid_out(folder, {"src/a.ts": WRONG})
    assert told(check(project)[0]) == [("src/a.ts", 1, 33, "TS2322")]
    assert told(check(project)[0]) == [("src/a.ts", 1, 33, "TS2322")]
    laid_out(folder, {"src/a.ts": "export const n: number = 2;\n"})
    assert check(project) == ((), ())


def test_a_changed_file_outside_of_the_configuration_is_unseen(tmp_path):
    files = {
        "tsconfig.json": STRICT,
        "src/a.ts": "export {};\n",
        "test/a.test.ts": WRONG,
        "src/App.vue": "<template/>\n",
    }
    folder = node_project(tmp_path / "work", {**files, "src/plain.js": ""})
    project = project_in(folder, "src/a.ts", "test/a.test.ts", "src/App.vue", "src/plain.js")
    assert check(project) == ((), ("test/a.test.ts", "src/App.vue"))


def test_syntax_errors_of_other_files_leave_the_types_unverified(tmp_path):
    files = {"tsconfig.json": STRICT, "src/a.ts": WRONG, "src/old.ts": "const = 1;\n"}
    folder = node_project(tmp_path / "work", files)
    problems, unseen = check(project_in(folder, "src/a.ts"))
    assert problems == Unreadable("tsc stopped at syntax errors in src/old.ts, and did not look at types", broke=False)
    assert unseen == ()
    problems, _ = check(project_in(folder, "src/a.ts", "src/old.ts"))
    assert {path for path, *_ in told(problems)} == {"src/old.ts"}


def test_a_message_keeps_its_further_lines(tmp_path):
    text = "interface A { x: { y: number } }\nexport const a: A = { x: { y: 'no' } };\nexport const f: () => number = () => 'no';\n"
    folder = node_project(
        tmp_path / "work",
        {
            "tsconfig.json": STRICT,
            "src/a.ts": "export const a: { f: () => number } = null! as { f: () => string };\n" + text,
        },
    )
    problems, _ = check(project_in(folder))
    assert not isinstance(problems, Unreadable)
    assert "\n  The types returned by 'f()' are incompatible" in problems[0].message
    assert {problem.line for problem in problems} == {1, 3, 4}


@pytest.mark.parametrize(
    "options",
    [
        {"composite": True},
        {"incremental": True},
        {"incremental": True, "tsBuildInfoFile": "./info.json"},
        {"composite": True, "outDir": "dist", "declaration": True},
        {"declaration": True, "emitDeclarationOnly": True, "outDir": "types"},
        {"noEmit": True, "allowImportingTsExtensions": True, "module": "esnext", "moduleResolution": "bundler"},
    ],
)
def test_no_option_of_a_project_makes_the_check_write(options, tmp_path):
    folder = node_project(tmp_path / "work", {"tsconfig.json": config(options, include=["src"]), "src/a.ts": WRONG})
    before = tree(folder)
    assert told(check(project_in(folder))[0]) == [("src/a.ts", 1, 33, "TS2322")]
    assert tree(folder) == before


def references(*paths, **more):
    return json.dumps({"references": [{"path": path} for path in paths], **more})


LINKED = {
    "tsconfig.json": "// a solution\n" + references("./core", "./app", files=[])[:-1] + ",}",
    "core/tsconfig.json": config({"composite": True, "outDir": "../dist/core"}),
    "core/a.ts": "export const a: number = 1;\nexport const loose = (x: number) => x;\n",
    "app/tsconfig.json": references("../core", compilerOptions={**QUICK, "composite": True, "outDir": "../dist/app"}),
    "app/b.ts": "import { a } from '../core/a';\nexport const s: string = a;\n",
}


def test_referenced_projects_are_read_from_their_sources(tmp_path):
    folder = node_project(tmp_path / "work", LINKED)
    before = tree(folder)
    problems, unseen = check(project_in(folder, "app/b.ts", "core/a.ts"))
    assert told(problems) == [("app/b.ts", 2, 14, "TS2322")]
    assert unseen == ()
    assert tree(folder) == before


def test_a_referenced_project_is_judged_by_its_own_options(tmp_path):
    core = config({"composite": True, "strict": False})
    folder = node_project(
        tmp_path / "work", {**LINKED, "core/tsconfig.json": core, "core/a.ts": "export const a = (x) => x;\n"}
    )
    assert told(check(project_in(folder))[0]) == [("app/b.ts", 2, 14, "TS2322")]


def test_a_solution_of_unlinked_projects_is_checked_whole(tmp_path):
    files = {
        "tsconfig.json": references("./tsconfig.app.json", "./tsconfig.node.json", files=[]),
        "tsconfig.app.json": config({"noEmit": True}, include=["src"]),
        "tsconfig.node.json": config({"noEmit": True}, files=["config.ts"]),
        "src/a.ts": WRONG,
        "config.ts": WRONG,
        "other.ts": "",
    }
    project = project_in(node_project(tmp_path / "work", files), "config.ts", "other.ts")
    problems, unseen = check(project)
    assert told(problems) == [("src/a.ts", 1, 33, "TS2322"), ("config.ts", 1, 33, "TS2322")]
    assert unseen == ("other.ts",)


def without_library(folder, files):
    """Lay out a project whose compiler is no library, as from TypeScript 7 on."""
    laid_out(folder, {"package.json": "{}", "node_modules/typescript/package.json": '{"version": "7.0.2"}', **files})
    (folder / "node_modules/.bin").mkdir()
    (folder / "node_modules/.bin/tsc").symlink_to(NODE_MODULES / ".bin" / "tsc")
    return folder


def test_a_compiler_that_is_no_library_checks_a_solution_one_by_one(tmp_path):
    files = {
        "tsconfig.json": references("./a.json", "./b.json", files=[]),
        "a.json": config({"composite": True}, include=["src"]),
        "b.json": config({"noEmit": True}, files=["b.ts"]),
        "src/a.ts": WRONG,
        "b.ts": WRONG,
        "other.ts": "",
    }
    folder = without_library(tmp_path / "work", files)
    before = tree(folder)
    problems, unseen = check(project_in(folder, "src/a.ts", "other.ts"))
    assert told(problems) == [("src/a.ts", 1, 33, "TS2322"), ("b.ts", 1, 33, "TS2322")]
    assert unseen == ("other.ts",)
    assert tree(folder) == before


def test_references_that_would_have_to_be_built_stay_unverified(tmp_path):
    step = absent(project_in(without_library(tmp_path / "work", LINKED)))
    assert not step.needless
    assert "only after a build" in step.reason


def test_the_nearest_configuration_of_a_changed_file_is_checked_too(tmp_path):
    files = {
        "tsconfig.json": STRICT,
        "src/a.ts": "export {};\n",
        "test/tsconfig.json": config(),
        "test/a.test.ts": WRONG,
    }
    problems, unseen = check(project_in(node_project(tmp_path / "work", files), "test/a.test.ts"))
    assert told(problems) == [("test/a.test.ts", 1, 33, "TS2322")]
    assert unseen == ()


def test_a_package_is_checked_by_the_configuration_above_it(tmp_path):
    files = {"tsconfig.json": config(), "packages/a/a.ts": WRONG, "types/b.ts": WRONG}
    problems, unseen = check(project_in(node_project(tmp_path / "work", files), "a.ts", root="packages/a"))
    assert told(problems) == [("a.ts", 1, 33, "TS2322"), ("../../types/b.ts", 1, 33, "TS2322")]
    assert unseen == ()


def test_plain_javascript_has_no_type_check(tmp_path):
    folder = node_project(tmp_path / "work", {"a.js": "", "jsconfig.json": "{}"})
    assert absent(project_in(folder)) == Absent("no tsconfig.json, and no jsconfig.json with checkJs", needless=True)


def test_javascript_that_asks_for_checks_gets_them(tmp_path):
    checked = config({"checkJs": True}, exclude=["node_modules"])[:-1] + ", /* all */ }"
    folder = node_project(
        tmp_path / "work", {"jsconfig.json": checked, "a.js": "/** @type {number} */ export const n = 'x';\n"}
    )
    before = tree(folder)
    assert told(check(project_in(folder))[0]) == [("a.js", 1, 36, "TS2322")]
    assert tree(folder) == before


def test_a_configuration_that_cannot_be_read_is_no_pass(tmp_path):
    files = {"tsconfig.json": config(extends="./nope.json", include=["src"]), "src/a.ts": WRONG}
    problems, _ = check(project_in(node_project(tmp_path / "work", files)))
    assert isinstance(problems, Unreadable)
    assert problems.broke
    assert "TS5083" in problems.reason


def test_an_option_that_does_not_exist_is_no_pass(tmp_path):
    files = {"tsconfig.json": config({"strictt": True}, include=["src"]), "src/a.ts": "export {};\n"}
    problems, _ = check(project_in(node_project(tmp_path / "work", files)))
    assert isinstance(problems, Unreadable)
    assert "tsconfig.json: TS5025" in problems.reason


def test_a_configuration_without_files_is_no_pass(tmp_path):
    problems, _ = check(project_in(node_project(tmp_path / "work", {"tsconfig.json": '{"include": ["src"]}'})))
    assert isinstance(problems, Unreadable)
    assert not problems.broke
    assert "found no files to check" in problems.reason


def test_missing_type_packages_are_a_problem_without_a_file(tmp_path):
    wanted = config({"types": ["nope"]}, include=["src"])
    folder = node_project(tmp_path / "work", {"tsconfig.json": wanted, "src/a.ts": "export {};\n"})
    assert told(check(project_in(folder))[0]) == [("", 0, None, "TS2688")]


def test_a_compiler_that_is_not_installed_leaves_the_types_unverified(tmp_path):
    package = json.dumps({"devDependencies": {"typescript": "5"}})
    folder = laid_out(tmp_path / "work", {"package.json": package, "tsconfig.json": "{}"})
    assert absent(project_in(folder)) == Absent("dependencies are not installed (run npm install)", needless=False)
    (folder / "node_modules").mkdir()
    machine = path_of("node", folder=tmp_path / "bin")
    assert absent(project_in(folder, path=machine)) == Absent(
        "typescript is not installed (run npm install)", needless=False
    )


def test_deno_is_said_to_be_unchecked(tmp_path):
    assert not absent(project_in(laid_out(tmp_path / "work", {"deno.json": "{}"}))).needless


def test_a_copy_of_the_tree_does_not_disturb_what_is_kept_of_the_tree(tmp_path):
    folder = node_project(tmp_path / "work", {"tsconfig.json": STRICT, "src/a.ts": WRONG})
    own, copy = project_in(folder), project_in(folder, copy=True)
    infos = [there(project_check(project, 60.0)).command.argv[-1] for project in (own, copy)]
    assert len({os.path.dirname(info) for info in infos}) == 1  # noqa: PTH120  # plain strings
    assert len(set(infos)) == 2


# What the compiler prints.


@pytest.fixture
def project(tmp_path):
    return project_in(laid_out(tmp_path / "work", {"src/a.ts": "const s = '😀';\n", "app/(group)/page.tsx": "x\n"}))


def read(text, project, exit_code=2, **more):
    return read_tsc(CommandResult(exit_code, stdout=text, **more), project, "tsc")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("src/a.ts(1,14): error TS1: x", ("src/a.ts", 1, 13, "TS1")),
        ("app/(group)/page.tsx(1,2): error TS1: x", ("app/(group)/page.tsx", 1, 2, "TS1")),
        ("./src/../src/a.ts(1,2): error TS1: x", ("src/a.ts", 1, 2, "TS1")),
        ("src/a.ts(9,7): error TS1: beyond the end", ("src/a.ts", 9, 7, "TS1")),
        ("src/a.ts(1,2): warning TS1: x", ("src/a.ts", 1, 2, "TS1")),
        ("error TS2688: Cannot find x", ("", 0, None, "TS2688")),
        ("../../etc/passwd(1,1): error TS1: x", ("", 0, None, "TS1")),
    ],
)
def test_a_line_of_the_compiler_is_read(line, expected, project):
    assert told(read(f"noise\n{line}\r\nmore noise\n", project)) == [expected]


def test_absolute_paths_are_relative_to_the_project(project):
    line = f"{project.folder}/src/a.ts(1,2): error TS1: x\n"
    assert told(read(line, project)) == [("src/a.ts", 1, 2, "TS1")]
    inside = attrs.evolve(project, root="src")
    assert told(read(f"../app/x.ts(1,2): error TS1: x\n{line}", inside)) == [
        ("../app/x.ts", 1, 2, "TS1"),
        ("a.ts", 1, 2, "TS1"),
    ]


def test_a_path_outside_keeps_its_name_in_the_message(project):
    (problem,) = read("../../etc/passwd(1,1): error TS1: x\n", project)
    assert problem.message == "../../etc/passwd: x"


@pytest.mark.parametrize(
    "text", ["TypeError: Cannot read properties of undefined\n", "", "error: unknown\n", "src/a.ts(1,2): note TS1: x\n"]
)
def test_a_failure_without_a_problem_is_no_pass(text, project):
    found = read(text, project, exit_code=1)
    assert isinstance(found, Unreadable)
    assert found.broke


def test_a_list_that_was_cut_says_so(project):
    found = read("src/a.ts(1,2): error TS1: x\n", project, truncated=True)
    assert [problem.rule for problem in found] == ["TS1", "truncated"]
