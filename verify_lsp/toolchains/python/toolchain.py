"""Python."""

from verify_lsp.toolchains.base import Toolchain
from verify_lsp.toolchains.python.checking.lint import lint
from verify_lsp.toolchains.python.checking.project_check import project_check
from verify_lsp.toolchains.python.language_server import language_server
from verify_lsp.toolchains.python.project.roots import HEAVY, MANIFESTS, root_of
from verify_lsp.toolchains.python.testing.detection import tests
from verify_lsp.toolchains.python.testing.output import parse_tests

TOOLCHAIN = Toolchain(
    language="python",
    title="Python",
    extensions=frozenset({".py", ".pyi", ".pyw"}),
    manifests=MANIFESTS,
    root_of=root_of,
    project_check=project_check,
    tests=tests,
    lint=lint,
    language_server=language_server,
    parse_tests=parse_tests,
    heavy=HEAVY,
)
