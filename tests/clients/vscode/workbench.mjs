// A real VS Code workbench (code-server) in headless Chromium, with the extension installed: started, driven, ended.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";

const LIMIT_MS = 90_000;
const STEP_MS = 50;

/** Waits until `test` answers something true, and answers that. What is waited for is named in the failure. */
export async function until(what, test, limit = LIMIT_MS) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await test();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

const SETTINGS = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.tips.enabled": false,
  "chat.disableAIFeatures": true,
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
  "files.autoSave": "off",
  "git.enabled": false,
  // Ours alone shall find what is wrong.
  "json.validate.enable": false,
  "editor.minimap.enabled": false,
  // What is typed is what stands there.
  "editor.autoIndent": "none",
  "editor.autoClosingBrackets": "never",
  "editor.autoClosingQuotes": "never",
  "editor.autoSurround": "never",
  "editor.quickSuggestions": { "other": "off", "comments": "off", "strings": "off" },
  "workbench.colorTheme": "Dark Modern",
};

export class Workbench {
  /** `editors` is what tests/tools/install-editors brought; `home` an empty folder; `env` is added to a small environment. */
  static async start({ editors, home, folder, vsix, settings, env, shots }) {
    const bench = new Workbench();
    Object.assign(bench, { editors, home, folder, shots, log: "" });
    const data = join(home, "data");
    mkdirSync(join(data, "User"), { recursive: true });
    writeFileSync(join(data, "User", "settings.json"), JSON.stringify({ ...SETTINGS, ...settings }, null, 2));
    const node = join(editors, "node");
    const entry = join(editors, "node_modules/code-server/out/node/entry.js");
    const places = ["--user-data-dir", data, "--extensions-dir", join(home, "extensions")];
    const small = { HOME: home, TMPDIR: home, LANG: "C.UTF-8", EXTENSIONS_GALLERY: "{}", ...env };
    execFileSync(node, [entry, ...places, "--install-extension", vsix], { env: small, stdio: "pipe" });
    const port = await freePort();
    bench.server = spawn(
      node,
      [entry, ...places, "--bind-addr", `127.0.0.1:${port}`, "--auth", "none", "--disable-telemetry", "--disable-update-check",
        "--disable-getting-started-override", "--disable-proxy", folder],
      { env: small, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [bench.server.stdout, bench.server.stderr]) stream.on("data", (text) => (bench.log += text));
    try {
      await until("code-server", () => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false));
      await bench.#browse(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
    } catch (error) {
      await bench.close();
      throw error;
    }
    return bench;
  }

  async #browse(address) {
    const { chromium } = createRequire(join(this.editors, "package.json"))("playwright-core");
    // Unpacked only where the system has none of its own.
    const libraries = join(this.editors, "lib");
    this.context = await chromium.launchPersistentContext(join(this.home, "browser"), {
      executablePath: join(this.editors, "chromium"),
      env: { ...process.env, ...(existsSync(libraries) ? { LD_LIBRARY_PATH: libraries } : {}) },
      viewport: { width: 1280, height: 800 },
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync"],
    });
    this.page = this.context.pages()[0] ?? (await this.context.newPage());
    this.page.setDefaultTimeout(LIMIT_MS);
    await this.page.goto(address, { waitUntil: "commit" });
    await this.page.locator(".monaco-workbench").waitFor();
    await this.page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  }

  async close() {
    await this.context?.close();
    await endGroup(this.server.pid);
  }

  shot(name) {
    return this.page.screenshot({ path: join(this.shots, `${name}.png`) });
  }

  /** Runs the command with exactly this title. */
  async command(title) {
    await this.#ask("F1", `>${title}`);
    await this.page.locator(`.quick-input-list .monaco-list-row`, { hasText: title }).first().click();
    await this.#restPointer();
  }

  /**
   * Opens the field that the key opens, and fills it. A key that is pressed while the focus moves is lost, and a field that
   * was open may be closing just then: both are tried again.
   */
  async #ask(key, text) {
    const input = this.page.locator(".quick-input-widget input[type=text]").first();
    await until(`the field of ${key}`, async () => {
      await this.page.keyboard.press(key);
      return input.fill(text, { timeout: 3_000 }).then(() => true, () => false);
    });
  }

  /** Picks an entry of the list that is open. */
  async pick(label) {
    const row = this.page.locator(".quick-input-list .monaco-list-row", { hasText: label }).first();
    // The list of commands may still be there; what is typed into it leads nowhere.
    await until(label, async () => {
      await this.page.locator(".quick-input-widget input[type=text]").first().fill(label, { timeout: 2_000 }).catch(() => undefined);
      return row.isVisible();
    });
    await row.click();
    await this.#restPointer();
  }

  /** Nothing shall be under the pointer that tells something of itself. */
  #restPointer() {
    return this.page.mouse.move(700, 795);
  }

  /** Opens a file of the folder and puts the cursor at its beginning. */
  async open(name) {
    await this.#ask("Control+P", name);
    await this.page.locator(`.quick-input-list .monaco-list-row[aria-label^="${name}"]`).first().click();
    await this.#restPointer();
    await this.page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
    await this.page.locator(".editor-instance .monaco-editor.focused").first().waitFor();
    await this.page.keyboard.press("Control+Home");
  }

  /** Replaces the text of the focused editor. */
  async type(text) {
    await this.page.keyboard.press("Control+A");
    await this.page.keyboard.insertText(text);
  }

  rows(text) {
    return this.page.locator(".markers-panel .monaco-list-row", { hasText: text });
  }

  /** Waits until the list of problems has exactly so many rows with this text. */
  async problems(text, count) {
    await until(`${count} problems "${text}"`, async () => (await this.rows(text).count()) === count);
  }

  get panel() {
    return this.page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
  }

  status(text) {
    return this.page.locator(".statusbar-item", { hasText: text }).first();
  }
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Ends code-server and all it started, nothing else. */
async function endGroup(pid) {
  const signal = (name) => {
    try {
      return process.kill(-pid, name);
    } catch {
      return false;
    }
  };
  signal("SIGTERM");
  await until("the end of code-server", () => !signal(0), 10_000).catch(() => signal("SIGKILL"));
}
