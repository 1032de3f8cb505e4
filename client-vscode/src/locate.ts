/** Finds the server's program as this editor has it, and offers to install one. */

import { constants } from "node:fs";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { findServer, type Found } from "./findServer";
import { installServer } from "./install";

export function locateServer(context: vscode.ExtensionContext): Promise<Found> {
  return findServer({
    setting: vscode.workspace.getConfiguration("verify").get<string>("serverPath", ""),
    interpreter: selectedInterpreter,
    folders: (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    trusted: vscode.workspace.isTrusted,
    search: (process.env["PATH"] ?? "").split(path.delimiter),
    own: ownEnvironment(context),
    windows: process.platform === "win32",
    isProgram,
  });
}

/** Asks, and installs on a click. Answers whether there is a server now; a failure is told as one message. */
export async function offerInstallation(
  context: vscode.ExtensionContext, missing: string, log: vscode.LogOutputChannel,
): Promise<boolean> {
  const install = "Install It";
  const choose = "Set Its Path";
  const pick = await vscode.window.showWarningMessage(
    `${missing} It can be installed into a virtual environment of the extension's own, from your package index.`, install, choose,
  );
  if (pick === choose) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "verify.serverPath");
    return false;
  }
  if (pick !== install) return false;
  try {
    const pythons = [await trustedInterpreter(), "python3", "python"].filter((one) => one !== undefined);
    const options = { location: vscode.ProgressLocation.Notification, title: "verify-lsp" };
    await vscode.window.withProgress(options, (progress) =>
      installServer(ownEnvironment(context), pythons, (message) => progress.report({ message })),
    );
    return true;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    log.error(message);
    void vscode.window.showErrorMessage(message);
    return false;
  }
}

function ownEnvironment(context: vscode.ExtensionContext): string {
  return path.join(context.globalStorageUri.fsPath, "environment");
}

/** What a workspace selected is run only where the workspace is trusted. */
function trustedInterpreter(): Promise<string | undefined> {
  return vscode.workspace.isTrusted ? selectedInterpreter() : Promise.resolve(undefined);
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): unknown;
    resolveEnvironment(path: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
  };
}

async function selectedInterpreter(): Promise<string | undefined> {
  try {
    const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
    const environments = (await extension?.activate())?.environments;
    const active = environments?.getActiveEnvironmentPath(vscode.workspace.workspaceFolders?.[0]?.uri);
    return (await environments?.resolveEnvironment(active))?.executable?.uri?.fsPath;
  } catch {
    return undefined; // Its trouble is not ours: there are other places to look at.
  }
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await fs.access(file, process.platform === "win32" ? constants.F_OK : constants.X_OK);
    return (await fs.stat(file)).isFile();
  } catch {
    return false;
  }
}
