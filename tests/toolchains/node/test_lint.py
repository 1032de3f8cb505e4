import json

import pytest

from tests.harness.node_projects import node_project
from tests.harness.tool_runs import laid_out, project_in, run, there, tree
from verify_lsp.model.command import CommandResult
from verify_lsp.toolchains.base import Absent, ProblemStep, Unreadable
from verify_lsp.toolchains.node.lint import lint

CONFIG = """console.log('noise on stdout');
module.exports = [
  { ignores: ['generated/**'] },
  { files: ['**/*.js'], rules: { 'no-unused-vars': 'error', 'no-var': 'warn' } },
];
"""


def look(project):
    step = there(lint(project, 60.0))
    assert isinstance(step, ProblemStep)
    assert not step.whole_project
    result = run(step.command, project.place)
    return step.parse(result), step.unseen(result)


def absent(project):
    step = lint(project, 60.0)
    assert isinstance(step, Absent)
    return step


def told(problems):
    assert not isinstance(problems, Unreadable), problems.reason
    return [(found.path, found.line, found.column, found.end_column, found.severity, found.rule) for found in problems]


def test_findings_of_eslint_are_where_they_are_and_nothing_is_written(tmp_path):
    files = {
        "eslint.config.js": CONFIG,
        "a.js": "var x = '😀'; const y = 1;\n",
        "b.js": "let = ;\n",
        "old.js": "var z;\n",
    }
    folder = node_project(tmp_path / "work", files)
    before = tree(folder)
    problems, unseen = look(project_in(folder, "a.js", "b.js"))
    assert told(problems) == [
        ("a.js", 1, 1, 13, "low", "no-var"),
        ("a.js", 1, 5, 6, "medium", "no-unused-vars"),
        ("a.js", 1, 20, 21, "medium", "no-unused-vars"),
        ("b.js", 1, 1, None, "high", "parsing-error"),
    ]
    assert problems[0].url == "https://eslint.org/docs/latest/rules/no-var"
    assert unseen == ()
    assert tree(folder) == before


def test_files_that_eslint_left_out_are_unseen(tmp_path):
    files = {"eslint.config.js": CONFIG, "a.js": "", "generated/g.js": "var g;\n", "t.ts": "let t: number;\n"}
    project = project_in(node_project(tmp_path / "work", files), "a.js", "generated/g.js", "t.ts")
    assert look(project) == ((), ("generated/g.js", "t.ts"))


def test_names_that_look_like_patterns_are_names(tmp_path):
    files = {"eslint.config.js": CONFIG, "app/[id]/p.js": "var z;\n", "-rf.js": "var z;\n"}
    problems, _ = look(project_in(node_project(tmp_path / "work", files), "app/[id]/p.js", "-rf.js"))
    assert {found.path for found in problems if found.rule == "no-var"} == {"app/[id]/p.js", "-rf.js"}


def test_a_package_is_linted_by_the_configuration_above_it(tmp_path):
    files = {"eslint.config.js": CONFIG, "packages/a/package.json": '{"scripts": {}}', "packages/a/a.js": "var z;\n"}
    problems, _ = look(project_in(node_project(tmp_path / "work", files), "a.js", root="packages/a"))
    assert [found.path for found in problems] == ["a.js", "a.js"]


def test_a_configuration_of_the_old_form_is_read_where_eslint_still_can(tmp_path):
    files = {
        ".eslintrc.json": '{"root": true, "rules": {"no-var": 2}, "ignorePatterns": ["g.js"]}',
        "a.js": "var z;\n",
        "g.js": "",
    }
    problems, unseen = look(project_in(node_project(tmp_path / "work", files), "a.js", "g.js"))
    assert [(found.rule, found.severity) for found in problems] == [("no-var", "medium")]
    assert unseen == ("g.js",)


def test_a_configuration_of_the_old_form_is_unverified_where_eslint_no_longer_can(tmp_path):
    files = {
        "package.json": '{"eslintConfig": {}}',
        "a.js": "",
        "node_modules/eslint/package.json": '{"version": "10.0.0"}',
    }
    folder = laid_out(tmp_path / "work", {**files, "node_modules/.bin/eslint": "#!/bin/sh\n"})
    (folder / "node_modules/.bin/eslint").chmod(0o755)
    assert not absent(project_in(folder, "a.js")).needless


@pytest.mark.parametrize(
    "config",
    ["module.exports = [{ rules: { 'nope/x': 2 } }];\n", "throw new Error('no');\n", "module.exports = [\n"],
)
def test_a_configuration_that_does_not_work_is_no_pass(config, tmp_path):
    files = {"eslint.config.js": config, "a.js": ""}
    problems, unseen = look(project_in(node_project(tmp_path / "work", files), "a.js"))
    assert isinstance(problems, Unreadable)
    assert problems.broke
    assert unseen == ()


@pytest.mark.parametrize("report", ["", "{", "[]", '{"results": 3}', "null"])
def test_a_report_that_is_none_is_no_pass(report, tmp_path):
    step = there(lint(project_in(node_project(tmp_path, {"eslint.config.js": CONFIG, "a.js": ""}), "a.js"), 60.0))
    assert isinstance(step, ProblemStep)
    assert isinstance(step.parse(CommandResult(0, files={"eslint.json": report})), Unreadable)


def test_a_report_cannot_name_files_outside_or_pages_that_are_none(tmp_path):
    step = there(lint(project_in(node_project(tmp_path, {"eslint.config.js": CONFIG, "a.js": ""}), "a.js"), 60.0))
    message = {"ruleId": "x", "severity": 2, "message": "\x1b[31mred\x07", "line": 1, "column": 1}
    files = [
        {"filePath": "/etc/passwd", "messages": [message]},
        {"filePath": str(tmp_path / "a.js"), "messages": [message]},
    ]
    meta = {"rulesMeta": {"x": {"docs": {"url": "command:evil"}}}}
    report = json.dumps({"results": files, "metadata": meta})
    (problem,) = step.parse(CommandResult(1, files={"eslint.json": report}))
    assert (problem.path, problem.message, problem.url) == ("a.js", "red", None)


def test_biome_lints_where_it_is_configured(tmp_path):
    files = {
        "biome.json": '{"linter": {"rules": {"suspicious": {"noDebugger": "error"}}}}',
        "a.js": "const s = '😀'; debugger;\nexport default s;\n",
        "b.ts": "let = ;\n",
        "old.js": "debugger;\n",
    }
    folder = node_project(tmp_path / "work", files)
    before = tree(folder)
    problems, _ = look(project_in(folder, "a.js", "b.ts"))
    found = told(problems)
    assert ("a.js", 1, 16, 25, "medium", "lint/suspicious/noDebugger") in found
    assert ("b.ts", "high", "parse") in {(path, severity, rule) for path, _, _, _, severity, rule in found}
    assert {path for path, *_ in found} == {"a.js", "b.ts"}
    page = next(problem.url for problem in problems if problem.rule == "lint/suspicious/noDebugger")
    assert page == "https://biomejs.dev/linter/rules/no-debugger"
    assert tree(folder) == before


def test_biome_without_findings_has_none(tmp_path):
    folder = node_project(tmp_path / "work", {"biome.jsonc": "{/* all */}", "a.js": "export default 1;\n"})
    assert look(project_in(folder, "a.js")) == ((), ())


def test_a_broken_configuration_of_biome_is_no_pass(tmp_path):
    folder = node_project(tmp_path / "work", {"biome.json": '{"linter": 3}', "a.js": "export default 1;\n"})
    problems, _ = look(project_in(folder, "a.js"))
    assert isinstance(problems, Unreadable)


def test_no_linter_is_needless(tmp_path):
    assert absent(project_in(node_project(tmp_path, {"a.js": ""}), "a.js")).needless


def test_deleted_files_alone_need_no_linter(tmp_path):
    assert absent(project_in(node_project(tmp_path, {"eslint.config.js": CONFIG}))).needless


def test_a_linter_that_is_not_installed_leaves_the_lint_unverified(tmp_path):
    package = {"package.json": '{"devDependencies": {"eslint": "9"}}', "eslint.config.js": CONFIG, "yarn.lock": ""}
    folder = laid_out(tmp_path, package)
    assert absent(project_in(folder, "a.js")) == Absent(
        "dependencies are not installed (run yarn install)", needless=False
    )
    (folder / "node_modules").mkdir()
    assert absent(project_in(folder, "a.js")) == Absent("eslint is not installed (run yarn install)", needless=False)
