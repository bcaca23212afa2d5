/** The emulated platforms on the page of `banyan dev`: joins its parts. */
import { AccessToken } from "./access-token.ts";
import { DevDeskApi } from "./dev-desk-api.ts";
import { DevDeskView } from "./dev-desk-view.ts";

const RETRY_MS = 1_000;

function startDesk(): void {
  const token = new AccessToken();
  const api = new DevDeskApi(() => token.value);
  const status = getElement("desk-status", HTMLElement);
  const person = getElement("desk-person", HTMLSelectElement);
  const text = getElement("desk-text", HTMLInputElement);
  const example = getElement("desk-example", HTMLButtonElement);
  const tell = (told: unknown): void => {
    const line = told instanceof Error ? told.message : String(told);
    status.hidden = line === "";
    status.textContent = line;
  };
  const elements = {
    chats: getElement("desk-chats", HTMLElement),
    messages: getElement("desk-messages", HTMLElement),
    empty: getElement("desk-empty", HTMLElement),
    example,
    person,
    text,
  };
  const view = new DevDeskView(elements, ({ desk, chat }, message, button) => {
    const actor = { desk: desk.channel, chat: chat.id, person: person.value };
    api.press({ ...actor, message, button }).then(tell, tell);
  });

  getElement("desk-composer", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const { placed } = view;
    const line = text.value.trim();
    if (placed === undefined || line === "") return;
    text.value = "";
    const said = { desk: placed.desk.channel, chat: placed.chat.id, person: person.value, text: line };
    tell("");
    api.say(said).catch((error: unknown) => {
      text.value = line;
      tell(error);
    });
  });
  example.addEventListener("click", () => {
    text.value = example.textContent;
    text.focus();
  });
  void watch(api, view, tell);
}

/** Shows what comes, for as long as the page is open; says where the gateway does not answer. */
async function watch(api: DevDeskApi, view: DevDeskView, tell: (told: unknown) => void): Promise<never> {
  let isLost = false;
  for (let tag = ""; ; ) {
    try {
      const state = await api.chats(tag);
      tag = state.tag;
      view.show(state.desks);
      if (isLost) tell("");
      isLost = false;
    } catch (error) {
      isLost = true;
      tell(error);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

function getElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page was read: its element ${id} is missing`);
  return element;
}

startDesk();
