/** The tool that language models of the editor may call, where the editor has such a thing. */

import * as vscode from "vscode";
import type { Parts } from "./commands";
import { panelModel } from "./panel/model";
import { modelText } from "./panel/text";
import * as protocol from "./protocol";
import type { Scope } from "./report";

interface Input {
  scope?: "working-tree" | "staged" | "branch" | "files";
  files?: string[];
  base?: string;
  message?: string;
}

export function registerTool(parts: Parts): vscode.Disposable[] {
  if (typeof vscode.lm?.registerTool !== "function") return [];
  return [
    vscode.lm.registerTool<Input>("verify_run", {
      prepareInvocation: ({ input }) => ({ invocationMessage: `Verifying ${input.scope ?? "working-tree"}` }),
      invoke: ({ input }, token) => invoke(parts, input, token),
    }),
  ];
}

async function invoke(parts: Parts, input: Input, token: vscode.CancellationToken): Promise<vscode.LanguageModelToolResult> {
  const params = { scope: scopeOf(input), ...(input.message === undefined ? {} : { message: input.message }) };
  const { reportId } = await parts.server.ask<{ reportId: string }>(protocol.RUN, params);
  parts.runs.started(reportId);
  const stop = () => void parts.server.ask(protocol.CANCEL, { reportId }).catch(() => undefined);
  const listener = token.onCancellationRequested(stop);
  if (token.isCancellationRequested) stop();
  const run = await parts.runs.ended(reportId).finally(() => listener.dispose());
  if (run.error !== undefined || run.report === undefined) throw new Error(`The proof could not be made: ${run.error ?? "no report"}.`);
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(modelText(panelModel(run.report)))]);
}

function scopeOf(input: Input): Scope {
  const kind = input.scope ?? "working-tree";
  if (kind === "files") return { kind, files: input.files ?? [] };
  return kind === "branch" && input.base !== undefined ? { kind, base: input.base } : { kind };
}
