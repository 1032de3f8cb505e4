/** How statuses, scopes, times and numbers read. */

import type { CheckStatus, ReportStatus, Scope } from "./report";

const REPORT: Record<ReportStatus, string> = {
  running: "running",
  pass: "passed",
  warn: "passed with warnings",
  fail: "failed",
  error: "could not be completed",
  cancelled: "cancelled",
  empty: "nothing to verify",
};

const CHECK: Record<CheckStatus, string> = {
  pending: "waiting",
  running: "running",
  pass: "passed",
  warn: "warned",
  fail: "failed",
  skipped: "not made",
  error: "broke",
};

export function reportWord(status: ReportStatus): string {
  return REPORT[status] ?? String(status);
}

export function checkWord(status: CheckStatus): string {
  return CHECK[status] ?? String(status);
}

export function scopeWord(scope: Scope): string {
  switch (scope.kind) {
    case "working-tree":
      return "the working tree";
    case "staged":
      return "what is staged";
    case "branch":
      return scope.base === undefined ? "the branch" : `the branch since ${scope.base}`;
    case "files":
      return counted(scope.files?.length ?? 0, "file");
    case "session":
      return "an agent's session";
    case "change-set":
      return "a given change";
  }
}

export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** `durationMs` is not known before a check has ended. */
export function durationWord(durationMs: number | undefined): string {
  if (durationMs === undefined) return "";
  if (durationMs < 1000) return `${durationMs} ms`;
  const seconds = durationMs / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
