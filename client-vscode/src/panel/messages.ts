/** What the panel's page and the extension say to each other. */

import type { PanelModel, Place } from "./model";

export type ToPage = { type: "model"; model: PanelModel } | { type: "message"; text: string };

export type FromPage =
  | { type: "ready" }
  | { type: "open"; place: Place }
  | { type: "again" }
  | { type: "cancel" }
  | { type: "previous" };

/** The page shows text of others, so that what it sends is looked at as if it were theirs. Answers undefined for what is none of ours. */
export function readMessage(sent: unknown): FromPage | undefined {
  if (typeof sent !== "object" || sent === null || !("type" in sent)) return undefined;
  switch (sent.type) {
    case "ready":
    case "again":
    case "cancel":
    case "previous":
      return { type: sent.type };
    case "open":
      return "place" in sent && isPlace(sent.place) ? { type: "open", place: sent.place } : undefined;
    default:
      return undefined;
  }
}

function isPlace(given: unknown): given is Place {
  if (typeof given !== "object" || given === null) return false;
  const { path, line, column } = given as Record<string, unknown>;
  return typeof path === "string" && Number.isInteger(line) && Number.isInteger(column);
}
