/** A report as the panel shows it: everything in words, nothing left to decide. A plain function of the report. */

import type { Check, Evidence, Fact, Finding, Report, Severity } from "../report";
import { checkWord, counted, durationWord, reportWord, scopeWord } from "../words";
import { compareReports, type Comparison } from "./compare";

export interface Place {
  path: string;
  line: number;
  column: number;
}

export interface FindingView {
  place: Place;
  severity: Severity;
  rule: string;
  message: string;
  suggestion?: string;
}

export interface FileView {
  path: string;
  findings: FindingView[];
}

export interface FactView {
  id: string;
  text: string;
  check: string;
  evidence: { label: string; text: string }[];
  output?: string;
}

export interface ClaimView {
  verdict: string;
  text: string;
  facts: string[];
}

export interface CheckView {
  kind: string;
  status: string;
  word: string;
  duration: string;
  summary: string;
  reason?: string;
}

export interface PanelModel {
  reportId: string;
  status: string;
  running: boolean;
  /** Looked at to the end: only then does the tier say anything. */
  whole: boolean;
  headline: string;
  summary: string[];
  announcement: string;
  facts: FactView[];
  claims: ClaimView[];
  files: FileView[];
  /** Faults that the tests would not notice. */
  survivors: FileView[];
  older: FileView[];
  notVerified: string[];
  checks: CheckView[];
  riskTier: number;
  riskReasons: string[];
  opinion?: string;
  comparison?: Comparison;
}

const NOTHING = "nothing to verify";
const SURVIVORS = new Set(["mutation-survived", "mutation-not-covered"]);
const GRAVITY: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3, info: 4 };

/** `previous` is the report before, of the same folder and scope, where there is one. */
export function panelModel(report: Report, previous?: Report): PanelModel {
  const findings = report.checks.flatMap((check) => check.findings);
  const own = findings.filter((finding) => !finding.preexisting);
  const running = report.status === "running";
  const whole = ["pass", "warn", "fail"].includes(report.status);
  return {
    reportId: report.id,
    status: report.status,
    running,
    whole,
    headline: `Proof: ${reportWord(report.status)}`,
    summary: summary(report),
    announcement: running ? progress(report) : `Proof ${reportWord(report.status)}, ${counted(own.length, "finding")}${whole ? `, risk tier ${report.riskTier} of 2` : ""}.`,
    facts: report.facts.map(factView),
    claims: report.claims.map((claim) => ({ verdict: claim.status, text: claim.text, facts: claim.facts })),
    files: byFile(own.filter((finding) => !SURVIVORS.has(finding.rule))),
    survivors: byFile(own.filter((finding) => SURVIVORS.has(finding.rule))),
    older: byFile(findings.filter((finding) => finding.preexisting)),
    notVerified: report.checks.flatMap(notVerified),
    checks: report.checks.map(checkView),
    riskTier: report.riskTier,
    riskReasons: report.riskReasons,
    ...(report.opinion === undefined ? {} : { opinion: `${report.opinion.verdict}: ${report.opinion.text}` }),
    ...(previous === undefined || running ? {} : { comparison: compareReports(previous, report) }),
  };
}

function summary(report: Report): string[] {
  const base = report.base === undefined ? "" : ` against ${report.base.ref} (${report.base.sha.slice(0, 10)})`;
  const lines = [`Scope: ${scopeWord(report.scope)}${base}, ${counted(report.files.length, "file")}.`];
  const took = durationWord(report.durationMs);
  lines.push(`${report.status === "running" ? "Begun" : "Made"} ${new Date(report.createdAt).toLocaleString()}${took === "" ? "" : `, in ${took}`}.`);
  return lines;
}

function progress(report: Report): string {
  const over = report.checks.filter((check) => check.status !== "pending" && check.status !== "running").length;
  const now = report.checks.filter((check) => check.status === "running").map((check) => check.kind);
  return `${over} of ${counted(report.checks.length, "check")} done${now.length > 0 ? `; running ${now.join(", ")}` : ""}.`;
}

function factView(fact: Fact): FactView {
  const output = fact.evidence.outputTail;
  return {
    id: fact.id,
    text: fact.text,
    check: fact.check,
    evidence: evidenceLines(fact.evidence),
    ...(output === undefined || output.trim() === "" ? {} : { output }),
  };
}

function evidenceLines(evidence: Evidence): FactView["evidence"] {
  const tool = [evidence.tool, evidence.version].filter((part) => part !== undefined).join(" ");
  const lines = [
    { label: "Command", text: evidence.command ?? "" },
    { label: "Exit code", text: evidence.exitCode === undefined ? "" : String(evidence.exitCode) },
    { label: "Tool", text: tool },
  ];
  return lines.filter((line) => line.text !== "");
}

function byFile(findings: Finding[]): FileView[] {
  const files = new Map<string, Finding[]>();
  for (const finding of findings) files.set(finding.path, [...(files.get(finding.path) ?? []), finding]);
  return [...files].map(([path, inFile]) => ({ path, findings: inFile.sort(gravestFirst).map(findingView) }));
}

function gravestFirst(one: Finding, other: Finding): number {
  return GRAVITY[one.severity] - GRAVITY[other.severity] || one.line - other.line;
}

export function findingView(finding: Finding): FindingView {
  return {
    place: { path: finding.path, line: finding.line, column: finding.column ?? 1 },
    severity: finding.severity,
    rule: finding.rule,
    message: finding.message,
    ...(finding.suggestion === undefined ? {} : { suggestion: finding.suggestion }),
  };
}

/** What nobody looked at; a check with nothing to look at leaves nothing unverified. */
function notVerified(check: Check): string[] {
  const gap =
    (check.status === "skipped" && !check.summary.startsWith(NOTHING)) || check.status === "error"
      ? (check.reason ?? check.summary)
      : ["warn", "fail"].includes(check.status) ? check.reason : undefined;
  return gap === undefined ? [] : [`${check.kind}: ${gap.replace(/^not verified: /, "")}`];
}

function checkView(check: Check): CheckView {
  const over = check.status !== "pending" && check.status !== "running";
  const nothing = check.status === "skipped" && check.summary.startsWith(NOTHING);
  return {
    kind: check.kind,
    status: check.status,
    word: nothing ? NOTHING : checkWord(check.status),
    duration: over ? durationWord(check.durationMs) : "",
    summary: check.summary,
    ...(check.reason === undefined ? {} : { reason: check.reason }),
  };
}
