// Tells what a test is about to do that another one, running beside it, could notice: it writes a file, uses the network,
// starts a program or a thread, loads native code. Folders that it made for itself (`mkdtemp`) are nobody else's.
"use strict";

const childProcess = require("child_process");
const dgram = require("dgram");
const fs = require("fs");
const Module = require("module");
const net = require("net");
const path = require("path");
const { fileURLToPath } = require("url");
const threads = require("worker_threads");

const HARMLESS = /[\\/](?:@rollup|@unrs|fsevents)[\\/]/;
const own = [];

function nameOf(given) {
  if (Buffer.isBuffer(given)) return path.resolve(String(given));
  if (given instanceof URL || given?.href) return given.protocol === "file:" ? fileURLToPath(given) : "";
  return typeof given === "string" ? path.resolve(given) : undefined;
}

// An open file was asked for when it was opened.
function inOwn(given) {
  const name = nameOf(given);
  return name === undefined || own.some((folder) => name.startsWith(folder + path.sep) || name === folder);
}

function before(owner, name, look) {
  const original = owner?.[name];
  if (typeof original !== "function") return;
  owner[name] = function (...given) {
    look(given);
    return original.apply(this, given);
  };
  Object.defineProperties(owner[name], Object.getOwnPropertyDescriptors(original));
}

function after(owner, name, look) {
  const original = owner?.[name];
  if (typeof original !== "function") return;
  owner[name] = function (...given) {
    const last = given.at(-1);
    if (typeof last === "function") {
      given[given.length - 1] = (error, made) => (error || look(made), last(error, made));
      return original.apply(this, given);
    }
    const made = original.apply(this, given);
    if (typeof made?.then === "function") return made.then((folder) => (look(folder), folder));
    look(made);
    return made;
  };
  Object.defineProperties(owner[name], Object.getOwnPropertyDescriptors(original));
}

const ONE = ["writeFile", "appendFile", "truncate", "mkdir", "rmdir", "rm", "unlink", "chmod", "chown", "lchown", "lutimes", "utimes", "createWriteStream"];
const TWO = ["rename", "link", "symlink", "copyFile", "cp"];

// `told` is called before the act, and may throw.
module.exports = function watchShared(told) {
  for (const owner of [fs, fs.promises]) {
    for (const name of ONE.flatMap((one) => [one, `${one}Sync`])) {
      before(owner, name, ([file]) => inOwn(file?.fd === undefined ? file : file.fd) || told(`${name} of ${nameOf(file)}`));
    }
    for (const name of TWO.flatMap((one) => [one, `${one}Sync`])) {
      const moves = name.startsWith("rename");
      before(owner, name, ([from, to]) => (inOwn(to) && (!moves || inOwn(from))) || told(`${name} to ${nameOf(to)}`));
    }
    for (const name of ["open", "openSync"]) {
      before(owner, name, ([file, flags]) => {
        const reads = ["r", "rs", "sr", 0, undefined].includes(flags) || ["object", "function"].includes(typeof flags);
        if (!reads && !inOwn(file)) told(`${name} of ${nameOf(file)}`);
      });
    }
    for (const name of ["mkdtemp", "mkdtempSync"]) after(owner, name, (folder) => own.push(path.resolve(String(folder))));
  }
  before(net.Server.prototype, "listen", () => told("listen"));
  before(net.Socket.prototype, "connect", () => told("connect"));
  for (const name of ["bind", "connect", "send"]) before(dgram.Socket.prototype, name, () => told(`datagram ${name}`));
  before(childProcess.ChildProcess.prototype, "spawn", () => told("start of a program"));
  for (const name of ["spawnSync", "execFileSync", "execSync"]) before(childProcess, name, () => told("start of a program"));
  before(process, "dlopen", ([, program]) => HARMLESS.test(String(program)) || told(`load of ${path.basename(String(program))}`));
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(...given) {
      told("start of a thread");
      super(...given);
    }
  };
  Module.syncBuiltinESMExports();
};
