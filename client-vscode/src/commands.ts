/** The commands, in the order of the palette. */

import * as vscode from "vscode";
import type { ProofPanel } from "./panel/panel";
import * as protocol from "./protocol";
import type { Report, ReportSummary, Scope } from "./report";
import type { Runs } from "./runs";
import type { Server } from "./server";
import { reportWord, scopeWord } from "./words";

export interface Parts {
  server: Server;
  runs: Runs;
  panel: ProofPanel;
  log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const table: Record<string, (...given: unknown[]) => unknown> = {
    "verify.runWorkingTree": () => run(parts, { kind: "working-tree" }),
    "verify.runStaged": () => run(parts, { kind: "staged" }),
    "verify.runBranch": () => run(parts, { kind: "branch" }),
    "verify.runFiles": (one, many) => runFiles(parts, one, many),
    "verify.cancel": (id) => cancel(parts, id),
    "verify.showReport": () => showReport(parts),
    "verify.previousReports": () => pickReport(parts),
    "verify.fixAll": () => vscode.commands.executeCommand("editor.action.sourceAction", { kind: "source.fixAll.verify", apply: "first" }),
    "verify.restart": () => parts.server.restart(),
    "verify.trust": () => aboutTrust(),
    "verify.showLog": () => parts.log.show(),
  };
  return Object.entries(table).map(([name, act]) => vscode.commands.registerCommand(name, told(act)));
}

/** Starts a run and shows it. Answers the report's id. */
export async function run(parts: Parts, scope: Scope): Promise<string> {
  const { reportId } = await parts.server.ask<{ reportId: string }>(protocol.RUN, { scope });
  parts.runs.started(reportId);
  if (vscode.workspace.getConfiguration("verify").get("openPanelOnRun", true)) parts.panel.show(reportId);
  return reportId;
}

/** From the explorer come the file clicked and all that are marked; from the palette comes nothing. */
async function runFiles(parts: Parts, one: unknown, many: unknown): Promise<void> {
  const given = Array.isArray(many) && many.length > 0 ? many : [one ?? vscode.window.activeTextEditor?.document.uri];
  const files = given.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri && uri.scheme === "file");
  if (files.length === 0) throw new Error("No file is open that could be verified.");
  await run(parts, { kind: "files", files: files.map((uri) => uri.toString()) });
}

async function cancel(parts: Parts, id: unknown): Promise<void> {
  const reportId = typeof id === "string" ? id : parts.runs.running()?.reportId;
  if (reportId === undefined) throw new Error("No run goes on.");
  await parts.server.ask(protocol.CANCEL, { reportId });
}

async function showReport(parts: Parts): Promise<void> {
  const running = parts.runs.running();
  if (running !== undefined) return parts.panel.show(running.reportId);
  const report = await parts.server.ask<Report | null>(protocol.LATEST, {});
  if (report !== null) return parts.panel.show(report.id);
  const make = "Run a Proof";
  const pick = await vscode.window.showInformationMessage("There is no report of this workspace yet.", make);
  if (pick === make) await run(parts, { kind: "working-tree" });
}

async function pickReport(parts: Parts): Promise<void> {
  const reports = await parts.server.ask<ReportSummary[]>(protocol.LIST, {});
  const items = reports.map((report) => ({
    label: `${reportWord(report.status)}, risk tier ${report.riskTier}`,
    description: scopeWord(report.scope),
    detail: new Date(report.createdAt).toLocaleString(),
    id: report.id,
  }));
  if (items.length === 0) throw new Error("There is no report of this workspace yet.");
  const picked = await vscode.window.showQuickPick(items, { title: "Reports", matchOnDescription: true, matchOnDetail: true });
  if (picked !== undefined) parts.panel.show(picked.id);
}

async function aboutTrust(): Promise<void> {
  if (vscode.workspace.isTrusted) {
    const said = "This workspace is trusted: a proof runs its tests and tools, and its settings may name commands.";
    const pick = await vscode.window.showInformationMessage(said, "Manage Trust");
    if (pick !== undefined) await vscode.commands.executeCommand("workbench.trust.manage");
    return;
  }
  await vscode.commands.executeCommand("workbench.trust.manage");
}

/** A refusal of the server, and whatever else goes wrong, is one message for the user. */
function told(act: (...given: unknown[]) => unknown): (...given: unknown[]) => Promise<unknown> {
  return async (...given) => {
    try {
      return await act(...given);
    } catch (error) {
      void vscode.window.showErrorMessage(`Verify: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  };
}
