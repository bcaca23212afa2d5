import type { ListedMessage } from "./conversation.ts";
import { parseMarkdown } from "./markdown.ts";
import { renderBlocks } from "./markdown-view.ts";

/** Lines of the host rather than of the agent. */
const ASIDE_KINDS: ReadonlySet<string> = new Set(["notice", "command"]);

export interface MessageActions {
  /** The person wants a failed message back in the box. */
  takeBack(message: ListedMessage): void;
}

export function renderMessage(message: ListedMessage, actions: MessageActions): HTMLElement {
  const { role, kind, text, at, state } = message;
  const item = document.createElement("li");
  item.className = `message ${role} ${state}${ASIDE_KINDS.has(kind) ? " aside" : ""}`;
  item.append(role === "user" ? renderOwnHead(at) : renderHead(at, kind));
  const body = document.createElement("div");
  body.className = "text";
  // One's own words stand as they were typed.
  if (role === "user") body.textContent = text;
  else body.append(renderBlocks(parseMarkdown(text)));
  if (state === "pending") body.title = "On its way";
  item.append(body);
  if (message.problem !== undefined) item.append(renderProblem(message, message.problem, actions));
  return item;
}

export function renderGrowingAnswer(text: string): HTMLElement {
  const item = document.createElement("li");
  item.className = "message assistant growing";
  const body = document.createElement("div");
  body.className = "text";
  body.append(renderBlocks(parseMarkdown(text)));
  item.append(renderHead(undefined, "reply"), body);
  return item;
}

function renderHead(at: number | undefined, kind: string): HTMLElement {
  const head = document.createElement("header");
  const name = document.createElement("b");
  name.textContent = "Banyan";
  head.append(name);
  if (kind === "completion") head.append("result");
  if (at !== undefined) head.append(renderTime(at));
  return head;
}

function renderOwnHead(at: number): HTMLElement {
  const head = document.createElement("header");
  const name = document.createElement("span");
  name.className = "unseen";
  name.textContent = "You";
  head.append(name, renderTime(at));
  return head;
}

function renderTime(at: number): HTMLElement {
  const date = new Date(at);
  const time = document.createElement("time");
  const isToday = date.toDateString() === new Date().toDateString();
  const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  time.dateTime = date.toISOString();
  time.title = date.toLocaleString();
  time.textContent = isToday
    ? date.toLocaleTimeString([], clock)
    : date.toLocaleString([], { day: "numeric", month: "short", ...clock });
  return time;
}

function renderProblem(message: ListedMessage, problem: string, actions: MessageActions): HTMLElement {
  const line = document.createElement("p");
  line.className = "problem";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Edit and send again";
  button.addEventListener("click", () => actions.takeBack(message));
  line.append(`${problem}. `, button);
  return line;
}
