/** The panel's model as text, for a language model. Bounded; says what it leaves out. */

import type { FileView, PanelModel } from "./model";

const MOST = 40;
const WIDEST = 300;

export function modelText(model: PanelModel): string {
  const lines = [`${model.headline}${model.whole ? `; risk tier ${model.riskTier} of 2` : ""}.`, ...model.summary];
  section(lines, "Facts", model.facts.map((fact) => `${fact.check}: ${fact.text}`));
  section(lines, "Claims", model.claims.map((claim) => `${claim.verdict}: ${claim.text}`));
  section(lines, "Findings of this change", flat(model.files));
  section(lines, "Faults that the tests would not notice", flat(model.survivors));
  section(lines, "Not verified (a check that was not made is not a pass)", model.notVerified);
  section(lines, "Why it is risky", model.riskReasons);
  if (model.older.length > 0) lines.push("", `${flat(model.older).length} findings were there before the change.`);
  return lines.join("\n");
}

function section(lines: string[], title: string, entries: string[]): void {
  if (entries.length === 0) return;
  lines.push("", title, ...entries.slice(0, MOST).map((entry) => `- ${oneLine(entry)}`));
  if (entries.length > MOST) lines.push(`- and ${entries.length - MOST} more, which the proof panel shows`);
}

function flat(files: FileView[]): string[] {
  return files.flatMap((file) =>
    file.findings.map(({ place, severity, rule, message }) => `${place.path}:${place.line}: ${message} [${rule}] (${severity})`),
  );
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= WIDEST ? line : `${line.slice(0, WIDEST - 1)}…`;
}
