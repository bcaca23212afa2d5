/** The emulated Telegram on the page of `banyan dev`: joins its parts. */
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
  const view = new DevDeskView({
    tabs: getElement("desk-tabs", HTMLElement),
    messages: getElement("desk-messages", HTMLElement),
    person,
  });
  const tell = (problem?: unknown): void => {
    status.hidden = problem === undefined;
    status.textContent = problem instanceof Error ? problem.message : "";
  };

  const watch = async (): Promise<never> => {
    for (let tag = ""; ; ) {
      try {
        const state = await api.chats(tag);
        tag = state.tag;
        view.show(state.chats);
        tell();
      } catch (error) {
        tell(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };

  getElement("desk-composer", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const { chat } = view;
    const line = text.value.trim();
    if (chat === undefined || line === "") return;
    text.value = "";
    api.say(chat.id, person.value, line).catch((error: unknown) => {
      text.value = line;
      tell(error);
    });
  });
  void watch();
}

function getElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page was read: its element ${id} is missing`);
  return element;
}

startDesk();
