/** What the server sends: the shapes of a report, as docs/report.schema.json has them. Absent means not known. */

export type Severity = "critical" | "high" | "medium" | "low" | "info";
export type CheckStatus = "pending" | "running" | "pass" | "warn" | "fail" | "skipped" | "error";
export type ReportStatus = "running" | "pass" | "warn" | "fail" | "error" | "cancelled" | "empty";
export type ScopeKind = "session" | "change-set" | "staged" | "working-tree" | "branch" | "files";

export interface Scope {
  kind: ScopeKind;
  base?: string;
  files?: unknown[];
}

export interface Finding {
  id: string;
  check: string;
  severity: Severity;
  path: string;
  line: number;
  column?: number;
  endLine?: number;
  endColumn?: number;
  rule: string;
  message: string;
  suggestion?: string;
  fixable: boolean;
  preexisting: boolean;
  url?: string;
}

export interface Check {
  kind: string;
  status: CheckStatus;
  summary: string;
  findings: Finding[];
  durationMs: number;
  command?: string;
  output?: string;
  reason?: string;
}

export interface Evidence {
  command?: string;
  exitCode?: number;
  outputTail?: string;
  tool?: string;
  version?: string;
}

export interface Fact {
  id: string;
  text: string;
  check: string;
  evidence: Evidence;
}

export interface Claim {
  text: string;
  kind: string;
  status: "supported" | "contradicted" | "unsupported" | "hedged";
  facts: string[];
}

export interface Report {
  id: string;
  workspace: string;
  scope: Scope;
  createdAt: string;
  status: ReportStatus;
  durationMs?: number;
  base?: { ref: string; sha: string };
  files: { path: string; oldPath?: string; addedLines: unknown[]; removedLines: unknown[] }[];
  checks: Check[];
  riskTier: 0 | 1 | 2;
  riskReasons: string[];
  facts: Fact[];
  claims: Claim[];
  opinion?: { verdict: string; text: string; agent?: string };
}

export interface ReportSummary {
  id: string;
  createdAt: string;
  scope: Scope;
  status: ReportStatus;
  riskTier: number;
  counts: Record<Severity, number>;
}

export type RunEvent =
  | { type: "report"; report: Report }
  | { type: "check"; check: Check }
  | { type: "done"; report: Report }
  | { type: "error"; error: string };

export interface RunNews {
  reportId: string;
  event: RunEvent;
}
