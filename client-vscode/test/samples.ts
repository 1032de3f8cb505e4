import type { Check, Finding, Report } from "../src/report";

export function finding(given: Partial<Finding>): Finding {
  return {
    id: "f", check: "lint", severity: "high", path: "a.py", line: 1, rule: "rule", message: "message", fixable: false, preexisting: false,
    ...given,
  };
}

export function check(given: Partial<Check>): Check {
  return { kind: "lint", status: "pass", summary: "summary", findings: [], durationMs: 10, ...given };
}

export function report(given: Partial<Report>): Report {
  return {
    id: "r", workspace: "/work", scope: { kind: "working-tree" }, createdAt: "2026-01-02T10:15:00.123Z", status: "pass",
    files: [], checks: [], riskTier: 0, riskReasons: [], facts: [], claims: [], ...given,
  };
}
