import anyio

from tests.harness.python_projects import bare_project, tooled_project
from verify_lsp.langservers.collect import Collected, collect
from verify_lsp.system.environment import child_environment
from verify_lsp.toolchains.base import Absent, LanguageServer
from verify_lsp.toolchains.python.language_server import language_server


def test_the_projects_own_server_knows_its_interpreter(tmp_path):
    project = tooled_project(
        tmp_path,
        {
            "other.py": "def g() -> int: return 1\n",
            "a.py": 'import attrs\nimport nowhere\nfrom other import g\ns = "😀"; x: str = g()\n',
        },
    )
    server = language_server(project)
    assert isinstance(server, LanguageServer)
    assert server.tool == "basedpyright"

    async def ask():
        return await collect(server, project.folder, ("a.py",), limit_s=60, environment=child_environment())

    collected = anyio.run(ask)
    assert isinstance(collected, Collected)
    assert {
        (problem.line, problem.column, problem.rule) for problem in collected.problems if problem.severity == "high"
    } == {
        (2, 8, "reportMissingImports"),
        (4, 19, "reportAssignmentType"),
    }


def test_without_a_server_diagnostics_stay_unverified(tmp_path):
    absent = language_server(bare_project(tmp_path, {"a.py": ""}, path=""))
    assert isinstance(absent, Absent)
    assert not absent.needless
