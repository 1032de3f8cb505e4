/** What other language servers of this editor say about some files, for the check `diagnostics`. */

import * as vscode from "vscode";

const QUIET_MS = 2_000;
const LIMIT_MS = 12_000;
const OWN = "verify";

interface FileAnswer<T> {
  uri: string;
  version: number;
  diagnostics: T[];
}

type Convert<T> = (shown: vscode.Diagnostic[]) => T[] | Promise<T[]>;

export class Collector implements vscode.Disposable {
  /** Languages that somebody reported an error for: only there does silence mean that nothing is wrong. */
  readonly #served = new Set<string>();
  readonly #listener: vscode.Disposable;

  constructor() {
    this.#listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#hear(uris));
  }

  dispose(): void {
    this.#listener.dispose();
  }

  /** Answers for each file that some server is known to look at. A file that is left out was looked at by nobody. */
  async collect<T>(uris: readonly string[], convert: Convert<T>): Promise<FileAnswer<T>[]> {
    const settled = quiet(new Set(uris));
    const opened = await Promise.all(uris.map(open));
    await settled;
    const answers: FileAnswer<T>[] = [];
    for (const [index, document] of opened.entries()) {
      if (document === undefined) continue;
      const shown = foreign(document.uri);
      if (shown.length === 0 && !this.#served.has(document.languageId)) continue;
      answers.push({ uri: uris[index] ?? "", version: document.version, diagnostics: await convert(shown) });
    }
    return answers;
  }

  #hear(uris: readonly vscode.Uri[]): void {
    const names = new Set(uris.map(String));
    for (const document of vscode.workspace.textDocuments) {
      if (!names.has(document.uri.toString())) continue;
      const errors = foreign(document.uri).some((shown) => shown.severity === vscode.DiagnosticSeverity.Error);
      if (errors) this.#served.add(document.languageId);
    }
  }
}

/** Opens a file for the language servers; they look at open files alone. No editor is shown. */
async function open(uri: string): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  } catch {
    return undefined; // Deleted, or no text.
  }
}

function foreign(uri: vscode.Uri): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(uri).filter((shown) => shown.source !== OWN);
}

/** Ends once nobody said anything new about these files for a while, or after the limit. */
function quiet(uris: ReadonlySet<string>): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      listener.dispose();
      clearTimeout(limit);
      clearTimeout(pause);
      resolve();
    };
    const listener = vscode.languages.onDidChangeDiagnostics((event) => {
      if (event.uris.some((uri) => uris.has(uri.toString()))) {
        clearTimeout(pause);
        pause = setTimeout(end, QUIET_MS);
      }
    });
    const limit = setTimeout(end, LIMIT_MS);
    let pause = setTimeout(end, QUIET_MS);
  });
}
