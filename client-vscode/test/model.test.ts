import assert from "node:assert/strict";
import { test } from "node:test";
import { panelModel } from "../src/panel/model";
import { modelText } from "../src/panel/text";
import { check, finding, report } from "./samples";

test("findings stand by file, the gravest first", () => {
  const findings = [
    finding({ id: "1", path: "b.py", line: 9, severity: "low" }),
    finding({ id: "2", path: "a.py", line: 3, severity: "medium" }),
    finding({ id: "3", path: "b.py", line: 20, severity: "critical" }),
  ];
  const model = panelModel(report({ status: "fail", checks: [check({ findings })] }));
  assert.deepEqual(model.files.map((file) => [file.path, file.findings.map((one) => one.place.line)]), [["b.py", [20, 9]], ["a.py", [3]]]);
});

test("what was there before the change stands apart", () => {
  const model = panelModel(report({ checks: [check({ findings: [finding({ preexisting: true })] })] }));
  assert.equal(model.files.length, 0);
  assert.equal(model.older.length, 1);
});

test("mutants that survived have a section of their own", () => {
  const model = panelModel(report({ checks: [check({ kind: "mutation", findings: [finding({ rule: "mutation-survived" })] })] }));
  assert.equal(model.files.length, 0);
  assert.equal(model.survivors.length, 1);
});

test("a check that was not made is not verified, and one without anything to look at is no gap", () => {
  const model = panelModel(report({
    checks: [
      check({ kind: "tests", status: "skipped", summary: "not verified", reason: "go is not installed" }),
      check({ kind: "lint", status: "skipped", summary: "nothing to verify: no linter", reason: "no linter" }),
      check({ kind: "security", status: "error", summary: "broke", reason: "it crashed" }),
      check({ kind: "diagnostics", status: "warn", summary: "one error", reason: "not verified: b.py" }),
      check({ kind: "integrity", status: "fail", reason: "c.py is too large" }),
    ],
  }));
  assert.deepEqual(model.notVerified, ["tests: go is not installed", "security: it crashed", "diagnostics: b.py", "integrity: c.py is too large"]);
  assert.deepEqual(model.checks.map((one) => one.word), ["not made", "nothing to verify", "broke", "warned", "failed"]);
});

test("a run that goes on says how far it is, and no duration of what has not ended", () => {
  const model = panelModel(report({
    status: "running",
    checks: [check({ status: "pass", durationMs: 1500 }), check({ kind: "tests", status: "running", durationMs: 0 })],
  }));
  assert.equal(model.announcement, "1 of 2 checks done; running tests.");
  assert.deepEqual(model.checks.map((one) => one.duration), ["1.5 s", ""]);
  assert.equal(panelModel(report({ status: "running" }), report({})).comparison, undefined);
});

test("a run that did not come to its end has no tier to speak of", () => {
  const model = panelModel(report({ status: "cancelled", riskTier: 0 }));
  assert.equal(model.whole, false);
  assert.equal(model.announcement, "Proof cancelled, 0 findings.");
  assert.doesNotMatch(modelText(model), /tier/);
});

test("evidence leaves out what is not known", () => {
  const fact = { id: "f1", text: "2 tests pass", check: "tests", evidence: { command: "pytest", exitCode: 0, outputTail: " \n" } };
  const [view] = panelModel(report({ facts: [fact] })).facts;
  assert.deepEqual(view?.evidence, [{ label: "Command", text: "pytest" }, { label: "Exit code", text: "0" }]);
  assert.equal(view?.output, undefined);
});

test("the text for a model names places, and says that a check that was not made is no pass", () => {
  const model = panelModel(report({
    status: "fail",
    checks: [
      check({ findings: [finding({ path: "a.py", line: 3, message: "bad\nline", rule: "r" })] }),
      check({ kind: "tests", status: "skipped", reason: "no pytest" }),
    ],
  }));
  const text = modelText(model);
  assert.match(text, /^Proof: failed; risk tier 0 of 2\./);
  assert.match(text, /- a\.py:3: bad line \[r\] \(high\)/);
  assert.match(text, /not a pass\)\n- tests: no pytest/);
});

test("the text for a model is bounded, and says what it leaves out", () => {
  const findings = Array.from({ length: 500 }, (_, index) => finding({ id: String(index), message: "x".repeat(1000) }));
  const text = modelText(panelModel(report({ checks: [check({ findings })] })));
  assert.ok(text.length < 20_000);
  assert.match(text, /and 460 more/);
});
