/** Puts the parts together. */

import * as vscode from "vscode";
import { registerCommands } from "./commands";
import { Lenses } from "./lenses";
import { ProofPanel } from "./panel/panel";
import { Runs } from "./runs";
import { Server } from "./server";
import { StatusBar } from "./statusBar";
import { registerTool } from "./tool";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("verify-lsp", { log: true });
  const runs = new Runs();
  server = new Server(context, runs, log);
  const panel = new ProofPanel(context.extensionUri, server, runs);
  const parts = { server, runs, panel, log };
  context.subscriptions.push(log, panel, new StatusBar(server, runs), new Lenses(), ...registerCommands(parts), ...registerTool(parts));
  await server.start();
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
