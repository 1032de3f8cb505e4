"""Python: what this toolchain offers."""

from verify_lsp.toolchains.base import Tools
from verify_lsp.toolchains.python.checking.lint import lint
from verify_lsp.toolchains.python.checking.project_check import project_check
from verify_lsp.toolchains.python.language_server import language_server
from verify_lsp.toolchains.python.project.roots import root_of
from verify_lsp.toolchains.python.testing.detection import tests
from verify_lsp.toolchains.python.testing.output import parse_tests

TOOLS = Tools(
    root_of=root_of,
    project_check=project_check,
    tests=tests,
    lint=lint,
    language_server=language_server,
    parse_tests=parse_tests,
)
