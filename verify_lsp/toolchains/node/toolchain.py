"""JavaScript and TypeScript."""

from verify_lsp.toolchains.base import Toolchain, Tools


def _tools() -> Tools:
    from verify_lsp.toolchains.node.tools import TOOLS

    return TOOLS


TOOLCHAIN = Toolchain(
    language="node",
    title="JavaScript/TypeScript",
    extensions=frozenset(
        {".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte", ".astro"},
    ),
    manifests=("package.json", "deno.json", "deno.jsonc", "tsconfig.json", "jsconfig.json"),
    load=_tools,
    # Only what no build or test of a project writes to: a link would lead what they write to the user's own tree.
    heavy=frozenset({"node_modules", "bower_components", ".yarn", ".pnpm-store"}),
)
