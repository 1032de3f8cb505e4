import assert from "node:assert/strict";
import { test } from "node:test";
import { mutantAddress, mutantAsked } from "../src/mutantAddress";

test("what an address says is what was asked", () => {
  for (const asked of [{ findingId: "a1", reportId: "20260101-1" }, { findingId: 'b"2&?#é' }]) {
    const { path, query } = mutantAddress(asked, "src/a.py");
    assert.equal(path, "/src/a.py");
    assert.deepEqual(mutantAsked(query), asked);
  }
});

test("a command's argument names a fault, with a report or without", () => {
  assert.deepEqual(mutantAsked({ findingId: "a1", reportId: "" }), { findingId: "a1" });
  assert.deepEqual(mutantAsked({ findingId: "a1", reportId: "r", more: 1 }), { findingId: "a1", reportId: "r" });
});

test("what names no fault is none", () => {
  for (const given of [undefined, null, 3, "", "{", "[]", "null", {}, { findingId: 1 }]) assert.equal(mutantAsked(given), undefined);
});
