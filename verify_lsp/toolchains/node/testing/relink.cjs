// Tools keep files in `node_modules`, which a copy of a project has as a link into the user's tree. Here each such link
// becomes a folder of links to the packages, so that what tools write stays in the copy. Packages of the workspace
// itself are linked to their copies, so that tests reach the faults that are there, except where a copy lacks
// what was built in the user's tree.
"use strict";

const fs = require("fs");
const path = require("path");

const [copy, workspace] = process.argv.slice(2, 4).map((folder) => fs.realpathSync(folder));
const changed = path.join(copy, process.argv[4]);
const KEPT = new Set([".bin", ".pnpm", ".package-lock.json", ".modules.yaml", ".yarn-state.yml"]);

function relink(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name);
    if (entry.name === "node_modules") {
      if (entry.isSymbolicLink()) spread(place, fs.realpathSync(place));
      else if (entry.isDirectory()) cut(place);
    } else if (entry.isDirectory() && entry.name !== ".git") {
      relink(place);
    }
  }
}

function spread(place, source) {
  fs.unlinkSync(place);
  fs.mkdirSync(place);
  for (const name of fs.readdirSync(source)) {
    const from = path.join(source, name);
    if (name.startsWith("@") && fs.statSync(from).isDirectory()) {
      fs.mkdirSync(path.join(place, name));
      for (const inner of fs.readdirSync(from)) link(path.join(from, inner), path.join(place, name, inner));
    } else if (!name.startsWith(".") || KEPT.has(name)) {
      link(from, path.join(place, name));
    }
  }
}

// What tools keep here is no package.
function cut(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isSymbolicLink() && entry.name.startsWith(".") && !KEPT.has(entry.name)) fs.unlinkSync(path.join(folder, entry.name));
  }
}

function link(from, to) {
  fs.symlinkSync(ownCopy(from) ?? from, to);
}

function ownCopy(from) {
  let real;
  try {
    real = fs.realpathSync(from);
  } catch {
    return undefined;
  }
  const relative = path.relative(workspace, real);
  const outside = relative === "" || path.isAbsolute(relative) || relative.split(path.sep).includes("..");
  if (outside || relative.split(path.sep).includes("node_modules")) return undefined;
  const own = path.join(copy, relative);
  return fs.existsSync(own) && (own === changed || whole(real, own)) ? own : undefined;
}

function whole(original, own) {
  const there = new Set(fs.readdirSync(own));
  return fs.readdirSync(original).every((name) => there.has(name) || name === "node_modules" || name.startsWith("."));
}

if (copy !== workspace) relink(copy);
