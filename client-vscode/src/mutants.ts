/** Faults that no test notices: shown beside the text as a read-only difference, and told to an agent by the clipboard. */

import * as vscode from "vscode";
import { mutantAddress, mutantAsked, type AskedMutant } from "./mutantAddress";
import * as protocol from "./protocol";

const SCHEME = "verify-mutant";
const SETTLED_MS = 300;
const TOLD_MS = 6000;

/** What the server answers: all about a fault, or why it does not fit the text any more. */
type Told = { uri: string; path: string; title: string; mutated: string; brief: string } | { reason: string };
type Ask = (method: string, params: object) => Promise<Told>;

/** The text with the fault in it stands in no file: it is asked for whenever the editor wants it, also after a restart. */
export class Mutants implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #ask: Ask;
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly #parts: vscode.Disposable[];
  #later: NodeJS.Timeout | undefined;

  readonly onDidChange = this.#changes.event;

  constructor(ask: Ask) {
    this.#ask = ask;
    this.#parts = [
      this.#changes,
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#follow(document)),
    ];
  }

  /** Does what a command of the server's is for, as far as an editor can do it better; false for every other command. */
  async take(command: string, given: unknown): Promise<boolean> {
    if (command !== protocol.SHOW_MUTANT && command !== protocol.BRIEF_MUTANT) return false;
    const asked = mutantAsked(given);
    if (asked === undefined) return false;
    try {
      const told = await this.#ask(protocol.MUTANT, asked);
      if ("reason" in told) void vscode.window.showWarningMessage(`Verify: ${told.reason}`);
      else if (command === protocol.SHOW_MUTANT) await show(asked, told);
      else await copy(told.brief);
    } catch (error) {
      void vscode.window.showErrorMessage(`Verify: ${error instanceof Error ? error.message : String(error)}`);
    }
    return true;
  }

  async provideTextDocumentContent(address: vscode.Uri): Promise<string> {
    const asked = mutantAsked(address.query);
    if (asked === undefined) return "";
    try {
      const told = await this.#ask(protocol.MUTANT, asked);
      return "reason" in told ? `${told.reason}\n` : told.mutated;
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  dispose(): void {
    clearTimeout(this.#later);
    for (const part of this.#parts) part.dispose();
  }

  /** What stands beside a text that is being edited is asked for anew. */
  #follow(document: vscode.TextDocument): void {
    if (document.uri.scheme !== "file") return;
    clearTimeout(this.#later);
    this.#later = setTimeout(() => {
      for (const open of vscode.workspace.textDocuments) {
        if (open.uri.scheme === SCHEME) this.#changes.fire(open.uri);
      }
    }, SETTLED_MS);
  }
}

async function show(asked: AskedMutant, told: Exclude<Told, { reason: string }>): Promise<void> {
  const mutated = vscode.Uri.from({ scheme: SCHEME, ...mutantAddress(asked, told.path) });
  const title = `${told.path}: ${told.title}`;
  await vscode.commands.executeCommand("vscode.diff", vscode.Uri.parse(told.uri), mutated, title, { preview: true });
}

async function copy(brief: string): Promise<void> {
  await vscode.env.clipboard.writeText(brief);
  vscode.window.setStatusBarMessage("$(copy) Verify: copied for an agent", TOLD_MS);
}
