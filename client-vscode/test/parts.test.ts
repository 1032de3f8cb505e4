import assert from "node:assert/strict";
import { test } from "node:test";
import { explicitSettings } from "../src/explicit";
import { lensTitle } from "../src/lensText";
import { pageHtml } from "../src/panel/html";
import { readMessage } from "../src/panel/messages";
import { fileOf, unitColumn } from "../src/panel/place";
import { Runs } from "../src/runs";
import { statusText } from "../src/statusText";
import { durationWord, scopeWord } from "../src/words";
import { check, report } from "./samples";

test("a setting that nobody set is not told, so that the workspace's files decide", () => {
  const set: Record<string, object> = { timeoutSecs: { globalValue: 5, workspaceFolderValue: 7 }, runTests: {}, testCommand: { globalValue: null } };
  assert.deepEqual(explicitSettings(["timeoutSecs", "runTests", "testCommand", "base"], (key) => set[key]), { timeoutSecs: 7 });
});

test("dotted names are nested, and tables of several levels are one", () => {
  const set: Record<string, object> = {
    "inline.onSave": { workspaceValue: false }, "inline.onChange": { globalValue: false },
    rules: { globalValue: { a: "off", b: "low" }, workspaceValue: { b: "high" } },
  };
  assert.deepEqual(explicitSettings(Object.keys(set), (key) => set[key]), {
    inline: { onSave: false, onChange: false }, rules: { a: "off", b: "high" },
  });
});

test("a failed test and an unnoticed fault have a lens, and nothing else has one", () => {
  assert.equal(lensTitle("test-failed"), "$(error) Failed in the last proof");
  assert.match(lensTitle("mutation-survived") ?? "", /No test notices/);
  assert.equal(lensTitle("json.trailing-comma"), undefined);
  assert.equal(lensTitle(undefined), undefined);
});

test("a run is followed from its first event to its end", async () => {
  const runs = new Runs();
  runs.started("r");
  assert.equal(runs.running()?.reportId, "r");
  runs.take({ reportId: "r", event: { type: "report", report: report({ status: "running", checks: [check({ status: "pending" })] }) } });
  runs.take({ reportId: "r", event: { type: "check", check: check({ status: "running" }) } });
  assert.deepEqual(runs.get("r")?.report?.checks.map((one) => one.status), ["running"]);
  const ended = runs.ended("r");
  runs.take({ reportId: "r", event: { type: "done", report: report({ status: "warn" }) } });
  assert.equal((await ended).report?.status, "warn");
  assert.equal(runs.running(), undefined);
});

test("an event that comes before the answer does not start the run anew", () => {
  const runs = new Runs();
  runs.take({ reportId: "r", event: { type: "done", report: report({}) } });
  assert.equal(runs.started("r").ended, true);
});

test("what goes on when the server dies has ended, with a reason", async () => {
  const runs = new Runs();
  runs.started("r");
  const ended = runs.ended("r");
  runs.lost();
  assert.match((await ended).error ?? "", /server ended/);
});

test("ended runs are not kept without end", () => {
  const runs = new Runs();
  for (let number = 0; number < 50; number++) runs.take({ reportId: String(number), event: { type: "error", error: "no" } });
  assert.equal(runs.get("0"), undefined);
  assert.notEqual(runs.get("49"), undefined);
});

test("the status bar says the last result and its tier, in words", () => {
  assert.equal(statusText("ready", undefined, { status: "fail", riskTier: 2 }).text, "$(error) Verify: failed, risk tier 2");
  assert.equal(statusText("ready", undefined, { status: "fail", riskTier: 2 }).level, "error");
  assert.equal(statusText("ready", undefined, { status: "cancelled", riskTier: 0 }).text, "$(circle-slash) Verify: cancelled");
  assert.equal(statusText("ready").text, "$(verified) Verify");
  assert.equal(statusText("off", undefined, { status: "pass", riskTier: 0 }).text, "$(circle-slash) Verify: no server");
  const running = { reportId: "r", ended: false, report: report({ checks: [check({}), check({ kind: "tests", status: "running" })] }) };
  assert.equal(statusText("ready", running).text, "$(loading~spin) Verify: running 1 of 2");
  assert.doesNotMatch(statusText("ready", running).spoken, /\$\(/);
});

test("a place of a report does not lead out of its folder", () => {
  assert.equal(fileOf("/ws", "a/b.py"), "/ws/a/b.py");
  for (const path of ["../x", "/etc/passwd", "a/../../x", "", "."]) assert.equal(fileOf("/ws", path), undefined);
});

test("columns of code points become columns of the editor", () => {
  assert.equal(unitColumn("😀 x", 3), 3);
  assert.equal(unitColumn("abc", 2), 1);
  assert.equal(unitColumn("abc", 0), 0);
});

test("the page says only what it may say", () => {
  assert.deepEqual(readMessage({ type: "open", place: { path: "a", line: 1, column: 2 } }), { type: "open", place: { path: "a", line: 1, column: 2 } });
  for (const sent of [null, "x", {}, { type: "run" }, { type: "open" }, { type: "open", place: { path: 1, line: 1, column: 1 } }]) {
    assert.equal(readMessage(sent), undefined);
  }
  assert.deepEqual(readMessage({ type: "cancel", command: "rm" }), { type: "cancel" });
});

test("the page's policy allows our script and our style, and nothing else", () => {
  const html = pageHtml({ cspSource: "https://own", nonce: "n0", script: "s.js", style: "s.css" });
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
  assert.equal(policy, "default-src 'none'; style-src https://own; script-src 'nonce-n0'; base-uri 'none'; form-action 'none'");
  assert.doesNotMatch(html, /unsafe|<style|style=|onclick/);
});

test("durations and scopes read well", () => {
  assert.deepEqual([undefined, 5, 1500, 61_000].map(durationWord), ["", "5 ms", "1.5 s", "1 min 1 s"]);
  assert.equal(scopeWord({ kind: "branch", base: "main" }), "the branch since main");
  assert.equal(scopeWord({ kind: "files", files: ["a"] }), "1 file");
});
