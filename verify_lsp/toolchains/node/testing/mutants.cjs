// Loaded before all else into each process of a test run with mutants: which one is on, and who reaches which.
"use strict";

const { openSync, writeSync } = require("fs");
const { threadId } = require("worker_threads");

const { VERIFY_LSP_MUTANT, VERIFY_LSP_REACH, VERIFY_LSP_TEST, NODE_TEST_CONTEXT } = process.env;
const JEST = Symbol.for("$$jest-matchers-object");

// A test file of node:test is a process of its own. What that starts belongs to the same file.
const file = VERIFY_LSP_TEST || (NODE_TEST_CONTEXT ? process.argv[1] : "") || "";
if (file && VERIFY_LSP_REACH) process.env.VERIFY_LSP_TEST = file;

let log;
let opened = 0;
const seenBy = new WeakMap();

function write(line) {
  log ??= openSync(`${VERIFY_LSP_REACH}/reached.ndjson`, "a");
  writeSync(log, line + "\n");
}

// The test file that runs now, "" where that is not known. Files that share their modules are not told apart.
function fileIn(world) {
  const vitest = world.__vitest_worker__;
  if (vitest) return shared(vitest.config) ? "" : vitest.filepath || "";
  return world[JEST]?.state?.testPath || file;
}

function shared(config) {
  return config ? config.isolate === false || config.poolOptions?.[config.pool]?.isolate === false : true;
}

function noting(world) {
  let seen = seenBy.get(world);
  if (!seen) seenBy.set(world, (seen = { id: `${process.pid}.${threadId}.${++opened}`, files: new Map() }));
  const note = (number) => {
    const name = fileIn(world);
    let numbers = seen.files.get(name);
    if (!numbers) seen.files.set(name, (numbers = new Set()));
    if (!numbers.has(number)) {
      numbers.add(number);
      write(JSON.stringify([number, name, seen.id]));
    }
    return false;
  };
  note(0);
  return { on: 0, note };
}

Object.defineProperty(process, "__verifyLsp", {
  value: { open: VERIFY_LSP_REACH ? noting : () => ({ on: Number(VERIFY_LSP_MUTANT) || 0 }) },
});
