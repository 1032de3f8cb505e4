// Tries mutants in turn, with one vitest that stays: its server keeps what it has transformed. A test file is first run
// over and over in one worker (vitest_turns.mjs); what that leaves open is run as always, each file in a worker of its own.
// Arguments: the order (a file), and where results are to be written.
import { appendFileSync, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inTurns, slotsOf, takesTurns } from "./vitest_waves.mjs";

const [orderFile, results] = process.argv.slice(2);
const { words, tries, manifest } = JSON.parse(readFileSync(orderFile, "utf8"));
const limitMs = 1000 * (Number(process.env.VERIFY_LSP_LIMIT_S) || 60);
const watch = createRequire(import.meta.url)("./watchdog.cjs")(results, limitMs);

delete process.env.VERIFY_LSP_TURNS;
process.env.TEST ??= "true";
process.env.VITEST ??= "true";
process.env.NODE_ENV ??= "test";

class AsGiven {
  shard(files) {
    return files;
  }
  sort(files) {
    return files;
  }
}

function entryOf(file, name) {
  const { exports } = JSON.parse(readFileSync(file, "utf8"));
  const entry = exports[name];
  const path = entry.import?.default ?? entry.import ?? entry.default ?? entry;
  return pathToFileURL(join(realpathSync(dirname(file)), path)).href;
}

function besides(file, name) {
  for (let folder = realpathSync(dirname(file)); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "node_modules", name, "package.json");
    if (existsSync(found)) return found;
  }
  return undefined;
}

async function started() {
  const { createVitest, parseCLI } = await import(entryOf(manifest, "./node"));
  const { filter, options } = parseCLI(["vitest", ...words], { allowUnknownOptions: true });
  // Where a test stands is found out by a stack at each, which takes longer than most tests do.
  const quick = { includeTaskLocation: false, reporters: [{}], outputFile: undefined };
  const silent = { ...options, ...quick, watch: false, run: true, ui: false };
  delete silent.reporter;
  const sequence = { ...(options.sequence ?? {}), sequencer: AsGiven };
  const vitest = await createVitest("test", { ...silent, sequence, cache: false });
  await (vitest.standalone ?? vitest.init).call(vitest);
  const glob = vitest.globTestSpecifications ?? vitest.globTestSpecs ?? vitest.globTestFiles;
  const specs = new Map();
  for (const spec of await glob.call(vitest, filter)) {
    if (spec.pool === "typescript" || spec.pool === "browser") continue;
    const path = spec.moduleId ?? spec[1];
    specs.set(path, [...(specs.get(path) ?? []), spec]);
  }
  const projects = vitest.projects ?? [vitest];
  return { vitest, specs, projects, slots: slotsOf([vitest, ...projects]) };
}

const usual = new Map();

// Workers are started when there is something for them.
function taken({ pool, poolOptions }, { runner, workers }) {
  const options = { ...poolOptions?.[pool], minForks: 0, minThreads: 0 };
  return { runner, maxWorkers: workers, minWorkers: 0, poolOptions: { ...poolOptions, [pool]: options } };
}

async function run({ vitest, specs, projects }, files, settings) {
  for (const map of [vitest.state.filesMap, vitest.state.idMap]) map.clear();
  for (const { config } of [vitest, ...projects]) {
    config.env = { ...config.env, ...settings.env };
    const { runner, maxWorkers, minWorkers, poolOptions } = config;
    if (!usual.has(config)) usual.set(config, { runner, maxWorkers, minWorkers, poolOptions });
    Object.assign(config, usual.get(config), { bail: settings.bail }, settings.workers && taken(config, settings));
  }
  if (vitest.pool && !vitest.standalone) {
    // Older ones give new workers the variables of the time when the pool was made, and so many of them.
    await vitest.pool.close?.();
    vitest.pool = undefined;
  }
  const wanted = files.flatMap((file) => specs.get(file));
  await (vitest.runTestSpecifications ?? vitest.runFiles).call(vitest, wanted, false);
  return wanted.length;
}

// As always.

const kills = new Map();
const controls = new Map();

async function once(suite, number, files) {
  process.env.VERIFY_LSP_MUTANT = String(number);
  const wanted = await run(suite, files, { env: { VERIFY_LSP_MUTANT: String(number) }, bail: 1 });
  return outcomeOf(suite.vitest.state, wanted);
}

function outcomeOf(state, wanted) {
  const files = state.getFiles();
  const cases = files.flatMap((file) => casesOf(file, []));
  for (const file of files) {
    const failing = cases.some((one) => one.path === file.filepath && one.outcome === "failed");
    if (file.result?.state === "fail" && !failing) {
      cases.push({ path: file.filepath, titles: [], outcome: "failed", message: file.result.errors?.[0]?.message });
    }
  }
  const errors = state.getUnhandledErrors().map((error) => String(error?.message ?? error));
  const failures = cases.filter((one) => one.outcome === "failed");
  const passed = cases.filter((one) => one.outcome === "passed").length;
  if (!failures.length && files.length < wanted) errors.push("not all test files were run");
  return { passed, failures: failures.slice(0, 5), errors: errors.slice(0, 3) };
}

function casesOf(task, above) {
  if (task.tasks) return task.tasks.flatMap((child) => casesOf(child, task.filepath ? above : [...above, task.name]));
  const outcome = { pass: "passed", fail: "failed" }[task.result?.state] ?? "skipped";
  const path = task.file?.filepath;
  return [{ path, titles: [...above, task.name], outcome, message: task.result?.errors?.[0]?.message }];
}

async function tried(suite, number, files) {
  const found = files.filter((file) => suite.specs.has(file));
  if (found.length < files.length) return;
  const wanted = found.length ? found : [...suite.specs.keys()];
  wanted.sort((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0));
  const line = { number, files };
  watch(JSON.stringify({ ...line, timedOut: true }));
  const outcome = await once(suite, number, wanted);
  watch(null);
  for (const { path } of outcome.failures) kills.set(path, (kills.get(path) ?? 0) + 1);
  const noticed = number !== 0 && outcome.failures.length;
  if (noticed) await controlled(suite, files, [...new Set(outcome.failures.map((one) => one.path))]);
  appendFileSync(results, JSON.stringify({ ...line, ...outcome }) + "\n");
}

// What failed is run without the mutant too, each file once; where files share a worker, all that ran.
async function controlled(suite, files, failing) {
  const alone = files.length > 0;
  for (const names of alone ? failing.map((name) => [name]) : [[...suite.specs.keys()]]) {
    const key = JSON.stringify(names);
    if (!controls.has(key)) {
      watch(JSON.stringify({ number: 0, files, timedOut: true }));
      controls.set(key, await once(suite, 0, names));
      watch(null);
    }
    const outcome = controls.get(key);
    appendFileSync(results, JSON.stringify({ number: 0, files, ...outcome }) + "\n");
    if (outcome.failures.length || outcome.errors.length) return;
  }
}

const suite = await started();
let open = tries;
if (takesTurns(suite)) {
  const modules = {
    runners: entryOf(manifest, "./runners"),
    vitest: entryOf(manifest, "."),
    runner: entryOf(besides(manifest, "@vitest/runner"), "."),
  };
  try {
    open = await inTurns({ suite, tries, results, limitMs, modules, run });
  } catch (error) {
    console.error(error);
  }
  delete process.env.VERIFY_LSP_TURNS;
}
for (const [number, files] of open) await tried(suite, number, files);
process.exit(0);
