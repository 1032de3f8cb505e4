/**
 * Lenses above failed tests and faults that no test notices. They stand on the server's diagnostics, which move with the
 * text and go when they no longer hold.
 */

import * as vscode from "vscode";
import { lensTitle } from "./lensText";

export class Lenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #changes = new vscode.EventEmitter<void>();
  readonly #parts: vscode.Disposable[];

  readonly onDidChangeCodeLenses = this.#changes.event;

  constructor() {
    this.#parts = [
      this.#changes,
      vscode.languages.onDidChangeDiagnostics(() => this.#changes.fire()),
      vscode.languages.registerCodeLensProvider({ scheme: "file" }, this),
    ];
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const ours = vscode.languages.getDiagnostics(document.uri).filter((one) => one.source === "verify");
    return ours.flatMap((one) => {
      const title = lensTitle(one.code !== null && typeof one.code === "object" ? one.code.value : one.code);
      const command = { title: title ?? "", tooltip: one.message, command: "verify.showReport" };
      return title === undefined ? [] : [new vscode.CodeLens(one.range, command)];
    });
  }

  dispose(): void {
    for (const part of this.#parts) part.dispose();
  }
}
