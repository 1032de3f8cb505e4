import os

import anyio
import attrs

from tests.harness.node_projects import NODE_MODULES, node_project, path_of
from tests.harness.tool_runs import laid_out, project_in
from verify_lsp.langservers.collect import Collected, collect
from verify_lsp.system.environment import child_environment
from verify_lsp.toolchains.base import Absent, LanguageServer
from verify_lsp.toolchains.node.language_server import language_server


def served(project):
    server = language_server(project)
    assert isinstance(server, LanguageServer), server.reason
    return server


def ask(project, *files):
    server = served(project)
    environment = child_environment()
    environment["PATH"] = os.pathsep.join([*server.command.path_prepend, environment["PATH"]])

    async def asked():
        return await collect(server, project.folder, files, limit_s=120.0, environment=environment)

    found = anyio.run(asked)
    assert isinstance(found, Collected), found.reason
    return found.problems


def test_the_server_of_the_project_says_what_the_compiler_says(tmp_path):
    files = {
        "tsconfig.json": '{"compilerOptions": {"strict": true, "lib": ["es2020"], "types": []}}',
        "src/a.ts": "const smile = '😀'; export const n: number = smile;\n",
        "src/b.js": "export const n = 1;\n",
    }
    problems = ask(project_in(node_project(tmp_path, files)), "src/a.ts", "src/b.js")
    errors = [(found.path, found.line, found.column, found.severity) for found in problems if found.severity != "info"]
    assert errors == [("src/a.ts", 1, 33, "high")]


def test_nothing_is_fetched_for_plain_javascript(tmp_path):
    options = served(project_in(node_project(tmp_path, {"a.js": ""}))).initialization_options
    assert options["disableAutomaticTypingAcquisition"] is True
    assert options["tsserver"] == {
        "path": str(tmp_path / "node_modules/typescript/lib/tsserver.js"),
        "logVerbosity": "off",
    }


def test_the_server_inside_the_compiler_is_taken_where_there_is_one(tmp_path):
    files = {"package.json": "{}", "node_modules/typescript/package.json": '{"version": "7.0.2"}'}
    folder = laid_out(tmp_path, {**files, "node_modules/.bin/tsc": "#!/bin/sh\n"})
    (folder / "node_modules/.bin/tsc").chmod(0o755)
    server = served(project_in(folder))
    assert (server.command.argv, server.settles_by) == (("tsc", "--lsp", "--stdio"), "pull")


def test_programs_on_path_serve_a_project_that_has_none(tmp_path):
    laid_out(tmp_path / "work", {"a.js": ""})
    project = project_in(tmp_path / "work", path=str(NODE_MODULES / ".bin"))
    assert served(project).initialization_options["tsserver"] == {
        "path": str((NODE_MODULES / "typescript/lib/tsserver.js").resolve()),
        "logVerbosity": "off",
    }
    none = attrs.evolve(project, path=path_of("node", folder=tmp_path / "bin"))
    assert language_server(none) == Absent("typescript-language-server is not installed", needless=False)
