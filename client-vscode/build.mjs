// Bundles the extension, the panel's script, and with --tests the unit tests.
import { readdirSync } from "node:fs";
import { build } from "esbuild";

const node = { bundle: true, platform: "node", target: "node20", format: "cjs", external: ["vscode"], logLevel: "warning" };

if (process.argv.includes("--tests")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({ ...node, entryPoints: tests.map((name) => `test/${name}`), outdir: "dist/test", sourcemap: "inline" });
} else {
  await build({ ...node, entryPoints: ["src/extension.ts"], outfile: "dist/extension.js", minify: true });
  await build({
    bundle: true, platform: "browser", target: "es2022", format: "iife", minify: true, logLevel: "warning",
    entryPoints: ["src/panel/view/main.ts"], outfile: "dist/panel.js",
  });
}
