/** The server: found, started, restarted, and told of settings and trust. */

import * as vscode from "vscode";
import { LanguageClient, State, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { Collector } from "./collect";
import { explicitSettings } from "./explicit";
import { locateServer, offerInstallation } from "./locate";
import { Mutants } from "./mutants";
import * as protocol from "./protocol";
import type { RunNews } from "./report";
import type { Runs } from "./runs";

export type ServerState = "starting" | "ready" | "off";

export class Server implements vscode.Disposable {
  readonly #context: vscode.ExtensionContext;
  readonly #runs: Runs;
  readonly #log: vscode.LogOutputChannel;
  readonly #collector = new Collector();
  readonly #mutants = new Mutants((method, params) => this.ask(method, params));
  readonly #states = new vscode.EventEmitter<ServerState>();
  readonly #changes = new vscode.EventEmitter<string>();
  readonly #listeners: vscode.Disposable[];
  #client: LanguageClient | undefined;
  #starting: Promise<void> | undefined;
  #state: ServerState = "starting";

  readonly onState = this.#states.event;
  /** Fires with the id of each new report of the open folders, whoever made it. */
  readonly onReport = this.#changes.event;

  constructor(context: vscode.ExtensionContext, runs: Runs, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#runs = runs;
    this.#log = log;
    this.#listeners = [
      this.#collector,
      this.#mutants,
      vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#trusted()),
      vscode.workspace.onDidChangeConfiguration((event) => void this.#configured(event)),
    ];
  }

  get state(): ServerState {
    return this.#state;
  }

  /** Starts the server unless it runs. Where there is none, says so once. */
  async start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    await this.#starting;
  }

  async restart(): Promise<void> {
    await this.#starting;
    await this.#stop();
    await this.start();
  }

  /** Asks the server. Throws an Error with one sentence where it does not run or refuses. */
  async ask<T>(method: string, params: object): Promise<T> {
    await this.#starting;
    // One that is starting anew after a crash is waited for.
    if (this.#client === undefined || this.#client.state === State.Stopped) throw new Error("The verify-lsp server does not run; see its log.");
    return await this.#client.sendRequest<T>(method, params);
  }

  dispose(): Promise<void> {
    for (const listener of this.#listeners) listener.dispose();
    return this.#stop();
  }

  async #start(): Promise<void> {
    if (this.#client !== undefined) return;
    this.#become("starting");
    const found = await locateServer(this.#context);
    if ("missing" in found) {
      this.#become("off");
      this.#log.warn(found.missing);
      // Asked beside, so that nobody waits for the user's answer.
      void offerInstallation(this.#context, found.missing, this.#log).then((made) => (made ? this.start() : undefined));
      return;
    }
    this.#log.info(`starting ${found.program}, from ${found.from}`);
    this.#client = this.#connect(found.program);
    try {
      await this.#client.start();
    } catch (error) {
      this.#log.error(String(error));
      await this.#stop();
      const message = `verify-lsp could not be started: ${found.program} (from ${found.from}). The log says why.`;
      void vscode.window.showErrorMessage(message, "Show the Log").then((pick) => (pick ? this.#log.show() : undefined));
    }
  }

  #connect(program: string): LanguageClient {
    const run = { command: program, args: ["serve"] };
    const options: ServerOptions = { run, debug: run };
    const client = new LanguageClient("verify", "verify-lsp", options, this.#options());
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) this.#become("ready");
      else this.#runs.lost();
      if (newState === State.Starting) this.#become("starting");
      if (newState === State.Stopped && this.#client === client) this.#become("off");
    });
    client.onNotification(protocol.EVENT, (news: RunNews) => this.#runs.take(news));
    client.onNotification(protocol.CHANGED, (changed: { reportId: string }) => this.#changes.fire(changed.reportId));
    client.onRequest(protocol.COLLECT, (asked: { uris: string[] }) =>
      this.#collector.collect(asked.uris, (shown) => client.code2ProtocolConverter.asDiagnostics(shown)),
    );
    return client;
  }

  #options(): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
      outputChannel: this.#log,
      // A function, so that a restart tells how things stand then.
      initializationOptions: () => ({
        trusted: vscode.workspace.isTrusted,
        settings: this.#settings(undefined),
        capabilities: { collectDiagnostics: true },
      }),
      diagnosticPullOptions: { onChange: true, onSave: true, onFocus: false, onTabs: false },
      middleware: {
        executeCommand: async (command, given, next) => {
          if (!(await this.#mutants.take(command, given[0]))) return await next(command, given);
        },
        workspace: {
          configuration: ({ items }) =>
            items.map(({ scopeUri }) => this.#settings(scopeUri === undefined ? undefined : vscode.Uri.parse(scopeUri))),
        },
      },
    };
  }

  #settings(folder: vscode.Uri | undefined): Record<string, unknown> {
    const [group] = this.#context.extension.packageJSON.contributes.configuration;
    const keys = Object.keys(group.properties).map((key) => key.replace(/^verify\./, ""));
    const configuration = vscode.workspace.getConfiguration("verify", folder ?? null);
    return explicitSettings(keys, (key) => configuration.inspect(key));
  }

  async #configured(event: vscode.ConfigurationChangeEvent): Promise<void> {
    if (event.affectsConfiguration("verify.serverPath")) return await this.restart();
    if (event.affectsConfiguration("verify") && this.#client?.state === State.Running) {
      // The server asks for what it needs, folder by folder.
      await this.#client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  async #trusted(): Promise<void> {
    if (this.#client?.state === State.Running) await this.#client.sendNotification(protocol.TRUST, { trusted: true });
    else await this.start();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined) await client.dispose().catch((error: unknown) => this.#log.debug(String(error)));
    this.#runs.lost();
    this.#become("off");
  }

  #become(state: ServerState): void {
    this.#state = state;
    void vscode.commands.executeCommand("setContext", "verify.ready", state === "ready");
    this.#states.fire(state);
  }
}
