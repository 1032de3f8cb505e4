// Runs in vitest's worker, as its runner: one test file, over and over, each time with another mutant on and with all
// modules loaded anew. What came of each is written down at once. The file is run without any mutant first, which says how
// long it takes, and again after some were noticed: nothing of theirs may have stayed behind. Those that may not come to their
// end are tried last, as tests that are ended in their midst leave most behind.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { threadId } from "node:worker_threads";

const order = JSON.parse(process.env.VERIFY_LSP_TURNS);
const { VitestTestRunner } = await import(order.runners);
const { startTests } = await import(order.runner);
const { vi } = await import(order.vitest);
const { append, turns } = process.__verifyLsp;

const FACTOR = 5;
const LEAST_MS = 2000;
const UNPROVED = 30;

export default class Turns extends VitestTestRunner {
  constructor(config) {
    super(config);
    this.worker = `${process.pid}.${threadId}`;
    this.errors = 0;
    this.noticed = false;
    this.unproved = 0;
    this.limitMs = Infinity;
    for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, () => this.errors++);
  }

  async onBeforeCollect(paths) {
    if (!this.file) {
      this.file = paths[0];
      const { numbers, claims, beside, suspects } = JSON.parse(this.config.env.VERIFY_LSP_NUMBERS);
      this.beside = beside;
      this.suspects = new Set(suspects);
      this.claims = new Claims(claims, this.file, this.worker, numbers[this.file]);
      this.begin(0);
    }
    await super.onBeforeCollect?.(paths);
  }

  // Of the first turn vitest hears. Of the others nobody would read what hundreds of tests came to, sent from process to process.
  keepToItself() {
    for (const event of ["onCollectStart", "onCollected", "onTaskUpdate"]) this[event] = async () => {};
  }

  begin(number) {
    this.errors = 0;
    this.noticed = false;
    turns.begin(number, number ? this.limitMs : Infinity);
    turns.beside = this.beside;
    write({ started: number, file: this.file, worker: this.worker, pid: process.pid });
  }

  // The first failure is enough, so that what follows is left out.
  async onBeforeRunTask(test) {
    if ((this.noticed || turns.late || turns.shared) && turns.on) test.mode = "skip";
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
    const next = this.nextAfter(this.ended(files));
    turns.beside = false;
    if (next === undefined) return;
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
    vi.resetConfig();
    vi.resetModules();
    this.begin(next);
    await startTests([this.file], this);
  }

  ended(files) {
    const failures = files.flatMap((file) => failuresOf(file, []));
    const passed = files.reduce((sum, file) => sum + passedIn(file), 0);
    const { on, hit, late, shared } = turns;
    const of = { ended: on, file: this.file, worker: this.worker };
    const line = { ...of, passed, failures: failures.slice(0, 5), errors: this.errors, hit, late, shared };
    write(line);
    return line;
  }

  nextAfter({ ended, passed, failures, errors, late, shared }) {
    if (ended === 0) {
      this.unproved = 0;
      if (!passed || failures.length || errors || shared) return undefined;
      if (this.limitMs === Infinity) this.limitMs = Math.min(order.cpuMs, Math.max(LEAST_MS, FACTOR * turns.spentMs()));
    } else if (!shared && (failures.length || late)) {
      this.unproved++;
      this.claims.settled(ended);
    }
    const next = this.held ?? (late || this.unproved === UNPROVED ? undefined : this.claims.next());
    this.held = undefined;
    if (this.unproved && this.suspects.has(next) && !this.suspected) {
      this.held = next;
      this.suspected = true;
      return 0;
    }
    return next ?? (this.unproved ? 0 : undefined);
  }
}

// Workers that run the same file share its mutants, and none is tried further once some file has noticed it. Who has what is a
// file that all add lines to: the first claim of a mutant holds.
class Claims {
  constructor(path, file, worker, numbers) {
    Object.assign(this, { path, file, worker, numbers, read: 0, over: new Set(), owners: new Map() });
  }

  next() {
    for (;;) {
      this.look();
      const number = this.numbers.find((one) => !this.over.has(one) && !this.owners.has(one));
      if (number === undefined) return undefined;
      this.add({ claimed: number, file: this.file, worker: this.worker });
      this.look();
      if (this.owners.get(number) === this.worker) return number;
    }
  }

  settled(number) {
    this.add({ over: number });
  }

  add(line) {
    append(this.path, line);
  }

  look() {
    const file = openSync(this.path, "r");
    const piece = Buffer.alloc(fstatSync(file).size - this.read);
    const size = readSync(file, piece, 0, piece.length, this.read);
    closeSync(file);
    const end = piece.lastIndexOf("\n", size) + 1;
    this.read += end;
    for (const line of piece.toString("utf8", 0, end).split("\n").filter(Boolean)) {
      const { over, claimed, file: claimer, worker } = JSON.parse(line);
      if (over !== undefined) this.over.add(over);
      else if (claimer === this.file && !this.owners.has(claimed)) this.owners.set(claimed, worker);
    }
  }
}

function write(line) {
  append(order.log, line);
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
