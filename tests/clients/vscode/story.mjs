// What a user does with the extension, from a folder that is not trusted yet to a server that was killed.
// Takes one argument, a JSON object; prints one line a step; exits with 0 when every step went well.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Workbench, until } from "./workbench.mjs";

const given = JSON.parse(process.argv[2]);
const { editors, folder, hold } = given;
const bench = await Workbench.start(given);
const { page } = bench;
const onDisk = (name) => readFileSync(join(folder, name), "utf8");
const COMMA = "JSON allows no comma";

const steps = {
  async "a broken file has one squiggle and one problem, also without trust"() {
    await page.getByText("Restricted Mode").first().waitFor();
    await bench.open("menu.json");
    await page.locator(".squiggly-error").first().waitFor();
    if ((await page.locator(".squiggly-error").count()) !== 1) throw new Error("more than one squiggle");
    await page.keyboard.press("Control+Shift+M");
    await bench.problems(COMMA, 1);
    await bench.shot("findings");
  },
  async "its quick fix leaves nothing to find, and the saved file is right"() {
    await bench.rows(COMMA).first().dblclick();
    await bench.status("Ln 2, Col 12").waitFor();
    const fix = page.locator(".action-widget .monaco-list-row", { hasText: "Remove the" });
    // The editor may still be settling from the jump, and then closes the menu again.
    await until("the quick fix", async () => {
      await page.keyboard.press("Control+.");
      return fix.waitFor({ timeout: 3_000 }).then(() => true, () => false);
    });
    await bench.shot("quick-fix");
    await fix.click();
    await bench.problems(COMMA, 0);
    await page.keyboard.press("Control+S");
    await until("the saved file", () => onDisk("menu.json") === '{\n  "tea": 2\n}\n');
  },
  async "what is typed wrong is found while it is typed, and the command mends it"() {
    await bench.open("menu.json");
    await bench.type('{\n  "tea": 3,\n}\n');
    await bench.problems(COMMA, 1);
    await bench.command("Verify: Fix All in This File That Is Safe to Fix");
    await bench.problems(COMMA, 0);
    await page.keyboard.press("Control+S");
    await until("the saved file", () => onDisk("menu.json") === '{\n  "tea": 3\n}\n');
  },
  async "a file is mended on save where the user wants it"() {
    await bench.open("list.yaml");
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("# more\n");
    await page.keyboard.press("Control+S");
    await until("the mended file", () => onDisk("list.yaml").endsWith("# more\n") && !onDisk("list.yaml").includes("\t"));
  },
  async "a file that another program writes is looked at"() {
    writeFileSync(join(folder, "written.json"), '{"a": 1,}\n');
    await bench.problems(COMMA, 1);
    rmSync(join(folder, "written.json"));
    await bench.problems(COMMA, 0);
    await page.keyboard.press("Control+J");
    await page.locator(".markers-panel").waitFor({ state: "hidden" });
  },
  async "without trust the tests are not run"() {
    await bench.command("Verify: Run a Proof on the Working Tree");
    await headline(/passed|warnings|failed|nothing/);
    await bench.panel.locator("section", { hasText: "Not verified" }).getByText("tests: ").first().waitFor();
  },
  async "with trust they are, and the panel says what they showed"() {
    await bench.command("Workspaces: Manage Workspace Trust");
    await page.locator(".workspace-trust-editor .monaco-button", { hasText: "Trust" }).first().click();
    await until("trust", async () => (await page.getByText("Restricted Mode").count()) === 0 || (await page.getByText("You trust").count()) > 0);
    await page.keyboard.press("Control+W");
    await bench.command("Verify: Run a Proof on the Working Tree");
    await headline("Proof: failed");
    await bench.panel.locator("section", { hasText: "Facts" }).getByText("1 test fails").first().waitFor();
    await bench.panel.locator("table", { hasText: "tests" }).getByText("failed").first().waitFor();
    await bench.status("Verify: failed, risk tier").waitFor();
    await bench.shot("proof");
  },
  async "no page of the panel keeps anybody out"() {
    await accessible("dark");
  },
  async "a link leads to the line"() {
    const link = bench.panel.locator("section", { hasText: "Findings" }).locator("button.link").first();
    const [, path, line] = /^Open (.*) at line (\d+)$/.exec(await link.getAttribute("aria-label"));
    await link.focus();
    await page.locator(".editor-group-container.active .tab.active", { hasText: "Proof" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(`.tab.active[data-resource-name="${path}"]`).waitFor();
    await bench.status(`Ln ${line}, Col`).waitFor();
    await page.locator(".codelens-decoration", { hasText: "Failed in the last proof" }).first().waitFor();
    await bench.shot("link");
  },
  async "the next proof says what changed, and which faults no test would notice"() {
    await bench.open("shop.py");
    await bench.type(given.mended);
    await page.keyboard.press("Control+S");
    await until("the saved file", () => onDisk("shop.py") === given.mended);
    await bench.command("Verify: Run a Proof on the Working Tree");
    await headline(/Proof: passed/);
    await bench.panel.locator("section", { hasText: "Since the proof before" }).getByText("Fixed").waitFor();
    await bench.panel.locator("section", { hasText: "Faults that the tests would not notice" }).getByText("goes unnoticed").first().waitFor();
    await (await activeFrame()).evaluate(() => document.getElementById("findings").scrollIntoView());
    await bench.shot("proof-next");
    await accessible("next");
  },
  async "such a fault is shown beside the text, told to an agent, and answered with a test"() {
    await bench.open("shop.py");
    await page.locator(".codelens-decoration", { hasText: "No test notices a fault here" }).first().waitFor();
    await onLastLine("Show the program with the fault in it");
    await page.locator(".editor.modified .view-line", { hasText: "amount > 100" }).first().waitFor();
    await bench.shot("survivor");
    if (onDisk("shop.py") !== given.mended) throw new Error("the fault was written");
    await page.keyboard.press("Control+W");
    await bench.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await bench.open("shop.py");
    await onLastLine("Copy what an agent should know");
    await until("the brief", async () => (await page.evaluate(() => navigator.clipboard.readText())).startsWith("File: shop.py\nLine: 10, in discount\n"));
    await onLastLine("Insert a failing test");
    await page.locator('.tab.active[data-resource-name="test_shop.py"]').waitFor();
    await page.locator(".view-line", { hasText: "not written yet: a test of discount" }).first().waitFor();
    await bench.shot("survivor-test");
    if (onDisk("test_shop.py").includes("not written yet")) throw new Error("the test was written to disk before the user saved it");
    await bench.command("File: Revert File");
    await page.locator(".view-line", { hasText: "not written yet" }).first().waitFor({ state: "detached" });
  },
  async "a run is cancelled from the panel, and its tests are ended"() {
    writeFileSync(hold, "");
    await bench.command("Verify: Run a Proof on the Working Tree");
    await bench.panel.getByText(/running tests/).first().waitFor();
    await until("the tests to wait", () => existsSync(`${hold}.waiting`));
    await bench.status("Verify: running").waitFor();
    await bench.shot("running");
    await bench.panel.getByRole("button", { name: "Cancel" }).click();
    await headline("Proof: cancelled");
    rmSync(hold);
    const pid = readFileSync(`${hold}.waiting`, "utf8");
    await until("the end of the tests", () => !existsSync(`/proc/${pid}`));
  },
  async "earlier reports can be read again"() {
    const earlier = page.locator(".quick-input-list .monaco-list-row", { hasText: "failed, risk tier" }).first();
    // The list of commands gives the focus back as it closes, at times so late that the list that it opened closes too.
    await until("a report that is picked", async () => {
      await bench.command("Verify: Show an Earlier Report");
      return earlier.click({ timeout: 5_000 }).then(() => true, () => false);
    });
    await headline("Proof: failed");
  },
  async "a server that was killed comes back, and with it what it found"() {
    await page.keyboard.press("Control+Shift+M");
    await bench.open("menu.json");
    await bench.type('{\n  "tea": 4,\n}\n');
    await bench.problems(COMMA, 1);
    const [before] = servers();
    process.kill(before, "SIGKILL");
    await until("another server", () => servers().some((pid) => pid !== before));
    await bench.type('{\n  "tea": 4,,\n}\n');
    await bench.problems(COMMA, 0);
    await bench.type('{\n  "tea": 5,\n}\n');
    await bench.problems(COMMA, 1);
    if ((await page.locator(".squiggly-error").count()) !== 1) throw new Error("more than one squiggle");
    await bench.shot("back");
  },
  async "a report of the command line is read in the panel, with an agent's claims and their verdicts"() {
    writeFileSync(`${folder}.said`, "All 3 tests pass. There are no lint errors.\n");
    const words = ["run", "--checks", "tests", "--message", `${folder}.said`];
    execFileSync("verify-lsp", words, { cwd: folder, env: { ...process.env, ...given.env }, stdio: "ignore" });
    await bench.status("Verify: passed").waitFor();
    await bench.command("Verify: Show the Newest Report");
    const claims = bench.panel.locator("section", { hasText: "Claims" });
    await claims.getByText("supported", { exact: false }).first().waitFor();
    await claims.getByRole("button", { name: "fact 1" }).first().click();
    await bench.panel.locator("#facts + ol li:focus").waitFor();
  },
  async "the panel is also fit for a light theme and for high contrast"() {
    const themes = { light: "Light Modern", "high-contrast": "Dark High Contrast", "high-contrast-light": "Light High Contrast" };
    await bench.panel.getByRole("heading", { level: 1 }).waitFor();
    for (const [kind, theme] of Object.entries(themes)) {
      await bench.command("Preferences: Color Theme");
      await bench.pick(theme);
      await bench.panel.locator(`body[data-vscode-theme-kind="vscode-${kind}"]`).waitFor();
      await accessible(kind);
    }
  },
};

/** Picks what is offered on the last line of the focused editor. */
async function onLastLine(title) {
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowUp");
  const offer = page.locator(".action-widget .monaco-list-row", { hasText: title });
  await until(title, async () => {
    await page.keyboard.press("Control+.");
    return offer.first().waitFor({ timeout: 3_000 }).then(() => true, () => false);
  });
  await offer.first().click();
}

async function headline(text) {
  await bench.panel.getByRole("heading", { level: 1, name: text }).waitFor();
}

/** Opens all there is to open, and asks axe. */
async function accessible(name) {
  const frame = await activeFrame();
  await frame.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
  const axe = readFileSync(createRequire(join(editors, "package.json")).resolve("axe-core/axe.min.js"), "utf8");
  await frame.evaluate(axe);
  const { violations, passes } = await frame.evaluate(() => globalThis.axe.run(document));
  await bench.shot(`accessible-${name}`);
  if (passes.length < 10) throw new Error("axe looked at next to nothing");
  const told = violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("; ")}`);
  if (told.length > 0) throw new Error(told.join("\n"));
}

async function activeFrame() {
  const outer = await page.locator("iframe.webview.ready").elementHandle();
  const inner = await (await outer.contentFrame()).locator("#active-frame").elementHandle();
  return inner.contentFrame();
}

/** The servers of this test: those that keep their reports in its own folder. */
function servers() {
  const mine = `VERIFY_LSP_HOME=${given.env.VERIFY_LSP_HOME}`;
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words.some((word) => word.endsWith("/verify-lsp")) && words.includes("serve") &&
        readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(mine);
    } catch {
      return false;
    }
  });
}

let failed;
for (const [name, act] of Object.entries(steps)) {
  const begun = Date.now();
  try {
    await act();
    console.log(`ok ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed = error;
    console.log(`FAILED ${name} (${Date.now() - begun} ms)\n${error.stack}`);
    await bench.shot("failure").catch(() => undefined);
    await bench.command("Notifications: Show Notifications").then(() => bench.shot("failure-news")).catch(() => undefined);
    break;
  }
}
await bench.close();
if (failed) console.log(bench.log.slice(-4000));
process.exit(failed ? 1 : 0);
