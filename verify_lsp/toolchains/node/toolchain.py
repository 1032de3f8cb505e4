"""JavaScript and TypeScript: the record of what this toolchain offers."""

from verify_lsp.toolchains.base import Toolchain
from verify_lsp.toolchains.node.language_server import language_server
from verify_lsp.toolchains.node.lint import lint
from verify_lsp.toolchains.node.project_check import project_check
from verify_lsp.toolchains.node.roots import MANIFESTS, root_of
from verify_lsp.toolchains.node.testing.own_command import node_tests_by
from verify_lsp.toolchains.node.testing.step import find_tests
from verify_lsp.toolchains.node.testing.summaries import read_summaries

TOOLCHAIN = Toolchain(
    language="node",
    title="JavaScript/TypeScript",
    extensions=frozenset(
        {".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".astro"},
    ),
    manifests=MANIFESTS,
    root_of=root_of,
    project_check=project_check,
    tests=find_tests,
    lint=lint,
    language_server=language_server,
    parse_tests=read_summaries,
    tests_by=node_tests_by,
    # Only what no build or test of a project writes to: a link would lead what they write to the user's own tree.
    heavy=frozenset({"node_modules", "bower_components", ".yarn", ".pnpm-store"}),
)
