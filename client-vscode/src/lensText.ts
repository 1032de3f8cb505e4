/** What stands above a line that the last proof speaks of, as a plain function of the rule. */

const TITLES: Record<string, string> = {
  "test-failed": "$(error) Failed in the last proof",
  "mutation-survived": "$(bug) No test notices a fault here",
  "mutation-not-covered": "$(bug) No test runs this line",
};

/** Returns the title for a finding of this rule; undefined for one that its squiggle says all about. */
export function lensTitle(rule: unknown): string | undefined {
  return typeof rule === "string" ? TITLES[rule] : undefined;
}
