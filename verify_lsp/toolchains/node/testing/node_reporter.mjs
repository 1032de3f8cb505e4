// A reporter for `node --test`: one JSON line a test, and a last line that says the run got to its end.
export default async function* report(source) {
  const open = [];
  for await (const { type, data } of source) {
    if (type === "test:start") {
      open.length = data.nesting;
      open[data.nesting] = data.name;
    } else if (type === "test:pass" || type === "test:fail") {
      const error = data.details?.error;
      yield JSON.stringify({
        titles: [...open.slice(0, data.nesting), data.name],
        file: data.file,
        line: data.line,
        ok: type === "test:pass",
        skipped: data.skip !== undefined || data.todo !== undefined,
        suite: data.details?.type === "suite",
        message: error && String(error.cause?.message ?? error.cause ?? error.message),
      }) + "\n";
    }
  }
  yield JSON.stringify({ end: true }) + "\n";
}
