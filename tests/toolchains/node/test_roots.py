import json

import pytest

from tests.harness.tool_runs import laid_out
from verify_lsp.toolchains.node.roots import root_of

REAL = json.dumps({"name": "app", "scripts": {"test": "vitest"}})


@pytest.mark.parametrize(
    ("files", "path", "root"),
    [
        ({"package.json": REAL}, "src/a.ts", "."),
        ({"package.json": REAL, "packages/a/package.json": REAL}, "packages/a/src/x/y.ts", "packages/a"),
        ({"package.json": REAL, "packages/a/package.json": REAL}, "tools/y.ts", "."),
        ({"package.json": REAL, "src/esm/package.json": '{"type": "module"}'}, "src/esm/a.js", "."),
        ({"package.json": REAL, "lib/package.json": '{"name": "app/lib", "main": "x.js"}'}, "lib/a.js", "."),
        ({"tests/package.json": '{"type": "module"}'}, "tests/a.js", "tests"),
        ({"web/tsconfig.json": "{}"}, "web/src/a.ts", "web"),
        ({"package.json": REAL, "web/tsconfig.json": "{}"}, "web/src/a.ts", "."),
        ({"package.json": REAL, "edge/deno.json": "{}"}, "edge/a.ts", "edge"),
        ({"package.json": REAL, "half/package.json": '{"name": '}, "half/a.js", "half"),
        ({"package.json": REAL, "own/package.json": "{}", "own/package-lock.json": "{}"}, "own/a.js", "own"),
        ({"README.md": ""}, "static/app.js", None),
        ({"package.json": REAL}, "node_modules/x/index.js", None),
        ({"package.json": REAL}, "../outside.js", None),
    ],
)
def test_the_root_is_the_nearest_manifest_that_owns_something(files, path, root, tmp_path):
    assert root_of(laid_out(tmp_path, files), path) == root


def test_a_workspace_package_without_scripts_is_a_root(tmp_path):
    workspace = json.dumps({"workspaces": ["packages/*"]})
    laid_out(tmp_path, {"package.json": workspace, "packages/a/package.json": '{"name": "a"}'})
    assert root_of(tmp_path, "packages/a/src/x.ts") == "packages/a"


def test_a_package_of_a_pnpm_workspace_is_a_root(tmp_path):
    pnpm = "# packages\npackages:\n  # all of them\n  - 'libs/**' # deep\n  - \"apps/*\"\ncatalog:\n  - not/this\n"
    laid_out(tmp_path, {"pnpm-workspace.yaml": pnpm, "package.json": REAL})
    laid_out(tmp_path, dict.fromkeys(("libs/a/b/package.json", "apps/a/package.json"), '{"name": "x"}'))
    laid_out(tmp_path, {"not/this/package.json": '{"name": "x"}'})
    assert root_of(tmp_path, "libs/a/b/x.ts") == "libs/a/b"
    assert root_of(tmp_path, "apps/a/src/x.ts") == "apps/a"
    assert root_of(tmp_path, "not/this/x.ts") == "."
