/** How a fault is named: in a command's argument, and in the address of the text with the fault in it. */

export interface AskedMutant {
  findingId: string;
  reportId?: string;
}

/** Returns path and query of the address; the path ends like the file's, so that the text is coloured alike. */
export function mutantAddress(asked: AskedMutant, path: string): { path: string; query: string } {
  return { path: `/${path}`, query: JSON.stringify(asked) };
}

/** Reads a command's argument, or the query of an address; undefined for what names no fault. */
export function mutantAsked(given: unknown): AskedMutant | undefined {
  const value: unknown = typeof given === "string" ? parsed(given) : given;
  if (typeof value !== "object" || value === null) return undefined;
  const { findingId, reportId } = value as Record<string, unknown>;
  if (typeof findingId !== "string") return undefined;
  return typeof reportId === "string" && reportId !== "" ? { findingId, reportId } : { findingId };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
