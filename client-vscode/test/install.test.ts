import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { installServer } from "../src/install";

/** A Python that does what the test says: `version` answers whether it is new enough, `venv` and `pip` are shell lines. */
function python(folder: string, version: string, venv: string, pip: string): string {
  const file = join(folder, "python");
  const lines = ["#!/bin/sh", 'case "$*" in', `-I*) echo ${version};;`, `"-m venv"*) ${venv};;`, `"-m pip"*) ${pip};;`, "esac"];
  writeFileSync(file, `${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return file;
}

function place(): { folder: string; environment: string; copy: string } {
  const folder = mkdtempSync(join(tmpdir(), "install-"));
  const environment = join(folder, "environment");
  return { folder, environment, copy: `mkdir -p '${environment}/bin' && cp "$0" '${environment}/bin/python'` };
}

test("the server is installed into an environment of its own, and what was there before is gone", async () => {
  const { folder, environment, copy } = place();
  mkdirSync(environment);
  writeFileSync(join(environment, "old"), "");
  const program = await installServer(environment, ["/no/python", python(folder, "True", copy, `echo "$*" > '${folder}/asked'`)], () => {});
  assert.equal(program, join(environment, "bin", "verify-lsp"));
  assert.equal(existsSync(join(environment, "old")), false);
  assert.match(readFileSync(join(folder, "asked"), "utf8"), /^-m pip install .*verify-lsp\n$/);
  rmSync(folder, { recursive: true });
});

test("without a Python that is new enough nothing is made, and one sentence says so", async () => {
  const { folder, environment, copy } = place();
  await assert.rejects(installServer(environment, ["/no/python", python(folder, "False", copy, "true")], () => {}), /needs Python 3\.11 or newer/);
  assert.equal(existsSync(environment), false);
  rmSync(folder, { recursive: true });
});

test("what went wrong is told in the tool's last line", async () => {
  const { folder, environment, copy } = place();
  const noVenv = python(folder, "True", "echo noise >&2; echo no ensurepip >&2; exit 1", "true");
  await assert.rejects(installServer(environment, [noVenv], () => {}), /^Error: A virtual environment could not be made: no ensurepip$/);
  const noIndex = python(folder, "True", copy, "echo no such distribution >&2; exit 1");
  await assert.rejects(installServer(environment, [noIndex], () => {}), /^Error: pip could not install verify-lsp: no such distribution$/);
  rmSync(folder, { recursive: true });
});
