/** Where the server's program is. The order is fixed; what the world looks like is asked through `Places`. */

import * as path from "node:path";

export interface Places {
  /** The setting `verify.serverPath`, blank when it is not set. */
  setting: string;
  /** The selected Python interpreter, where the Python extension tells one. */
  interpreter: () => Promise<string | undefined>;
  folders: string[];
  trusted: boolean;
  /** The folders of PATH. */
  search: string[];
  /** The virtual environment that the extension made for itself. */
  own: string;
  windows: boolean;
  isProgram: (file: string) => Promise<boolean>;
}

export type Found = { program: string; from: string } | { missing: string };

/** Returns the first program there is, or one sentence on why there is none. */
export async function findServer(places: Places): Promise<Found> {
  if (places.setting.trim() !== "") return fromSetting(places, places.setting.trim());
  for (const [program, from] of await candidates(places)) {
    if (await places.isProgram(program)) return { program, from };
  }
  return { missing: "verify-lsp was not found: not beside the Python interpreter, not on the PATH." };
}

/** Where the program lies in a virtual environment. */
export function inEnvironment(environment: string, windows: boolean): string {
  return windows
    ? path.win32.join(environment, "Scripts", "verify-lsp.exe")
    : path.posix.join(environment, "bin", "verify-lsp");
}

async function fromSetting(places: Places, program: string): Promise<Found> {
  if (!isAbsolute(program, places.windows)) {
    return { missing: `verify.serverPath must be an absolute path, and is "${program}".` };
  }
  if (await places.isProgram(program)) return { program, from: "the setting verify.serverPath" };
  return { missing: `verify.serverPath names "${program}", where there is no program.` };
}

async function candidates(places: Places): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const interpreter = await places.interpreter();
  if (interpreter !== undefined && (places.trusted || !isInside(interpreter, places))) {
    const name = places.windows ? "verify-lsp.exe" : "verify-lsp";
    found.push([join(places, path.dirname(interpreter), name), "the selected Python interpreter"]);
  }
  if (places.trusted) {
    for (const folder of places.folders) {
      found.push([inEnvironment(join(places, folder, ".venv"), places.windows), "the workspace's .venv"]);
    }
  }
  // A relative entry of PATH would be looked for in whatever folder we happen to stand in.
  for (const folder of places.search.filter((one) => isAbsolute(one, places.windows))) {
    if (!places.trusted && isInside(folder, places)) continue;
    found.push([join(places, folder, places.windows ? "verify-lsp.exe" : "verify-lsp"), "the PATH"]);
  }
  found.push([inEnvironment(places.own, places.windows), "the extension's own environment"]);
  return found;
}

function isInside(file: string, places: Places): boolean {
  return places.folders.some((folder) => {
    const relative = path.relative(folder, file);
    return relative === "" || (!relative.startsWith("..") && !path.isAbsolute(relative));
  });
}

function isAbsolute(file: string, windows: boolean): boolean {
  return windows ? path.win32.isAbsolute(file) : path.posix.isAbsolute(file);
}

function join(places: Places, ...parts: string[]): string {
  return places.windows ? path.win32.join(...parts) : path.posix.join(...parts);
}
