// Gives changed files out with mutants in them wherever code is loaded, so that none is written. Only what loads code gets
// such a text; whoever else reads one gets it as it is, or while a survey asks for it, a text that tells when it is run.
// What may have a file, or start what does, where nothing of this is seen, is written down as unsure.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");
const { fileURLToPath } = require("url");
const threads = require("worker_threads");
const vm = require("vm");

const LOADS = /(?:^|\W)node:internal\/modules\/|\/node_modules\/(?:vite|vite-node|vitest|@vitest\/[^/]+|@jest\/[^/]+|jest-[^/]+)\/(?!.*\/node_modules\/)/;
const PASSED_ON = /\/node_modules\/graceful-fs\/|node:internal\/fs\/streams/;
const NO_LOAD = /\/node_modules\/jest-haste-map\//;
// How vitest before 4 counts the processors.
const COUNTS = /^(?:cat \/proc\/cpuinfo \||sysctl -n hw\.\w+$)/;
const HARMLESS = /[\\/](?:@rollup|@unrs|fsevents)[\\/]/;
const MAKES_CODE = /\b(?:eval|Function|vm|runIn\w+)\b/;
const { VERIFY_LSP_OVER, VERIFY_LSP_OVER_NOTES, VERIFY_LSP_OVER_TELLING } = process.env;
const OURS = [__filename, path.join(__dirname, "shares.cjs")].map((file) => file.replaceAll("\\", "/"));
const { readFileSync } = fs;

// Each changed file, by its names, to where its texts are.
const texts = new Map(Object.entries(JSON.parse(readFileSync(VERIFY_LSP_OVER, "utf8"))));
const names = new Set([...texts.keys()].map((name) => path.basename(name)));

const told = new Set();
function note(kind, what) {
  const name = `${kind} ${what}`;
  if (!told.has(name) && VERIFY_LSP_OVER_NOTES) process.__verifyLsp.append(VERIFY_LSP_OVER_NOTES, { [kind]: what });
  told.add(name);
}

// The changed file that is meant, or undefined.
function meant(given) {
  let name = given;
  if (Buffer.isBuffer(name)) name = String(name);
  else if (name instanceof URL || name?.href) name = name.protocol === "file:" ? fileURLToPath(name) : undefined;
  if (typeof name !== "string" || !names.has(path.basename(name))) return undefined;
  name = path.resolve(name);
  if (texts.has(name)) return name;
  try {
    name = fs.realpathSync.native(name);
  } catch {
    return undefined;
  }
  return texts.has(name) ? name : undefined;
}

// The frames of who asks, nearest first.
function askers() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 30;
  const stack = String(new Error().stack).replaceAll("\\", "/").split("\n").slice(1);
  Error.prepareStackTrace = prepareStackTrace;
  Error.stackTraceLimit = stackTraceLimit;
  return stack.filter((frame) => !OURS.some((file) => frame.includes(file)) && !PASSED_ON.test(frame));
}

// Where what is asked for is read.
function reading(given) {
  const name = meant(given);
  if (name === undefined) return given;
  const frames = askers();
  if (LOADS.test(frames[0])) {
    if (!NO_LOAD.test(frames[0])) note("loaded", name);
    return texts.get(name).text;
  }
  note("read", name);
  if (frames.some(makesCode)) note("compiles", name);
  if (!VERIFY_LSP_OVER_TELLING) return given;
  const { telling } = texts.get(name);
  if (telling === undefined) note("unsure", `read by ${String(frames[0]).trim()}`);
  return telling ?? given;
}

function makesCode(frame) {
  const place = /(?:\(|at |file:\/\/)(\/[^()]*?|[A-Za-z]:\/[^()]*?):\d+:\d+\)?$/.exec(frame)?.[1];
  if (!place || place.includes("/node_modules/")) return false;
  try {
    return MAKES_CODE.test(readFileSync(decodeURI(place), "utf8"));
  } catch {
    return true;
  }
}

function wrapped(owner, name, around) {
  const original = owner[name];
  if (typeof original !== "function") return;
  owner[name] = around(original);
  // What a function carries (`util.promisify.custom`, `realpath.native`) stays with it.
  Object.defineProperties(owner[name], Object.getOwnPropertyDescriptors(original));
}

const files = [fs, fs.promises];

for (const name of ["readFileSync", "readFile", "copyFile", "copyFileSync"]) {
  for (const owner of files) {
    wrapped(owner, name, (read) => function (given, ...rest) {
      if (name.startsWith("copy") && meant(rest[0]) !== undefined) note("unsure", `${name} over a changed file`);
      return read.call(this, reading(given), ...rest);
    });
  }
}
for (const name of ["open", "openSync"]) {
  for (const owner of files) {
    wrapped(owner, name, (open) => function (given, ...rest) {
      const reads = ["r", "rs", "sr", 0, undefined].includes(rest[0]) || ["object", "function"].includes(typeof rest[0]);
      if (!reads && meant(given) !== undefined) note("unsure", "writes to a changed file");
      return open.call(this, reads ? reading(given) : given, ...rest);
    });
  }
}

const handled = ["cp", "rename", "link", "symlink", "writeFile", "appendFile", "truncate", "unlink", "rm", "createWriteStream", "openAsBlob"];
function below(given) {
  const folder = typeof given === "string" ? path.resolve(given) + path.sep : undefined;
  return folder !== undefined && [...texts.keys()].some((name) => name.startsWith(folder));
}
for (const name of [...handled, ...handled.map((one) => `${one}Sync`)]) {
  for (const owner of files) {
    wrapped(owner, name, (act) => function (given, ...rest) {
      const whole = /^(?:cp|rename|symlink)/.test(name) && below(given);
      if (whole || meant(given) !== undefined || meant(rest[0]) !== undefined) note("unsure", `${name} of a changed file`);
      return act.call(this, given, ...rest);
    });
  }
}

// Programs that read for themselves.

function ours(variables) {
  const first = String(variables.NODE_OPTIONS).includes(path.join(__dirname, "mutants.cjs"));
  return first && variables.VERIFY_LSP_OVER && variables.VERIFY_LSP_OVER_NOTES;
}
const isNode = (program) => path.basename(String(program)).replace(/\.exe$/i, "") === "node" || program === process.execPath;
// The server of vitest compiles texts that it is given; tests run elsewhere.
const started = path.basename(process.argv[1] ?? "");
const server = threads.isMainThread && /^vitest(?:_mutants)?(?:\.mjs)?$/.test(started);

function starting(program, variables) {
  const known = isNode(program) && ours(variables);
  const compiles = server && /[\\/]esbuild(?:\.exe)?$/.test(String(program));
  // jest looks for files with these, by their names.
  if (!known && !compiles && !["find", "watchman"].includes(program)) note("unsure", `starts ${path.basename(String(program))}`);
}

wrapped(childProcess.ChildProcess.prototype, "spawn", (spawn) => function (options) {
  const pairs = (options?.envPairs ?? []).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  starting(options?.file, Object.fromEntries(pairs));
  return spawn.call(this, options);
});
for (const name of ["spawnSync", "execFileSync", "execSync"]) {
  wrapped(childProcess, name, (start) => function (program, ...rest) {
    const options = rest.find((one) => one && typeof one === "object" && !Array.isArray(one)) ?? {};
    const shell = name === "execSync" || options.shell;
    if (!shell || !COUNTS.test(String(program))) starting(shell ? "a shell" : program, options.env ?? process.env);
    return start.call(this, program, ...rest);
  });
}
wrapped(process, "dlopen", (open) => function (module, program, ...rest) {
  if (!server && !HARMLESS.test(String(program))) note("unsure", `loads ${path.basename(String(program))}`);
  return open.call(this, module, program, ...rest);
});
// What such a hook loads is read in a thread of its own, where nothing of ours is.
wrapped(Module, "register", (register) => function (...given) {
  note("unsure", "registers a loader");
  return register.apply(this, given);
});
if (process.execArgv.some((word) => /^--(?:experimental-)?loader/.test(word))) note("unsure", "is started with a loader");
const { Worker } = threads;
threads.Worker = class extends Worker {
  constructor(code, options = {}) {
    const { env } = options;
    if (env && env !== threads.SHARE_ENV && !ours(env)) note("unsure", "starts a thread with other variables");
    super(code, options);
  }
};

// Texts that tell.

if (VERIFY_LSP_OVER_TELLING) {
  const { open } = process.__verifyLsp;
  process.__verifyLsp.ran = (world) => {
    note("ran", "as code");
    return open(world);
  };
  // In a world without `process` nobody is told.
  const looking = ([code]) => {
    if (typeof code === "string" && code.includes("s.ran(g)")) note("ran", "as code");
  };
  for (const name of ["Script", "SourceTextModule", "compileFunction", "runInContext", "runInNewContext", "runInThisContext"]) {
    if (typeof vm[name] !== "function") continue;
    vm[name] = new Proxy(vm[name], {
      apply: (act, self, given) => (looking(given), Reflect.apply(act, self, given)),
      construct: (make, given, kind) => (looking(given), Reflect.construct(make, given, kind)),
    });
  }
}

// vitest leaves one processor to its server, which has little to do. Where test files get into each other's way for that, the
// survey fails, and another one is made.
if (server && VERIFY_LSP_OVER_TELLING && os.availableParallelism) {
  const { availableParallelism } = os;
  os.availableParallelism = () => availableParallelism() + 1;
}

Module.syncBuiltinESMExports();
