/** Two reports held against each other, by the same rules as `verify-lsp report diff`. */

import type { Finding, Report } from "../report";
import { checkWord, reportWord } from "../words";
import { findingView, type FindingView } from "./model";

export interface Comparison {
  headline: string;
  groups: { title: string; findings: FindingView[] }[];
  checks: string[];
}

export function compareReports(old: Report, now: Report): Comparison {
  const before = findingsById(old);
  const after = findingsById(now);
  const gone = [...before.values()].filter((finding) => !after.has(finding.id));
  const come = [...after.values()].filter((finding) => !before.has(finding.id));
  const groups: [string, Finding[]][] = [
    ["Fixed", gone.filter((finding) => lookedAt(finding, now, old))],
    ["New", come.filter((finding) => lookedAt(finding, old, now))],
    ["Still there", [...after.values()].filter((finding) => before.has(finding.id))],
    ["Not looked at again, so perhaps still there", gone.filter((finding) => !lookedAt(finding, now, old))],
    ["Found now, not looked for before", come.filter((finding) => !lookedAt(finding, old, now))],
  ];
  return {
    headline: headline(old, now),
    groups: groups
      .filter(([, findings]) => findings.length > 0)
      .map(([title, findings]) => ({ title, findings: findings.map(findingView) })),
    checks: checkChanges(old, now),
  };
}

function headline(old: Report, now: Report): string {
  const statuses =
    old.status === now.status ? `Still ${reportWord(now.status)}` : `From ${reportWord(old.status)} to ${reportWord(now.status)}`;
  const tiers = old.riskTier === now.riskTier ? `risk tier stays ${now.riskTier}` : `risk tier ${old.riskTier} to ${now.riskTier}`;
  return `${statuses}; ${tiers}. Compared with the proof of ${new Date(old.createdAt).toLocaleString()}.`;
}

function findingsById(report: Report): Map<string, Finding> {
  return new Map(report.checks.flatMap((check) => check.findings).map((finding) => [finding.id, finding]));
}

/** Whether the run of `report` looked where `finding`, of the run of `other`, was found: its check must have run in full. */
function lookedAt(finding: Finding, report: Report, other: Report): boolean {
  const check = report.checks.find((one) => one.kind === finding.check);
  if (check === undefined || !["pass", "warn", "fail"].includes(check.status) || check.reason !== undefined) return false;
  return finding.check === "tests" || paths(report).has(finding.path) || !paths(other).has(finding.path);
}

function paths(report: Report): Set<string> {
  return new Set(report.files.flatMap((file) => [file.path, ...(file.oldPath === undefined ? [] : [file.oldPath])]));
}

function checkChanges(old: Report, now: Report): string[] {
  const kinds = new Set([...old.checks, ...now.checks].map((check) => check.kind));
  const word = (report: Report, kind: string) => {
    const check = report.checks.find((one) => one.kind === kind);
    return check === undefined ? "not asked for" : checkWord(check.status);
  };
  return [...kinds]
    .filter((kind) => word(old, kind) !== word(now, kind))
    .map((kind) => `${kind}: ${word(old, kind)}, now ${word(now, kind)}`);
}
