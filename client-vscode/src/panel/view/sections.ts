/** The parts of the page, each made of the model alone. */

import type { CheckView, ClaimView, FactView, FileView, FindingView, PanelModel, Place } from "../model";
import { button, details, element, list, section, type Child } from "./dom";

export type Open = (place: Place) => void;

const VERDICTS: Record<string, string> = {
  supported: "✓ supported",
  contradicted: "✗ contradicted",
  unsupported: "? unsupported",
  hedged: "~ hedged",
};

export function sections(model: PanelModel, open: Open): Child[] {
  return [
    section("facts", "Facts", some(model.facts, facts)),
    section("claims", "Claims", some(model.claims, (claims) => list(claims.map((claim) => claimItem(claim, model.facts))))),
    section("findings", "Findings", ...(model.files.length > 0 ? files(model.files, open) : [noFindings(model)])),
    section("survivors", "Faults that the tests would not notice", ...files(model.survivors, open)),
    section("unverified", "Not verified", some(model.notVerified, (reasons) => list(reasons))),
    section("risk", `Risk tier ${model.riskTier} of 2`, model.whole ? risk(model.riskReasons) : undefined),
    section("checks", "Checks", some(model.checks, checks)),
    section("change", "Since the proof before", ...comparison(model, open)),
    section("opinion", "Opinion of a model (not a fact)", model.opinion && element("p", {}, model.opinion)),
    section("older", "There before the change", older(model.older, open)),
  ];
}

function some<T>(entries: T[], make: (entries: T[]) => Child): Child {
  return entries.length > 0 ? make(entries) : undefined;
}

/** Nothing found is said only where the run has ended; whether it means anything the section on what was not verified says. */
function noFindings(model: PanelModel): Child {
  if (model.running || model.status === "empty") return undefined;
  return element("p", {}, model.survivors.length > 0 ? "No other findings." : "No findings in what was looked at.");
}

function facts(all: FactView[]): HTMLElement {
  const items = all.map((fact) =>
    element("li", { id: `fact-${fact.id}`, tabindex: "-1" }, element("strong", {}, `${fact.check}: `), fact.text, evidence(fact)),
  );
  return element("ol", { class: "facts" }, ...items);
}

function evidence(fact: FactView): Child {
  if (fact.evidence.length === 0 && fact.output === undefined) return undefined;
  const lines = fact.evidence.flatMap(({ label, text }) => [element("dt", {}, label), element("dd", {}, element("code", {}, text))]);
  // What can scroll must be within reach of the keyboard.
  const output =
    fact.output === undefined
      ? undefined
      : element("pre", { tabindex: "0", role: "region", "aria-label": `Output of ${fact.check}, fact ${fact.id}` }, fact.output);
  return details("Evidence", `fact ${fact.id}`, lines.length > 0 ? element("dl", {}, ...lines) : undefined, output);
}

function claimItem(claim: ClaimView, all: FactView[]): HTMLElement {
  const links = claim.facts.map((id) => {
    const number = all.findIndex((fact) => fact.id === id) + 1;
    return number === 0 ? undefined : button(`fact ${number}`, () => goTo(`fact-${id}`), { class: "link" });
  });
  const verdict = element("strong", { class: `verdict ${claim.verdict}` }, VERDICTS[claim.verdict] ?? claim.verdict);
  return element("span", {}, verdict, ": ", element("q", {}, claim.text), ...links.flatMap((link) => (link ? [" ", link] : [])));
}

function goTo(id: string): void {
  const target = document.getElementById(id);
  target?.scrollIntoView();
  target?.focus();
}

function files(all: FileView[], open: Open): HTMLElement[] {
  return all.flatMap((file) => [
    element("h3", {}, file.path),
    list(file.findings.map((finding) => findingItem(finding, open, "line")), { class: "findings" }),
  ]);
}

/** Where the file stands in the heading above, the link shows the line alone, but is read with the file. */
function findingItem(finding: FindingView, open: Open, shown: "line" | "place"): HTMLElement {
  const { place } = finding;
  const link =
    shown === "line"
      ? button(`line ${place.line}`, () => open(place), { class: "link", "aria-label": `Open ${place.path} at line ${place.line}` })
      : button(`${place.path}:${place.line}`, () => open(place), { class: "link" });
  return element(
    "span", {},
    link, " ",
    element("strong", { class: `severity ${finding.severity}` }, finding.severity), " ",
    finding.message, " ",
    element("code", {}, finding.rule),
    finding.suggestion === undefined ? undefined : element("span", { class: "suggestion" }, finding.suggestion),
  );
}

function risk(reasons: string[]): HTMLElement {
  return reasons.length > 0 ? list(reasons) : element("p", {}, "Nothing about it stands out.");
}

function checks(all: CheckView[]): HTMLElement {
  const head = ["Check", "Result", "Took", "What it saw"].map((title) => element("th", { scope: "col" }, title));
  const rows = all.map((check) =>
    element(
      "tr", {},
      element("th", { scope: "row" }, check.kind),
      element("td", { class: `status ${check.status}` }, check.word),
      element("td", { class: "number" }, check.duration),
      element("td", {}, check.summary, check.reason === undefined ? undefined : element("span", { class: "suggestion" }, check.reason)),
    ),
  );
  return element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
}

function comparison(model: PanelModel, open: Open): Child[] {
  if (model.comparison === undefined) return [];
  const { headline, groups, checks: changes } = model.comparison;
  const found = groups.flatMap(({ title, findings }) => {
    const items = findings.map((finding) => findingItem(finding, open, "place"));
    return [element("h3", {}, title), list(items, { class: "findings" })];
  });
  const other = changes.length > 0 ? [element("h3", {}, "Checks that ended differently"), list(changes)] : [];
  return [element("p", {}, headline), ...found, ...other];
}

function older(all: FileView[], open: Open): Child {
  const number = all.reduce((sum, file) => sum + file.findings.length, 0);
  if (number === 0) return undefined;
  return details(`${number} that this change did not bring`, "older", ...files(all, open));
}
