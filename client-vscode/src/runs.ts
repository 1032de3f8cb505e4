/** The runs that this window started, as their events tell of them. Knows nothing of the editor. */

import type { Report, RunNews } from "./report";

export interface Run {
  reportId: string;
  report?: Report;
  error?: string;
  ended: boolean;
}

type Watcher = (run: Run) => void;

/** Ended runs that are kept, for those who ask late. */
const KEPT = 8;

export class Runs {
  readonly #runs = new Map<string, Run>();
  readonly #watchers = new Set<Watcher>();

  /** Calls `watcher` after each change of a run, until what is returned is called. */
  watch(watcher: Watcher): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  get(reportId: string): Run | undefined {
    return this.#runs.get(reportId);
  }

  /** The run that was started last and goes on. */
  running(): Run | undefined {
    return [...this.#runs.values()].reverse().find((run) => !run.ended);
  }

  started(reportId: string): Run {
    return this.#runs.get(reportId) ?? this.#tell({ reportId, ended: false });
  }

  take(news: RunNews): void {
    const run = this.#runs.get(news.reportId) ?? { reportId: news.reportId, ended: false };
    switch (news.event.type) {
      case "report":
        this.#tell({ ...run, report: news.event.report });
        break;
      case "check":
        this.#tell(run.report === undefined ? run : { ...run, report: withCheck(run.report, news.event.check) });
        break;
      case "done":
        this.#tell({ ...run, report: news.event.report, ended: true });
        break;
      case "error":
        this.#tell({ ...run, error: news.event.error, ended: true });
        break;
    }
  }

  /** The server is gone, and with it what it was doing. */
  lost(): void {
    for (const run of this.#runs.values()) {
      if (!run.ended) this.#tell({ ...run, error: "the server ended while the run went on", ended: true });
    }
  }

  /** Answers the run once it has ended. */
  ended(reportId: string): Promise<Run> {
    const now = this.#runs.get(reportId);
    if (now?.ended) return Promise.resolve(now);
    return new Promise((resolve) => {
      const stop = this.watch((run) => {
        if (run.reportId === reportId && run.ended) {
          stop();
          resolve(run);
        }
      });
    });
  }

  #tell(run: Run): Run {
    this.#runs.set(run.reportId, run);
    const ended = [...this.#runs.values()].filter((one) => one.ended);
    for (const old of ended.slice(0, -KEPT)) this.#runs.delete(old.reportId);
    for (const watcher of [...this.#watchers]) watcher(run);
    return run;
  }
}

function withCheck(report: Report, check: Report["checks"][number]): Report {
  const known = report.checks.some((one) => one.kind === check.kind);
  const checks = known ? report.checks.map((one) => (one.kind === check.kind ? check : one)) : [...report.checks, check];
  return { ...report, checks };
}
