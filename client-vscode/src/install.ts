/** A virtual environment of the extension's own, for who has no verify-lsp. Made on a click alone. */

import { execFile } from "node:child_process";
import * as fs from "node:fs/promises";
import { promisify } from "node:util";
import { inEnvironment } from "./findServer";

const run = promisify(execFile);
const LIMIT_MS = 10 * 60_000;

/** Makes the environment and returns the program in it. Each failure is an Error with one sentence for the user. */
export async function installServer(environment: string, pythons: string[], report: (step: string) => void): Promise<string> {
  const windows = process.platform === "win32";
  report("looking for Python");
  const python = await suitable(pythons);
  report("making a virtual environment");
  await fs.rm(environment, { recursive: true, force: true });
  await step([python, "-m", "venv", environment], "A virtual environment could not be made");
  const own = windows ? `${environment}\\Scripts\\python.exe` : `${environment}/bin/python`;
  report("installing verify-lsp");
  await step(
    [own, "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "verify-lsp"],
    "pip could not install verify-lsp",
  );
  return inEnvironment(environment, windows);
}

async function suitable(pythons: string[]): Promise<string> {
  for (const python of pythons) {
    try {
      const code = "import sys; print(sys.version_info >= (3, 11))";
      const { stdout } = await run(python, ["-I", "-c", code], { timeout: 30_000 });
      if (stdout.trim() === "True") return python;
    } catch {
      // Not there, or no Python: the next one may be.
    }
  }
  throw new Error("verify-lsp needs Python 3.11 or newer, and none was found. Install one, or set verify.serverPath.");
}

async function step([program, ...args]: [string, ...string[]], failure: string): Promise<void> {
  try {
    await run(program, args, { timeout: LIMIT_MS, maxBuffer: 16 << 20 });
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).trim().split("\n").at(-1) ?? "";
    throw new Error(`${failure}: ${said.slice(0, 300)}`);
  }
}
