// Runs in vitest's worker, as its runner: one test file, over and over, each time with another mutant on and with all
// modules loaded anew. What came of each is written down at once; at the end the file must pass without any mutant.
import { appendFileSync } from "node:fs";

const order = JSON.parse(process.env.VERIFY_LSP_TURNS);
const { VitestTestRunner } = await import(order.runners);
const { startTests } = await import(order.runner);
const { vi } = await import(order.vitest);
const turns = process.__verifyLsp.turns;

export default class Turns extends VitestTestRunner {
  constructor(config) {
    super(config);
    this.waiting = [];
    this.errors = 0;
    this.noticed = false;
    this.begun = false;
    for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => this.errors++);
  }

  async onBeforeCollect(paths) {
    if (!this.begun) {
      this.begun = true;
      this.file = paths[0];
      this.waiting = JSON.parse(this.config.env.VERIFY_LSP_NUMBERS)[this.file];
      this.next();
    }
    await super.onBeforeCollect?.(paths);
  }

  // Of the first turn vitest hears. Of the others nobody would read what hundreds of tests came to, sent from process to process.
  keepToItself() {
    for (const event of ["onCollectStart", "onCollected", "onTaskUpdate"]) this[event] = async () => {};
  }

  next() {
    turns.on = this.waiting.shift();
    turns.hit = false;
    this.errors = 0;
    this.noticed = false;
    write({ started: turns.on, file: this.file, pid: process.pid });
  }

  // The first failure is enough, so that what follows is left out.
  async onBeforeRunTask(test) {
    if (this.noticed && turns.on) test.mode = "skip";
    else await super.onBeforeRunTask?.(test);
  }

  onAfterRunTask(test) {
    if (test.result?.state === "fail") this.noticed = true;
    return super.onAfterRunTask?.(test);
  }

  async onAfterRunFiles(files) {
    await super.onAfterRunFiles?.(files);
    this.keepToItself();
    await new Promise((resolve) => setImmediate(resolve));
    const failures = files.flatMap((file) => failuresOf(file, []));
    const passed = files.reduce((sum, file) => sum + passedIn(file), 0);
    this.failed ||= turns.on !== 0 && failures.length > 0;
    write({ ended: turns.on, file: this.file, passed, failures: failures.slice(0, 5), errors: this.errors, hit: turns.hit });
    if (!this.waiting.length && turns.on !== 0 && this.failed) this.waiting.push(0);
    if (!this.waiting.length) return;
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    vi.resetConfig();
    vi.resetModules();
    this.next();
    await startTests([this.file], this);
  }
}

function write(line) {
  appendFileSync(order.log, JSON.stringify(line) + "\n");
}

function failuresOf(task, above) {
  const here = task.filepath ? above : [...above, task.name];
  const below = (task.tasks ?? []).flatMap((child) => failuresOf(child, here));
  if (below.length || task.result?.state !== "fail") return below;
  const path = task.filepath ?? task.file?.filepath;
  return [{ path, titles: here, message: String(task.result.errors?.[0]?.message ?? "") }];
}

function passedIn(task) {
  if (task.tasks) return task.tasks.reduce((sum, child) => sum + passedIn(child), 0);
  return task.result?.state === "pass" ? 1 : 0;
}
