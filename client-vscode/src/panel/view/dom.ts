/** Makes elements. Text of others only ever becomes text: there is no way to markup here. */

export type Child = Node | string | undefined;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K, attributes: Record<string, string>, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

export function button(label: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element("button", { type: "button", ...attributes }, label);
  made.addEventListener("click", act);
  return made;
}

export function list(entries: Child[], attributes: Record<string, string> = {}): HTMLUListElement {
  return element("ul", attributes, ...entries.map((entry) => element("li", {}, entry)));
}

/** A region with a heading of the second level; nothing at all where it would be empty. */
export function section(id: string, title: string, ...children: Child[]): HTMLElement | undefined {
  const filled = children.filter((child) => child !== undefined);
  if (filled.length === 0) return undefined;
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...filled);
}

export function details(summary: string, key: string, ...children: Child[]): HTMLDetailsElement {
  return element("details", { "data-key": key }, element("summary", {}, summary), ...children);
}
