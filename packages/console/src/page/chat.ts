/** The chat page: joins its parts. */
import { AccessToken } from "./access-token.ts";
import { ChatApi } from "./chat-api.ts";
import { ChatConnection } from "./chat-connection.ts";
import { Composer } from "./composer.ts";
import { type ConversationChange, changeConversation, EMPTY_CONVERSATION, findReloadPoint } from "./conversation.ts";
import { ConversationView } from "./conversation-view.ts";
import { MessageSender } from "./message-sender.ts";
import { RunTreeApi } from "./run-tree-api.ts";
import { RunTreeView } from "./run-tree-view.ts";
import { RunTreeWatch } from "./run-tree-watch.ts";
import { StatusLine } from "./status-line.ts";
import { UnsentMessages } from "./unsent-messages.ts";

/** A stopped answer that no message follows in this time leaves the page. */
const VANISH_MS = 3_000;

function startChat(): void {
  const token = new AccessToken();
  const api = new ChatApi(() => token.value);
  const status = new StatusLine(getElement("status", HTMLElement));
  const view = new ConversationView({
    scroll: getElement("scroll", HTMLElement),
    messages: getElement("messages", HTMLElement),
    growing: getElement("growing", HTMLElement),
    empty: getElement("empty", HTMLElement),
    takeBack(message) {
      change({ type: "withdrawn", id: message.id });
      composer.put(message.text);
    },
  });

  const tree = new RunTreeView(getElement("tree", HTMLElement));
  const runs = new RunTreeWatch({
    api: new RunTreeApi(() => token.value),
    show: (found) => tree.show(found),
    isVisible: () => document.visibilityState === "visible",
  });

  let conversation = EMPTY_CONVERSATION;
  let isLoaded = false;
  let isShowing = false;
  const change = (next: ConversationChange): void => {
    conversation = changeConversation(conversation, next);
    runs.stir();
    if (next.type === "loaded") isLoaded = true;
    if (next.type === "stopped_growing") setTimeout(() => change({ ...next, type: "vanished" }), VANISH_MS);
    if (isShowing) return;
    // Changes that come together are shown together.
    isShowing = true;
    queueMicrotask(() => {
      isShowing = false;
      view.show(conversation, isLoaded);
    });
  };

  const onUnauthorized = (): void => status.show("unauthorized", token.value !== undefined);
  const sender = new MessageSender({ api, unsent: new UnsentMessages(), change, onUnauthorized });
  const connection = new ChatConnection({
    api,
    getReloadPoint: () => findReloadPoint(conversation),
    change,
    onState(state) {
      status.show(state, token.value !== undefined);
      if (state === "open") sender.wake();
    },
  });
  const composer = new Composer({
    form: getElement("composer", HTMLFormElement),
    box: getElement("text", HTMLTextAreaElement),
    button: getElement("send", HTMLButtonElement),
    send: (text) => sender.send({ id: createMessageId(), text, at: Date.now() }),
  });

  const wake = (): void => {
    connection.wake();
    sender.wake();
    runs.stir();
  };
  token.onRenewed(wake);
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  void connection.run();
  void runs.run();
}

/** Not `randomUUID`, which a browser lacks where the page is served without TLS from another machine. */
function createMessageId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function getElement<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page was read: its element ${id} is missing`);
  return element;
}

startChat();
