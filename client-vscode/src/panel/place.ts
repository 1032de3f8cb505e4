/** Where a place of a report is on disk. A report's paths come from tools, and must not lead out of its folder. */

import * as path from "node:path";

/** Returns the absolute path, or undefined when it would lie outside of `workspace`. */
export function fileOf(workspace: string, relative: string): string | undefined {
  const file = path.resolve(workspace, relative);
  const back = path.relative(workspace, file);
  return back === "" || back.startsWith("..") || path.isAbsolute(back) ? undefined : file;
}

/** 1-based columns of reports count code points, those of the editor UTF-16 units from 0. */
export function unitColumn(line: string, column: number): number {
  return [...line].slice(0, Math.max(0, column - 1)).join("").length;
}
