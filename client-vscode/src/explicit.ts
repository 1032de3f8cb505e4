/** The settings that somebody set. A default of the editor is nobody's word, and must not win over the workspace's files. */

export interface Inspected {
  globalValue?: unknown;
  workspaceValue?: unknown;
  workspaceFolderValue?: unknown;
}

export type Inspect = (key: string) => Inspected | undefined;

/** Returns the values of `keys` that were set, nested by the dots of their names. Tables are merged, as the editor does. */
export function explicitSettings(keys: readonly string[], inspect: Inspect): Record<string, unknown> {
  const said: Record<string, unknown> = {};
  for (const key of keys) {
    const found = inspect(key);
    const levels = [found?.globalValue, found?.workspaceValue, found?.workspaceFolderValue].filter(
      (value) => value !== undefined && value !== null,
    );
    if (levels.length === 0) continue;
    const value = levels.every(isTable) ? Object.assign({}, ...levels) : levels.at(-1);
    put(said, key.split("."), value);
  }
  return said;
}

function put(into: Record<string, unknown>, path: string[], value: unknown): void {
  const [name, ...rest] = path;
  if (name === undefined) return;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = isTable(into[name]) ? into[name] : {};
  into[name] = inner;
  put(inner, rest, value);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
