"""JavaScript and TypeScript: what this toolchain offers."""

from verify_lsp.toolchains.base import Tools
from verify_lsp.toolchains.node.language_server import language_server
from verify_lsp.toolchains.node.lint import lint
from verify_lsp.toolchains.node.project_check import project_check
from verify_lsp.toolchains.node.roots import root_of
from verify_lsp.toolchains.node.testing.own_command import node_tests_by
from verify_lsp.toolchains.node.testing.step import find_tests
from verify_lsp.toolchains.node.testing.summaries import read_summaries

TOOLS = Tools(
    root_of=root_of,
    project_check=project_check,
    tests=find_tests,
    lint=lint,
    language_server=language_server,
    parse_tests=read_summaries,
    tests_by=node_tests_by,
)
