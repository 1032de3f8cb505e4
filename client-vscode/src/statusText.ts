/** What the status bar says, as a plain function of what is known. */

import type { ReportStatus } from "./report";
import type { Run } from "./runs";
import { reportWord } from "./words";

export interface Last {
  status: ReportStatus;
  riskTier: number;
}

export interface StatusText {
  text: string;
  tooltip: string;
  spoken: string;
  level: "none" | "warning" | "error";
}

const ICONS: Record<ReportStatus, string> = {
  running: "$(loading~spin)",
  pass: "$(pass)",
  warn: "$(warning)",
  fail: "$(error)",
  error: "$(circle-slash)",
  cancelled: "$(circle-slash)",
  empty: "$(circle-outline)",
};

export function statusText(server: "starting" | "ready" | "off", running?: Run, last?: Last): StatusText {
  if (server === "off") {
    return say("$(circle-slash)", "Verify: no server", "The server does not run. Click for the log.", "warning");
  }
  if (running !== undefined) {
    const checks = running.report?.checks ?? [];
    const over = checks.filter((check) => check.status !== "pending" && check.status !== "running").length;
    const progress = checks.length > 0 ? ` ${over} of ${checks.length}` : "";
    return say("$(loading~spin)", `Verify: running${progress}`, "A proof is being made. Click to see it.", "none");
  }
  if (server === "starting") return say("$(loading~spin)", "Verify: starting", "The server is starting.", "none");
  if (last === undefined) return say("$(verified)", "Verify", "No proof yet. Click to make or see one.", "none");
  // What was not looked at to the end has no tier to speak of.
  const tier = ["pass", "warn", "fail"].includes(last.status) ? `, risk tier ${last.riskTier}` : "";
  const words = `Verify: ${reportWord(last.status)}${tier}`;
  const level = last.status === "fail" ? "error" : last.status === "warn" || last.status === "error" ? "warning" : "none";
  return say(ICONS[last.status] ?? "$(question)", words, "The newest proof. Click to see it.", level);
}

function say(icon: string, words: string, tooltip: string, level: StatusText["level"]): StatusText {
  return { text: `${icon} ${words}`, tooltip, spoken: `${words}. ${tooltip}`, level };
}
