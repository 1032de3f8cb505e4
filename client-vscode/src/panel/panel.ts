/** The proof panel: one, which shows a report, of a run that goes on as well as of one that ended. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import * as protocol from "../protocol";
import type { Report, ReportSummary } from "../report";
import type { Runs } from "../runs";
import type { Server } from "../server";
import { pageHtml } from "./html";
import { readMessage, type FromPage, type ToPage } from "./messages";
import { panelModel, type Place } from "./model";
import { fileOf, unitColumn } from "./place";

export class ProofPanel implements vscode.Disposable {
  readonly #extension: vscode.Uri;
  readonly #server: Server;
  readonly #runs: Runs;
  readonly #stop: () => void;
  #panel: vscode.WebviewPanel | undefined;
  #reportId = "";
  #report: Report | undefined;

  constructor(extension: vscode.Uri, server: Server, runs: Runs) {
    this.#extension = extension;
    this.#server = server;
    this.#runs = runs;
    this.#stop = runs.watch((run) => (run.reportId === this.#reportId ? void this.#refresh() : undefined));
  }

  dispose(): void {
    this.#stop();
    this.#panel?.dispose();
  }

  show(reportId: string): void {
    this.#reportId = reportId;
    this.#report = undefined;
    if (this.#panel === undefined) this.#panel = this.#open();
    else this.#panel.reveal(undefined, true);
    void this.#refresh();
  }

  #open(): vscode.WebviewPanel {
    const root = vscode.Uri.joinPath(this.#extension, "dist");
    const media = vscode.Uri.joinPath(this.#extension, "media");
    const where = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    const panel = vscode.window.createWebviewPanel("verify.proof", "Proof", where, {
      enableScripts: true,
      enableFindWidget: true,
      localResourceRoots: [root, media],
    });
    panel.onDidDispose(() => (this.#panel = undefined));
    panel.webview.onDidReceiveMessage((sent: unknown) => void this.#hear(readMessage(sent)));
    const address = (folder: vscode.Uri, name: string) => panel.webview.asWebviewUri(vscode.Uri.joinPath(folder, name)).toString();
    panel.webview.html = pageHtml({
      cspSource: panel.webview.cspSource,
      nonce: randomBytes(16).toString("hex"),
      script: address(root, "panel.js"),
      style: address(media, "panel.css"),
    });
    return panel;
  }

  async #refresh(): Promise<void> {
    const reportId = this.#reportId;
    const run = this.#runs.get(reportId);
    if (run?.error !== undefined) {
      // What is known so far stays of use, but not as something that goes on.
      const report = run.report === undefined ? undefined : { ...run.report, status: "error" as const };
      if (report !== undefined) this.#tell({ type: "model", model: panelModel(report) });
      return this.#tell({ type: "message", text: `The proof could not be made: ${run.error}.` });
    }
    try {
      const report = run?.report ?? (await this.#server.ask<Report>(protocol.GET, { reportId }));
      const previous = report.status === "running" ? undefined : await this.#previous(report);
      if (reportId !== this.#reportId) return;
      this.#report = report;
      this.#tell({ type: "model", model: panelModel(report, previous) });
    } catch (error) {
      // A run that was only just started has no report yet; its first event brings us back.
      if (run === undefined || run.ended) this.#tell({ type: "message", text: String(error instanceof Error ? error.message : error) });
    }
  }

  /** The whole report before this one, of the same folder and the same kind of scope. */
  async #previous(report: Report): Promise<Report | undefined> {
    const listed = await this.#server.ask<ReportSummary[]>(protocol.LIST, {});
    const older = listed.filter(
      (one) => one.createdAt < report.createdAt && one.scope.kind === report.scope.kind && !["running", "cancelled", "error"].includes(one.status),
    );
    for (const one of older.slice(0, 5)) {
      const before = await this.#server.ask<Report>(protocol.GET, { reportId: one.id });
      if (before.workspace === report.workspace) return before;
    }
    return undefined;
  }

  async #hear(message: FromPage | undefined): Promise<void> {
    try {
      switch (message?.type) {
        case "ready":
          return await this.#refresh();
        case "open":
          return await this.#follow(message.place);
        case "again":
          return await this.#again();
        case "cancel":
          return void (await vscode.commands.executeCommand("verify.cancel", this.#reportId));
        case "previous":
          return void (await vscode.commands.executeCommand("verify.previousReports"));
      }
    } catch (error) {
      void vscode.window.showErrorMessage(`Verify: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #again(): Promise<void> {
    if (this.#report === undefined) return;
    const { scope, workspace } = this.#report;
    const { reportId } = await this.#server.ask<{ reportId: string }>(protocol.RUN, { scope, workspace });
    this.#runs.started(reportId);
    this.show(reportId);
  }

  async #follow({ path, line, column }: Place): Promise<void> {
    const file = this.#report === undefined ? undefined : fileOf(this.#report.workspace, path);
    if (file === undefined) throw new Error(`${path} is not in the folder of the report.`);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    const row = Math.min(Math.max(line, 1), document.lineCount) - 1;
    const at = new vscode.Position(row, unitColumn(document.lineAt(row).text, column));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, at) });
  }

  #tell(message: ToPage): void {
    void this.#panel?.webview.postMessage(message);
  }
}
