import assert from "node:assert/strict";
import { test } from "node:test";
import { findServer, type Places } from "../src/findServer";

const places = (programs: string[], given: Partial<Places> = {}): Places => ({
  setting: "", interpreter: () => Promise.resolve(undefined), folders: ["/ws"], trusted: true, search: ["/usr/bin"], own: "/own",
  windows: false, isProgram: (file) => Promise.resolve(programs.includes(file)), ...given,
});
const all = ["/py/bin/verify-lsp", "/ws/.venv/bin/verify-lsp", "/usr/bin/verify-lsp", "/own/bin/verify-lsp"];
const program = async (given: Places) => {
  const found = await findServer(given);
  return "program" in found ? found.program : undefined;
};

test("the order is interpreter, .venv, PATH, own environment", async () => {
  const interpreter = () => Promise.resolve("/py/bin/python");
  for (const [index, expected] of all.entries()) {
    assert.equal(await program(places(all.slice(index), { interpreter })), expected);
  }
});

test("a set path is taken or complained of, never passed over", async () => {
  assert.equal(await program(places(["/x/verify-lsp", ...all], { setting: " /x/verify-lsp " })), "/x/verify-lsp");
  assert.deepEqual(await findServer(places(all, { setting: "/no" })), { missing: 'verify.serverPath names "/no", where there is no program.' });
  const relative = await findServer(places(["./x", ...all], { setting: "./x" }));
  assert.match("missing" in relative ? relative.missing : "", /must be an absolute path/);
});

test("without trust nothing in the workspace is started", async () => {
  const interpreter = () => Promise.resolve("/ws/env/bin/python");
  const inside = ["/ws/env/bin/verify-lsp", "/ws/.venv/bin/verify-lsp", "/ws/node_modules/.bin/verify-lsp"];
  const given = { interpreter, search: ["/ws/node_modules/.bin", "/usr/bin"], trusted: false };
  assert.equal(await program(places(inside, given)), undefined);
  assert.equal(await program(places([...inside, "/usr/bin/verify-lsp"], given)), "/usr/bin/verify-lsp");
  assert.equal(await program(places(inside, { ...given, trusted: true })), "/ws/env/bin/verify-lsp");
});

test("a relative entry of PATH is passed over", async () => {
  assert.equal(await program(places(["bin/verify-lsp", "verify-lsp"], { search: ["bin", ""] })), undefined);
});

test("on Windows the program has its own name and folder", async () => {
  const found = places(["C:\\own\\Scripts\\verify-lsp.exe"], { windows: true, own: "C:\\own", search: [], folders: [] });
  assert.equal(await program(found), "C:\\own\\Scripts\\verify-lsp.exe");
});
