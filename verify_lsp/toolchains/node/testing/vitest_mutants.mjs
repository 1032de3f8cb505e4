// Tries mutants in turn, with one vitest that stays: its server keeps what it has transformed. A test file is first run
// over and over in one worker (vitest_turns.mjs); what that leaves open is run as always, each file in a worker of its own.
// Arguments: the order (a file), and where results are to be written.
import { appendFileSync, existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [orderFile, results] = process.argv.slice(2);
const { words, tries, manifest } = JSON.parse(readFileSync(orderFile, "utf8"));
const limitMs = 1000 * (Number(process.env.VERIFY_LSP_LIMIT_S) || 60);
// 4 s where the limit is 10 s: what computes twice as long as all the tests take does not end.
const CPU_SHARE = 0.4;
const here = dirname(fileURLToPath(import.meta.url));
const log = `${results}.turns`;
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
  const silent = { ...options, watch: false, run: true, reporters: [{}], outputFile: undefined, ui: false };
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
  return { vitest, specs, projects: vitest.projects ?? [vitest] };
}

const runners = new Map();

async function run({ vitest, specs, projects }, files, settings) {
  for (const map of [vitest.state.filesMap, vitest.state.idMap]) map.clear();
  for (const { config } of [vitest, ...projects]) {
    config.env = { ...config.env, ...settings.env };
    if (!runners.has(config)) runners.set(config, config.runner);
    config.runner = settings.runner ?? runners.get(config);
    config.bail = settings.bail;
  }
  if (vitest.pool && !vitest.standalone) {
    // Older ones give new workers the variables of the time when the pool was made.
    await vitest.pool.close?.();
    vitest.pool = undefined;
  }
  const wanted = files.flatMap((file) => specs.get(file));
  await (vitest.runTestSpecifications ?? vitest.runFiles).call(vitest, wanted, false);
  return wanted.length;
}

// In turns. Returns the tries that are still open.

async function inTurns(suite) {
  const order = {
    log,
    runners: entryOf(manifest, "./runners"),
    vitest: entryOf(manifest, "."),
    runner: entryOf(besides(manifest, "@vitest/runner"), "."),
  };
  writeFileSync(log, "");
  process.env.VERIFY_LSP_TURNS = JSON.stringify(order);
  const open = new Map(tries.filter(([, files]) => files.length && files.every((file) => suite.specs.has(file))));
  const done = new Set();
  for (;;) {
    const waiting = new Map();
    for (const [number, files] of open) {
      for (const file of files) if (!done.has(file)) waiting.set(file, [...(waiting.get(file) ?? []), number]);
    }
    const next = [...waiting].sort((a, b) => b[1].length - a[1].length).slice(0, atOnce(suite));
    if (!next.length) break;
    await turnsOf(suite, new Map(next));
    for (const [file] of next) done.add(file);
    settle(open, done);
  }
  delete process.env.VERIFY_LSP_TURNS;
  const settled = new Set(told().map((line) => line.number));
  return tries.filter(([number]) => !settled.has(number));
}

function told() {
  return existsSync(results) ? linesOf(results) : [];
}

function linesOf(file) {
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

function atOnce({ vitest }) {
  const most = vitest.config.maxWorkers;
  return typeof most === "number" ? Math.max(1, most) : Math.max(1, (availableParallelism?.() ?? cpus().length) - 1);
}

// Run some files; a mutant that does not come to an end takes its worker with it, and the others go on.
async function turnsOf(suite, numbers) {
  while (numbers.size) {
    const settings = { runner: join(here, "node_modules/verify-lsp/vitest_turns.mjs"), bail: 0 };
    settings.env = { VERIFY_LSP_NUMBERS: JSON.stringify(Object.fromEntries(numbers)) };
    const before = linesOf(log).length;
    const stuck = await guarded(run(suite, [...numbers.keys()], settings), before);
    const lines = linesOf(log).slice(before);
    if (!stuck) return;
    appendFileSync(results, JSON.stringify({ number: stuck.started, files: filesOf(stuck.started), timedOut: true }) + "\n");
    if (stuck.pid === process.pid) process.exit(3);
    const ended = new Set(lines.map((line) => `${line.ended} ${line.file}`));
    for (const [file, all] of numbers) {
      const left = all.filter((number) => number !== stuck.started && !ended.has(`${number} ${file}`));
      if (left.length) numbers.set(file, left);
      else numbers.delete(file);
    }
  }
}

function filesOf(number) {
  return tries.find((one) => one[0] === number)?.[1] ?? [];
}

async function guarded(running, before) {
  const since = new Map();
  let stuck;
  let giveUp;
  const timer = setInterval(() => {
    const open = new Map();
    for (const line of linesOf(log).slice(before)) {
      if ("started" in line) open.set(line.pid + line.file, line);
      else open.delete(line.pid + line.file);
    }
    for (const [key, line] of open) {
      const name = `${key} ${line.started}`;
      if (!since.has(name)) since.set(name, { at: Date.now(), cpu: cpuMs(line.pid) });
      const { at, cpu } = since.get(name);
      if (stuck || (Date.now() - at < limitMs && cpuMs(line.pid) - cpu < limitMs * CPU_SHARE)) continue;
      stuck = line;
      if (line.pid !== process.pid) process.kill(line.pid, "SIGKILL");
      setTimeout(() => giveUp(), 3000);
    }
  }, 200);
  const given = new Promise((resolve) => (giveUp = resolve));
  await Promise.race([running.catch(() => undefined), given]);
  clearInterval(timer);
  return stuck;
}

// What a worker has used of processors; 0 where that is not known, or its process is ours as well.
function cpuMs(pid) {
  if (pid === process.pid) return 0;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
    return 10 * (Number(fields[11]) + Number(fields[12]));
  } catch {
    return 0;
  }
}

// A mutant is noticed where its file fails with it and passes at last without; it is missed where all files that
// reach it ran it and passed. All else stays open.
function settle(open, done) {
  const byPair = new Map();
  for (const line of linesOf(log)) if ("ended" in line) byPair.set(`${line.ended} ${line.file}`, line);
  const timedOut = new Set(told().filter((line) => line.timedOut).map((line) => line.number));
  for (const [number, files] of [...open]) {
    const lines = files.map((file) => byPair.get(`${number} ${file}`));
    const sound = (line) => clean(byPair.get(`0 ${line.file}`));
    const failing = lines.find((line) => line?.failures.length);
    if (timedOut.has(number)) open.delete(number);
    else if (failing) {
      if (sound(failing)) tell({ number, files, ...failing }, { number: 0, files, ...byPair.get(`0 ${failing.file}`) });
      open.delete(number);
    } else if (files.every((file) => done.has(file))) {
      if (lines.every((line) => clean(line) && line.hit)) tell({ number, files, passed: sum(lines), failures: [] });
      open.delete(number);
    }
  }
}

function clean(line) {
  return line !== undefined && line.passed > 0 && !line.failures.length && !line.errors;
}

function sum(lines) {
  return lines.reduce((total, line) => total + line.passed, 0);
}

function tell(...outcomes) {
  for (const { number, files, passed, failures } of outcomes.reverse()) {
    appendFileSync(results, JSON.stringify({ number, files, passed, failures }) + "\n");
  }
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

// A runner of the project's own, worlds made by `vm`, files that share a worker, and a file that several projects
// run, know nothing of turns.
function takesTurns({ vitest, specs, projects }) {
  const plain = ({ config }) => {
    const options = config.poolOptions?.[config.pool] ?? {};
    const shared = config.isolate === false || options.isolate === false;
    return !config.runner && ["forks", "threads"].includes(config.pool) && !shared;
  };
  const alone = ([spec, ...more]) => !more.length && ["forks", "threads", undefined].includes(spec.pool);
  return [vitest, ...projects].every(plain) && [...specs.values()].every(alone);
}

const suite = await started();
let open = tries;
if (takesTurns(suite)) {
  try {
    open = await inTurns(suite);
  } catch (error) {
    console.error(error);
  }
  delete process.env.VERIFY_LSP_TURNS;
}
for (const [number, files] of open) await tried(suite, number, files);
process.exit(0);
