// Gives changed files out with mutants in them wherever code is loaded, so that none is written into the project. Only what
// loads code gets such a text: a test that reads its own source sees what is on disk, and no compiler makes files of it.
// Whatever else may read these files, or start what does, is written down as unsure: then a copy is laid out.
"use strict";

const childProcess = require("child_process");
const fs = require("fs");
const Module = require("module");
const path = require("path");
const { fileURLToPath } = require("url");
const threads = require("worker_threads");

const LOADS = /(?:^|\W)node:internal\/modules\/|\/node_modules\/(?:vite|vite-node|vitest|@vitest\/[^/]+|@jest\/[^/]+|jest-[^/]+)\/(?!.*\/node_modules\/)/;
const PASSED_ON = /\/node_modules\/graceful-fs\//;
const NO_LOAD = /\/node_modules\/jest-haste-map\//;
// How vitest before 4 counts the processors.
const COUNTS = /^(?:cat \/proc\/cpuinfo \||sysctl -n hw\.\w+$)/;
const HARMLESS = /[\\/](?:@rollup|@unrs|fsevents)[\\/]/;

module.exports = function laidOver(file, tell) {
  const texts = new Map(Object.entries(JSON.parse(fs.readFileSync(file, "utf8"))));
  const names = new Set([...texts.keys()].map((name) => path.basename(name)));
  const told = new Set();
  const note = (kind, what) => {
    const line = JSON.stringify({ [kind]: what });
    if (!told.has(line)) tell(line);
    told.add(line);
  };
  const unsure = (what) => note("unsure", what);

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

  function reading(given) {
    const name = meant(given);
    if (name === undefined) return given;
    const frames = (new Error().stack ?? "").split("\n").slice(1);
    const reader = frames.find((frame) => !frame.includes(__filename) && !PASSED_ON.test(frame)) ?? "";
    if (!LOADS.test(reader.replaceAll("\\", "/"))) {
      unsure(`read by ${reader.trim()}`);
      return given;
    }
    if (!NO_LOAD.test(reader)) note("loaded", name);
    return texts.get(name);
  }

  function wrapped(owner, name, around) {
    const original = owner[name];
    if (typeof original !== "function") return;
    owner[name] = around(original);
    // What a function carries (`util.promisify.custom`, `realpath.native`) stays with it.
    Object.defineProperties(owner[name], Object.getOwnPropertyDescriptors(original));
  }

  for (const [owner, name] of [[fs, "readFileSync"], [fs, "readFile"], [fs.promises, "readFile"]]) {
    wrapped(owner, name, (read) => function (given, ...rest) {
      return read.call(this, reading(given), ...rest);
    });
  }
  const handled = ["open", "copyFile", "cp", "rename", "link", "symlink", "writeFile", "appendFile", "truncate", "unlink", "rm"];
  const below = (given) => {
    const folder = typeof given === "string" ? path.resolve(given) + path.sep : undefined;
    return folder !== undefined && [...texts.keys()].some((name) => name.startsWith(folder));
  };
  for (const name of [...handled, ...handled.map((one) => `${one}Sync`), "createReadStream"]) {
    for (const owner of [fs, fs.promises]) {
      wrapped(owner, name, (act) => function (given, ...rest) {
        if (meant(given) !== undefined || (/^(?:cp|rename|symlink)/.test(name) && below(given))) unsure(`${name} of a changed file`);
        return act.call(this, given, ...rest);
      });
    }
  }

  // Programs that read for themselves.

  const ours = (options) => String(options).includes(path.join(__dirname, "mutants.cjs"));
  const isNode = (program) => path.basename(String(program)).replace(/\.exe$/i, "") === "node" || program === process.execPath;
  // The server of vitest compiles texts that it is given; tests run elsewhere.
  const started = path.basename(process.argv[1] ?? "");
  const server = threads.isMainThread && /^vitest(?:_mutants)?(?:\.mjs)?$/.test(started);

  function starting(program, variables) {
    const known = isNode(program) && ours(variables.NODE_OPTIONS) && variables.VERIFY_LSP_OVER;
    const compiles = server && /[\\/]esbuild(?:\.exe)?$/.test(String(program));
    // jest looks for files with these, by their names.
    if (!known && !compiles && !["find", "watchman"].includes(program)) unsure(`starts ${path.basename(String(program))}`);
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
    if (!server && !HARMLESS.test(String(program))) unsure(`loads ${path.basename(String(program))}`);
    return open.call(this, module, program, ...rest);
  });
  // What such a hook loads is read in a thread of its own, where nothing of ours is.
  wrapped(Module, "register", (register) => function (...given) {
    unsure("registers a loader");
    return register.apply(this, given);
  });
  if (process.execArgv.some((word) => /^--(?:experimental-)?loader/.test(word))) unsure("is started with a loader");
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(code, options = {}) {
      const { env } = options;
      if (env && env !== threads.SHARE_ENV && !ours(env.NODE_OPTIONS)) unsure("starts a thread with other variables");
      super(code, options);
    }
  };
  Module.syncBuiltinESMExports();
};
