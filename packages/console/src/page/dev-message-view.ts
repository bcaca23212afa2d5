import type { DeskButton, DeskMessage } from "./desk-chat.ts";
import { parseMarkdown } from "./markdown.ts";
import { renderBlocks } from "./markdown-view.ts";

/** A message of an emulated chat. `press` is told which button was pressed. */
export function buildDeskMessage(message: DeskMessage, press: (button: DeskButton) => void): HTMLElement {
  const { author, isBot, text, isMarkdown, isEdited, at, cards, buttons } = message;
  const name = document.createElement("b");
  name.textContent = author;
  const time = new Date(at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const head = document.createElement("header");
  head.append(name, `${time}${isEdited ? " · edited" : ""}`);
  const item = document.createElement("li");
  item.className = isBot ? "" : "own";
  item.append(head);
  for (const card of cards) item.append(buildCard(card));
  if (text !== "") item.append(buildText(text, isMarkdown));
  if (buttons.length > 0) item.append(buildButtons(buttons, press));
  return item;
}

function buildButtons(buttons: readonly DeskButton[], press: (button: DeskButton) => void): HTMLElement {
  const row = document.createElement("div");
  row.className = "buttons";
  for (const one of buttons) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = one.label;
    button.addEventListener("click", () => press(one));
    row.append(button);
  }
  return row;
}

function buildCard({ title, text, color }: DeskMessage["cards"][number]): HTMLElement {
  const card = document.createElement("div");
  card.className = "card";
  if (color !== undefined) card.style.borderColor = color;
  const head = document.createElement("strong");
  head.append(buildText(title, true));
  card.append(head, buildText(text, true));
  return card;
}

function buildText(text: string, isMarkdown: boolean): HTMLElement {
  const body = document.createElement("div");
  body.className = isMarkdown ? "text" : "text plain";
  if (isMarkdown) body.append(renderBlocks(parseMarkdown(text)));
  else body.textContent = text;
  return body;
}
