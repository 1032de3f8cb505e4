import assert from "node:assert/strict";
import { test } from "node:test";
import { compareReports } from "../src/panel/compare";
import { check, finding, report } from "./samples";

const file = (path: string) => ({ path, addedLines: [], removedLines: [] });

test("a finding is fixed only where the new run looked again", () => {
  const old = report({ files: [file("a.py")], checks: [check({ findings: [finding({ id: "1" })] })] });
  const looked = report({ files: [file("a.py")], checks: [check({})] });
  const skipped = report({ files: [file("a.py")], checks: [check({ status: "skipped" })] });
  const partly = report({ files: [file("a.py")], checks: [check({ status: "warn", reason: "half of it" })] });
  const elsewhere = report({ files: [file("b.py")], checks: [check({})] });
  const titles = (now: typeof old) => compareReports(old, now).groups.map((group) => group.title);
  assert.deepEqual(titles(looked), ["Fixed"]);
  for (const now of [skipped, partly, elsewhere]) assert.deepEqual(titles(now), ["Not looked at again, so perhaps still there"]);
});

test("a finding is new only where the old run had looked", () => {
  const now = report({ files: [file("a.py")], checks: [check({ findings: [finding({ id: "1" })] })] });
  const titles = (old: typeof now) => compareReports(old, now).groups.map((group) => group.title);
  assert.deepEqual(titles(report({ files: [file("a.py")], checks: [check({})] })), ["New"]);
  assert.deepEqual(titles(report({ files: [file("a.py")] })), ["Found now, not looked for before"]);
  assert.deepEqual(titles(now), ["Still there"]);
});

test("checks that ended differently are named", () => {
  const old = report({ checks: [check({ kind: "tests", status: "fail" }), check({})], status: "fail" });
  const now = report({ checks: [check({ kind: "tests" }), check({}), check({ kind: "security" })] });
  const comparison = compareReports(old, now);
  assert.deepEqual(comparison.checks, ["tests: failed, now passed", "security: not asked for, now passed"]);
  assert.match(comparison.headline, /^From failed to passed; risk tier stays 0\./);
});
