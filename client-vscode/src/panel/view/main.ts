/** The panel's page. It shows what it is sent, and keeps the reader's place while a run goes on. */

import type { ToPage, FromPage } from "../messages";
import type { PanelModel } from "../model";
import { button, element } from "./dom";
import { sections } from "./sections";

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void };

const editor = acquireVsCodeApi();
const proof = document.getElementById("proof") as HTMLElement;
const news = document.getElementById("news") as HTMLElement;

window.addEventListener("message", ({ data }: MessageEvent<ToPage>) => {
  if (data.type === "model") show(data.model);
  else if (data.type === "message") tell(data.text);
});
editor.postMessage({ type: "ready" });

function show(model: PanelModel): void {
  const open = openDetails();
  const focused = document.activeElement?.getAttribute("data-act");
  const head = element("header", { class: `head ${model.status}` }, element("h1", {}, model.headline), actions(model));
  const lines = model.summary.map((line) => element("p", { class: "summary" }, line));
  const now = model.running ? element("p", { class: "now" }, model.announcement) : undefined;
  proof.replaceChildren(head, ...lines, ...(now ? [now] : []), ...sections(model, (place) => send({ type: "open", place })).filter((one) => one !== undefined));
  proof.setAttribute("aria-busy", String(model.running));
  for (const one of document.querySelectorAll("details")) one.open = open.has(one.dataset["key"] ?? "");
  // Buttons come and go; the keyboard must not be left without a place.
  if (focused) (proof.querySelector<HTMLElement>(`[data-act="${focused}"]`) ?? proof.querySelector<HTMLElement>("[data-act]"))?.focus();
  announce(model.announcement);
}

function tell(text: string): void {
  const told = proof.querySelector(".told") ?? proof.appendChild(element("p", { class: "told" }));
  told.textContent = text;
  announce(text);
}

function actions(model: PanelModel): HTMLElement {
  const act = (label: string, type: "again" | "cancel" | "previous") => button(label, () => send({ type }), { "data-act": type });
  const first = model.running ? act("Cancel", "cancel") : act("Run Again", "again");
  return element("div", { class: "actions", role: "group", "aria-label": "Actions" }, first, act("Earlier Reports…", "previous"));
}

function openDetails(): Set<string> {
  return new Set([...document.querySelectorAll("details[open]")].map((one) => (one as HTMLElement).dataset["key"] ?? ""));
}

/** Said once: a screen reader need not hear the same news again. */
function announce(text: string): void {
  if (news.textContent !== text) news.textContent = text;
}

function send(message: FromPage): void {
  editor.postMessage(message);
}
