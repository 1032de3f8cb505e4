// Tries mutants in turn, in one process: jest's map of the project and what it has transformed stay, each run of a test
// file gets a world of its own, as always. Arguments: the order (a file), and where results are to be written.
"use strict";

const { appendFileSync, existsSync, readFileSync, realpathSync } = require("fs");
const { createRequire } = require("module");
const { dirname, join } = require("path");

const [orderFile, results] = process.argv.slice(2);
const { words, tries, manifest } = JSON.parse(readFileSync(orderFile, "utf8"));
const limitMs = 1000 * (Number(process.env.VERIFY_LSP_LIMIT_S) || 60);
// Of processors. What asks for no switch meanwhile takes the process along after the whole limit.
const LATE = 0.4;
const watch = require("./watchdog.cjs")(results, limitMs);
const { turns } = process.__verifyLsp;

process.env.NODE_ENV ??= "test";

const fromJest = createRequire(realpathSync(manifest));
const fromCore = createRequire(fromJest.resolve("@jest/core"));
const { createTestScheduler, SearchSource } = fromJest("@jest/core");
const { readConfigs } = fromCore("jest-config");
const Runtime = fromCore("jest-runtime").default;
const { TestWatcher } = fromCore("jest-watcher");

function argumentsOf() {
  const entry = fromJest.resolve("jest-cli");
  const places = [entry, join(dirname(entry), "run.js"), join(dirname(entry), "cli/index.js")].filter(existsSync);
  const found = places.map((place) => require(place).buildArgv).find(Boolean);
  return found(words);
}

async function started() {
  const argv = { ...(await argumentsOf()), json: false, outputFile: undefined, bail: 1, watchman: false, maxWorkers: 1 };
  const { globalConfig, configs } = await readConfigs(argv, [process.cwd()]);
  // What is set up once for a whole run is jest's own affair.
  if ([globalConfig, ...configs].some((config) => config.globalSetup || config.globalTeardown)) process.exit(1);
  const options = { console, maxWorkers: 1, watch: false, watchman: false };
  const contexts = await Promise.all(configs.map((config) => Runtime.createContext(config, options)));
  const sources = contexts.map((context) => [context, new SearchSource(context)]);
  const settings = { ...globalConfig, reporters: [], maxWorkers: 1, bail: 1, watch: false, watchAll: false };
  return { settings, sources };
}

async function run({ settings, sources }, number, files) {
  turns.begin(number, number ? limitMs * LATE : Infinity);
  process.env.VERIFY_LSP_MUTANT = String(number);
  const tests = files.flatMap((path) =>
    sources.filter(([, source]) => source.isTestFilePath(path)).map(([context]) => ({ context, path })),
  );
  const scheduler = await createTestScheduler(settings, { firstRun: true, previousSuccess: true });
  const told = await scheduler.scheduleTests(tests, new TestWatcher({ isWatchMode: true }));
  const failures = told.testResults.flatMap(failuresOf);
  const errors = !failures.length && told.testResults.length < tests.length ? ["not all test files were run"] : [];
  if (tests.length < files.length) errors.push("not all test files were found");
  return { passed: told.numPassedTests, failures: failures.slice(0, 5), errors };
}

function failuresOf({ testFilePath: path, testResults, testExecError, failureMessage }) {
  const failed = testResults.filter((test) => test.status === "failed");
  if (!failed.length && (testExecError || failureMessage)) return [{ path, titles: [], message: String(failureMessage) }];
  return failed.map((test) => ({
    path,
    titles: [...test.ancestorTitles, test.title],
    message: String(test.failureMessages?.[0] ?? ""),
  }));
}

const kills = new Map();
const controls = new Map();

async function tried(suite, number, files) {
  if (!files.length) return;
  const wanted = [...files].sort((a, b) => (kills.get(b) ?? 0) - (kills.get(a) ?? 0));
  const outcome = await watched(number, files, () => run(suite, number, wanted));
  const { late } = turns;
  if (late) {
    await controlled(suite, files, outcome.failures[0]?.path ?? wanted[0]);
    tell(number, files, { timedOut: true });
    return;
  }
  for (const { path } of outcome.failures) kills.set(path, (kills.get(path) ?? 0) + 1);
  const passed = !outcome.failures.length && !outcome.errors.length;
  // What was not run shows nothing here.
  if (number !== 0 && passed && !turns.hit) return;
  if (number !== 0 && outcome.failures.length) await controlled(suite, files, outcome.failures[0].path);
  tell(number, files, outcome);
}

// The file that failed is run without the mutant too, once.
async function controlled(suite, files, path) {
  if (!controls.has(path)) controls.set(path, await watched(0, files, () => run(suite, 0, [path])));
  tell(0, files, controls.get(path));
}

async function watched(number, files, act) {
  watch(JSON.stringify({ number, files, timedOut: true }));
  const outcome = await act();
  watch(null);
  return outcome;
}

function tell(number, files, outcome) {
  appendFileSync(results, JSON.stringify({ number, files, ...outcome }) + "\n");
}

async function main() {
  const suite = await started();
  for (const [number, files] of tries) await tried(suite, number, files);
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
