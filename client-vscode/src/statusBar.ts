/** The item in the status bar. */

import * as vscode from "vscode";
import * as protocol from "./protocol";
import type { ReportSummary } from "./report";
import type { Runs } from "./runs";
import type { Server } from "./server";
import { statusText, type Last } from "./statusText";

export class StatusBar implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem("verify.status", vscode.StatusBarAlignment.Left, 10);
  readonly #server: Server;
  readonly #runs: Runs;
  readonly #listeners: { dispose(): unknown }[];
  #last: Last | undefined;

  constructor(server: Server, runs: Runs) {
    this.#server = server;
    this.#runs = runs;
    this.#item.name = "Verify";
    this.#listeners = [
      server.onState((state) => void (state === "ready" ? this.#refresh() : this.#show())),
      server.onReport(() => void this.#refresh()),
      { dispose: runs.watch(() => this.#show()) },
    ];
    this.#show();
    this.#item.show();
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#item.dispose();
  }

  async #refresh(): Promise<void> {
    try {
      const [newest] = await this.#server.ask<ReportSummary[]>(protocol.LIST, { limit: 1 });
      this.#last = newest;
    } catch {
      // The server went away meanwhile; its next state brings us back here.
    }
    this.#show();
  }

  #show(): void {
    const running = this.#runs.running();
    const said = statusText(this.#server.state, running, this.#last);
    void vscode.commands.executeCommand("setContext", "verify.running", running !== undefined);
    this.#item.text = said.text;
    this.#item.tooltip = said.tooltip;
    this.#item.accessibilityInformation = { label: said.spoken, role: "button" };
    this.#item.command = this.#server.state === "off" ? "verify.showLog" : "verify.showReport";
    this.#item.backgroundColor =
      said.level === "none" ? undefined : new vscode.ThemeColor(`statusBarItem.${said.level}Background`);
  }
}
