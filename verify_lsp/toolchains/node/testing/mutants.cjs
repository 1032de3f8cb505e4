// Loaded before all else into each process of a test run with mutants: which one is on, and who reaches which.
"use strict";

const { appendFileSync, existsSync, openSync, readFileSync, writeSync } = require("fs");
const { isMainThread, threadId } = require("worker_threads");

const { VERIFY_LSP_MUTANT, VERIFY_LSP_OVER, VERIFY_LSP_QUIT, VERIFY_LSP_REACH } = process.env;
const { NODE_TEST_CONTEXT, VERIFY_LSP_TEST, VERIFY_LSP_TURNS, VITEST } = process.env;
const JEST = Symbol.for("$$jest-matchers-object");

// A test file of node:test is a process of its own. What that starts belongs to the same file.
const file = VERIFY_LSP_TEST || (NODE_TEST_CONTEXT ? process.argv[1] : "") || "";
if (file) process.env.VERIFY_LSP_TEST = file;
if (file && !VERIFY_LSP_TEST) watchExit();

// Where it is not known what a command runs, it is told once that the mutant was asked for.
const { VERIFY_LSP_ASKED } = process.env;
const telling = {
  on: Number(VERIFY_LSP_MUTANT) || 0,
  note(number) {
    if (number !== this.on) return false;
    if (!this.told) appendFileSync(VERIFY_LSP_ASKED, "asked\n");
    return (this.told = true);
  },
};

// To node:test a file that ends its process with success has passed, whatever was still to run. It is told of those that do
// so with a mutant on, and not without.
function watchExit() {
  const exits = `${__dirname}/exits`;
  const { exit } = process;
  process.exit = function (...given) {
    const usual = existsSync(exits) && readFileSync(exits, "utf8").split("\n").includes(file);
    const success = !Number(given[0] ?? process.exitCode ?? 0);
    if (VERIFY_LSP_REACH && !usual) appendFileSync(exits, `${file}\n`);
    else if (VERIFY_LSP_QUIT && success && !usual) appendFileSync(VERIFY_LSP_QUIT, `${file}\n`);
    return exit.apply(this, given);
  };
}

let worlds = 0;
const seenBy = new WeakMap();
const opened = new Map();

// By these two alone, as what tests do with files is looked at (`shares.cjs`).
function append(path, line) {
  if (!opened.has(path)) opened.set(path, openSync(path, "a"));
  writeSync(opened.get(path), JSON.stringify(line) + "\n");
}

// The test file that runs now, "" where that is not known. Files that share their modules are not told apart.
function fileIn(world) {
  const vitest = world.__vitest_worker__;
  if (vitest) return shared(vitest.config) ? "" : vitest.filepath || "";
  return world[JEST]?.state?.testPath || file;
}

function shared(config) {
  // A context of its own for each file is told as if nothing were isolated.
  if (/^vm/.test(config?.pool)) return false;
  return config ? config.isolate === false || config.poolOptions?.[config.pool]?.isolate === false : true;
}

function noting(world) {
  let seen = seenBy.get(world);
  if (!seen) seenBy.set(world, (seen = { id: `${process.pid}.${threadId}.${++worlds}`, files: new Map() }));
  const note = (number) => {
    const name = fileIn(world);
    let numbers = seen.files.get(name);
    if (!numbers) seen.files.set(name, (numbers = new Set()));
    if (!numbers.has(number)) {
      numbers.add(number);
      append(`${VERIFY_LSP_REACH}/reached.ndjson`, [number, name, seen.id]);
    }
    return false;
  };
  note(0);
  return { on: 0, note };
}

// Where mutants take turns in one process, modules that stay loaded hear of it too, and whether one was asked for is told.
// A mutant may never come to its end, and lets nothing else run meanwhile. Most such loops ask for a switch each time round: past
// its limit that throws. Code that catches it finds it thrown again; what then becomes of the tests shows nothing, and is not used.
const AT_ONCE = 1024;
const turns = {
  on: 0,
  hit: false,
  late: false,
  limitMs: Infinity,
  asked: AT_ONCE,
  begin(number, limitMs) {
    Object.assign(turns, { on: number, hit: false, late: false, shared: undefined, limitMs, asked: AT_ONCE });
    Object.assign(turns, { at: now(), before: processorMs() });
  },
  spentMs: () => processorMs() - turns.before,
  note(number) {
    if (--turns.asked < 0) turns.look();
    if (number !== turns.on) return false;
    turns.hit = true;
    return true;
  },
  look() {
    turns.asked = AT_ONCE;
    if (!turns.late && (now() - turns.at < turns.limitMs || turns.spentMs() < turns.limitMs)) return;
    turns.late = true;
    turns.asked = 0;
    throw new Error("verify-lsp: this takes too long");
  },
  // What other tests could notice is not done beside others.
  beside: false,
  shared: undefined,
};

const { cpuUsage } = process;
const now = performance.now.bind(performance);

// What this process has used of processors, or this thread where it is not the only one; 0 where a thread cannot tell.
function processorMs() {
  if (isMainThread) {
    const { user, system } = cpuUsage.call(process);
    return (user + system) / 1000;
  }
  try {
    const fields = readFileSync("/proc/thread-self/stat", "utf8").split(") ").pop().split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

const shares = new Set();

function share(what) {
  const file = globalThis.__vitest_worker__?.filepath;
  if (VERIFY_LSP_REACH && file && !shares.has(file)) {
    shares.add(file);
    append(`${__dirname}/shares.ndjson`, [file, what]);
  }
  if (!turns.beside) return;
  turns.shared ??= what;
  throw new Error(`verify-lsp: ${what} is left to a run without others beside it`);
}

function opening() {
  if (VERIFY_LSP_REACH) return noting;
  if (VERIFY_LSP_TURNS) return () => turns;
  if (VERIFY_LSP_ASKED) return () => telling;
  return () => ({ on: Number(VERIFY_LSP_MUTANT) || 0 });
}

Object.defineProperty(process, "__verifyLsp", { value: { open: opening(), turns, append } });

if (VERIFY_LSP_OVER) require("./over.cjs");
// In a worker of vitest.
if (VITEST && (VERIFY_LSP_REACH || VERIFY_LSP_TURNS)) require("./shares.cjs")(share);
