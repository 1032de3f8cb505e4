// Ends the process when a mutant takes too long, also one that lets nothing else run, and says at which that was.
"use strict";

const { Worker, isMainThread, parentPort, workerData } = require("worker_threads");
const { appendFileSync } = require("fs");

if (!isMainThread && workerData?.verifyLspLimit) {
  let timer;
  parentPort.on("message", (line) => {
    clearTimeout(timer);
    if (line === null) return;
    timer = setTimeout(() => {
      appendFileSync(workerData.results, line + "\n");
      process.kill(process.pid, "SIGKILL");
    }, workerData.verifyLspLimit);
  });
}

// Returns a function that is given the line to leave behind if the next thing does not end, or null when it has.
module.exports = function watch(results, limitMs) {
  const worker = new Worker(__filename, { workerData: { verifyLspLimit: limitMs, results }, execArgv: [], env: {} });
  worker.unref();
  return (line) => worker.postMessage(line);
};
