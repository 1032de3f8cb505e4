// Tries mutants in turns (vitest_turns.mjs): test files in waves, as many workers at once as there are processors. A file that
// does nothing which another run of it could notice may be in several workers at once, which then share its mutants.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const MOST = 4;
// Fewer mutants than this are not worth the start of a worker.
const WORTH_A_WORKER = 8;
// Shares of the time limit, which is 10 s at least: what computes longer than the first does not come to its end. What asks for no
// switch meanwhile takes its worker along after the second.
const LATE = 0.4;
const STUCK = 0.6;
const PATIENCE_MS = 10_000;

// A runner of the project's own, worlds made by `vm`, files that share a worker, and a file that several projects
// run, know nothing of turns.
export function takesTurns({ vitest, specs, projects }) {
  const plain = ({ config }) => {
    const options = config.poolOptions?.[config.pool] ?? {};
    const shared = config.isolate === false || options.isolate === false;
    return !config.runner && ["forks", "threads"].includes(config.pool) && !shared;
  };
  const alone = ([spec, ...more]) => !more.length && ["forks", "threads", undefined].includes(spec.pool);
  return [vitest, ...projects].every(plain) && [...specs.values()].every(alone);
}

// How many workers vitest itself would use at once, and how many may be used by files that nobody notices.
export function slotsOf(projects) {
  const processors = availableParallelism?.() ?? cpus().length;
  const told = Math.min(...projects.map(({ config }) => toldMost(config)));
  const forks = projects.every(({ config }) => config.pool === "forks");
  const usual = Math.max(1, Math.min(told, processors - (told === Infinity ? 1 : 0)));
  return { forks, usual, most: forks ? Math.max(usual, Math.min(told, processors, MOST)) : usual };
}

function toldMost(config) {
  const options = config.poolOptions?.[config.pool] ?? {};
  if (config.fileParallelism === false || options.singleFork || options.singleThread) return 1;
  const told = options.maxForks ?? options.maxThreads ?? config.maxWorkers;
  return typeof told === "number" ? told : Infinity;
}

// Returns the tries that are still open. `run` runs test files, each as often as it is named.
export async function inTurns({ suite, tries, results, limitMs, modules, run }) {
  const log = `${results}.turns`;
  writeFileSync(log, "");
  process.env.VERIFY_LSP_TURNS = JSON.stringify({ ...modules, log, cpuMs: limitMs * LATE });
  // Older ones end themselves when a worker was ended.
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => console.error(String(error)));
  // Files that do what others could notice, as the survey saw it.
  const sharing = new Set(linesOf(join(here, "shares.ndjson")).map(([file]) => file));
  const state = { suite, results, suspects: suspects(), sharing, done: new Set() };
  state.open = new Map(tries.filter(([, files]) => files.length && files.every((file) => suite.specs.has(file))));
  for (let lines = [], wave; (wave = nextWave(state, lines)); lines = linesOf(log)) {
    const settings = settingsOf(wave, state.suspects, `${log}.claims`);
    const stuck = await guarded(run(suite, wave.files, settings), { log, before: lines.length, limitMs });
    const all = linesOf(log);
    for (const { started, worker } of stuck) {
      const files = state.open.get(started);
      const proof = all.find((line) => line.worker === worker && line.ended === 0);
      if (files && proof) append(results, { number: 0, files, passed: proof.passed, failures: proof.failures });
      if (files) append(results, { number: started, files, timedOut: true });
    }
    if (stuck.some(({ pid }) => pid === process.pid)) process.exit(3);
    const left = unfinished(state, all.slice(lines.length));
    for (const file of wave.files) if (!left.has(file)) state.done.add(file);
    settle(state, all);
  }
  delete process.env.VERIFY_LSP_TURNS;
  const settled = new Set(linesOf(results).map(({ number }) => number));
  return tries.filter(([number]) => !settled.has(number));
}

// Files that are run again: a worker was ended, or ended itself since a test that was ended in its midst left something behind.
// What a file does that others could notice, it does in a run without others.
function unfinished({ open, sharing }, lines) {
  const last = new Map();
  const late = new Set();
  for (const line of lines) {
    last.set(line.worker, line);
    if (line.late) late.add(line.worker);
    if (line.shared) sharing.add(line.file);
  }
  const again = (line) => {
    // What ends a worker, or is never done with, is not tried in turns again.
    if (line.started !== undefined) return open.delete(line.started);
    return line.ended === 0 && (line.shared || (late.has(line.worker) && !clean(line)));
  };
  return new Set([...last.values()].filter(again).map(({ file }) => file));
}

// Mutants in the heads of loops.
function suspects() {
  const { VERIFY_LSP_OVER: given } = process.env;
  const texts = given ? Object.values(JSON.parse(readFileSync(given, "utf8"))).map(({ text }) => readFileSync(text, "utf8")) : [];
  return [...new Set(texts.flatMap(inHeads))];
}

function inHeads(text) {
  return [...text.matchAll(/\b(?:for(?:\s+await)?|while)\s*\(/g)].flatMap(({ index, 0: { length } }) => {
    let end = index + length;
    for (let depth = 1; depth && end < text.length; end++) depth += { "(": 1, ")": -1 }[text[end]] ?? 0;
    return [...text.slice(index, end).matchAll(/__verifyLspOn\((\d+)\)/g)].map(([, number]) => Number(number));
  });
}

function append(file, line) {
  appendFileSync(file, JSON.stringify(line) + "\n");
}

function linesOf(file) {
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

// Which files run next, each as often as it is named, and the mutants of each. First those that nobody notices.
function nextWave({ suite, open, done, sharing }, lines) {
  const { forks, most, usual } = suite.slots;
  const missed = new Set(lines.filter(isMissed).map(({ ended, file }) => `${ended} ${file}`));
  const waiting = new Map();
  for (const [number, files] of open) {
    for (const file of files) {
      if (!done.has(file) && !missed.has(`${number} ${file}`)) waiting.set(file, [...(waiting.get(file) ?? []), number]);
    }
  }
  const free = [...waiting].filter(([file]) => !sharing.has(file));
  const [chosen, slots] = free.length ? [free, most] : [[...waiting], usual];
  const copies = new Map();
  const covered = new Set();
  // What another file of the wave tries as well, it has mostly noticed by then.
  const worth = ([file, numbers]) => {
    const times = copies.get(file) ?? 0;
    const share = numbers.length / (1 + times);
    if (times) return free.length && forks && times < MOST && share >= WORTH_A_WORKER ? share : 0;
    return Math.max(numbers.filter((number) => !covered.has(number)).length, Math.min(share, WORTH_A_WORKER - 1));
  };
  for (let slot = 0; slot < slots; slot++) {
    const [next] = chosen.filter((one) => worth(one) > 0).sort((a, b) => worth(b) - worth(a));
    if (!next) break;
    copies.set(next[0], 1 + (copies.get(next[0]) ?? 0));
    for (const number of next[1]) covered.add(number);
  }
  if (!copies.size) return undefined;
  const files = [...copies].flatMap(([file, times]) => Array(times).fill(file));
  // What one file has noticed is not tried in another: so they begin at different ends.
  const orderly = (numbers, place) => (place % 2 ? [...numbers].reverse() : numbers);
  const numbers = Object.fromEntries([...copies.keys()].map((file, place) => [file, orderly(waiting.get(file), place)]));
  return { files, numbers, beside: files.length > copies.size || files.length > usual };
}

function settingsOf({ files, numbers, beside }, suspects, claims) {
  writeFileSync(claims, "");
  const last = (list) => [...list.filter((one) => !suspects.includes(one)), ...list.filter((one) => suspects.includes(one))];
  const ordered = Object.fromEntries(Object.entries(numbers).map(([file, list]) => [file, last(list)]));
  const env = { VERIFY_LSP_NUMBERS: JSON.stringify({ numbers: ordered, claims, beside, suspects }) };
  return { runner: join(here, "node_modules/verify-lsp/vitest_turns.mjs"), bail: 0, env, workers: files.length };
}

// Waits for the end of a wave. A worker that does not come to its end is ended; returns the lines of what these were at.
async function guarded(running, { log, before, limitMs }) {
  const since = new Map();
  const stuck = [];
  let giveUp;
  let quiet = Date.now();
  const timer = setInterval(() => {
    const open = new Map();
    for (const line of linesOf(log).slice(before)) {
      if ("started" in line) open.set(line.worker, line);
      else open.delete(line.worker);
    }
    for (const { worker } of stuck) open.delete(worker);
    if (open.size || !stuck.length) quiet = Date.now();
    if (Date.now() - quiet > PATIENCE_MS) giveUp();
    for (const [worker, line] of open) {
      const name = `${worker} ${line.started}`;
      if (since.get(worker)?.name !== name) since.set(worker, { name, at: Date.now(), cpu: cpuMs(line.pid) });
      const { at, cpu } = since.get(worker);
      if (Date.now() - at < limitMs && cpuMs(line.pid) - cpu < limitMs * STUCK) continue;
      stuck.push(line);
      if (line.pid === process.pid) giveUp();
      else process.kill(line.pid, "SIGKILL");
    }
  }, 200);
  const given = new Promise((resolve) => (giveUp = () => resolve(true)));
  const gaveUp = await Promise.race([running.catch((error) => console.error(error?.errors ?? error)), given]);
  clearInterval(timer);
  // A run that does not end lets no other begin.
  if (gaveUp === true && stuck.every(({ pid }) => pid !== process.pid)) process.exit(3);
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

// A mutant is noticed where its file fails with it and then passes without; it is missed where all files that
// reach it ran it and passed. All else stays open.
function settle({ open, done, results }, lines) {
  const ofNumber = new Map();
  const before = new Map();
  const proofs = new Map();
  for (const line of lines) if (line.ended === 0 && !before.has(line.worker)) before.set(line.worker, line);
  for (const line of [...lines].reverse()) {
    if (line.ended === 0) proofs.set(line.worker, line);
    else if (line.ended) {
      const proof = line.late ? before.get(line.worker) : proofs.get(line.worker);
      ofNumber.set(line.ended, [{ ...line, proof }, ...(ofNumber.get(line.ended) ?? [])]);
    }
  }
  const tell = (number, files, { passed, failures, late }) =>
    append(results, late ? { number, files, timedOut: true } : { number, files, passed, failures });
  for (const [number, files] of [...open]) {
    const ended = (ofNumber.get(number) ?? []).filter(({ shared }) => !shared);
    const sound = ended.filter(({ proof }) => clean(proof));
    const decisive = sound.find(({ late, failures }) => !late && failures.length) ?? sound.find(({ late }) => late);
    const missed = files.map((file) => ended.find((line) => line.file === file && isMissed(line)));
    if (decisive) {
      tell(0, files, decisive.proof);
      tell(number, files, decisive);
    } else if (missed.every(Boolean)) {
      const passed = missed.reduce((total, line) => total + line.passed, 0);
      tell(number, files, { passed, failures: [] });
    } else if (!files.every((file) => done.has(file))) continue;
    open.delete(number);
  }
}

function isMissed(line) {
  return line.ended > 0 && clean(line) && line.hit;
}

function clean(line) {
  return line?.passed > 0 && !line.failures.length && !line.errors && !line.late && !line.shared;
}
