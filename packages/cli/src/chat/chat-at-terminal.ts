import { randomUUID } from "node:crypto";
import { createInterface, type Interface } from "node:readline";
import { styleText } from "node:util";
import { cutToWidth } from "@banyan/core";
import type { StyleWord } from "../terminal/markdown-text.ts";
import { wrapText } from "../terminal/wrap-text.ts";
import type { ChatEvent, ChatMessage } from "./chat-event.ts";
import type { ChatGateway } from "./chat-gateway.ts";
import { Conversation } from "./conversation.ts";
import { LiveRegion, type Screen } from "./live-region.ts";
import { formatMessageLines, measureNames, OWN_NAME } from "./message-lines.ts";

/** How much of the conversation is shown at the start. */
const SHOWN_MESSAGES = 6;
/** Rows kept free around a growing answer. */
const FREE_ROWS = 4;
const DEFAULT_ROWS = 24;
const HEAD = "Type a message, or /help. Ctrl-C or Ctrl-D leaves";

/** Of lines that are dim as a whole: the end of a style within would end that. */
const WITHOUT_STYLE: StyleWord = (_style, word) => word;

export interface TerminalStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: Screen;
}

/** Talks with whoever sits at the terminal, until they leave. */
export async function chatAtTerminal(gateway: ChatGateway, streams: TerminalStreams): Promise<void> {
  const names = measureNames(gateway.agentId);
  const prompt = createInterface({
    ...streams,
    terminal: true,
    prompt: OWN_NAME.padEnd(names),
    historySize: 100,
  });
  const left = new Promise<void>((resolve) => {
    prompt.once("close", resolve);
    prompt.once("SIGINT", resolve);
  });
  const chat = new TerminalChat(gateway, streams.output, prompt);
  // People type before the gateway has answered: those lines are sent once the conversation is open.
  const early: string[] = [];
  let enter = (line: string): void => void early.push(line);
  prompt.on("line", (line) => enter(line));
  try {
    await chat.open();
    for (const line of early) chat.enterEarly(line);
    enter = (line) => chat.enter(line);
    await left;
  } finally {
    await chat.close();
    prompt.close();
  }
}

class TerminalChat {
  readonly #conversation: Conversation;
  readonly #agentId: string;
  readonly #isOwnGateway: boolean;
  readonly #screen: Screen;
  readonly #region: LiveRegion;
  readonly #style: StyleWord;
  readonly #own = new Set<string>();
  /** Answers under way, by turn. */
  readonly #growing = new Map<string, { text: string; isEnded: boolean }>();
  #isClosed = false;

  constructor(gateway: ChatGateway, screen: Screen, prompt: Interface) {
    this.#agentId = gateway.agentId;
    this.#isOwnGateway = gateway.isOwn;
    this.#screen = screen;
    this.#style = (style, word) => styleText(style, word, { stream: screen });
    this.#region = new LiveRegion(screen, prompt);
    this.#conversation = new Conversation({
      findDoor: () => gateway.findDoor(),
      onEvent: (event) => this.#hear(event),
      onAway: (isAway) => this.#tell(isAway ? "the gateway is away; trying again …" : "the gateway is back"),
    });
  }

  async open(): Promise<void> {
    const said = await this.#conversation.open();
    const end = this.#isOwnGateway ? " and stops the gateway; nothing is lost." : "; the gateway goes on.";
    const shown = said.slice(-SHOWN_MESSAGES).flatMap((message) => this.#format(message, WITHOUT_STYLE));
    const head = wrapText(HEAD + end, this.#region.columns);
    this.#draw([...head, "", ...shown].map((line) => this.#dim(line)));
  }

  enter(line: string): void {
    const text = line.trim();
    const lasting = text === "" ? [] : this.#formatAs(OWN_NAME, text);
    this.#region.replaceEntered(line, lasting, this.#formatGrowing());
    this.#send(text);
  }

  /** Takes a line that was entered before `open` has drawn anything: what was typed is above that. */
  enterEarly(line: string): void {
    const text = line.trim();
    if (text !== "") this.#draw(this.#formatAs(OWN_NAME, text));
    this.#send(text);
  }

  #send(text: string): void {
    if (text === "") return;
    const id = randomUUID();
    this.#own.add(id);
    this.#conversation.say({ id, text }).catch((error: unknown) => {
      this.#tell(`⚠ not sent: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#region.clear();
    await this.#conversation.close();
  }

  #hear(event: ChatEvent): void {
    if (event.type === "message") this.#hearMessage(event.message);
    else if (event.type === "progress") {
      this.#growing.set(event.turnId, { text: event.text, isEnded: false });
      this.#draw([]);
    } else {
      // It stays on the screen until the message that takes its place is there.
      const growing = this.#growing.get(event.turnId);
      if (growing !== undefined) growing.isEnded = true;
    }
  }

  #hearMessage(message: ChatMessage): void {
    if (this.#own.delete(message.id)) return;
    if (message.role === "assistant") {
      for (const [turnId, { isEnded }] of this.#growing) if (isEnded) this.#growing.delete(turnId);
    }
    this.#draw(this.#format(message));
  }

  /** An agent writes Markdown; what a person has typed is shown as it is. */
  #format(message: ChatMessage, style = this.#style): readonly string[] {
    if (message.role === "user") return this.#formatAs(OWN_NAME, message.text);
    return this.#formatAs(this.#agentId, message.text, style);
  }

  #formatAs(name: string, text: string, style?: StyleWord): readonly string[] {
    return formatMessageLines(name, text, { names: measureNames(this.#agentId), columns: this.#region.columns, style });
  }

  /** The end of what grows: more than the screen holds could not be drawn over. */
  #formatGrowing(): readonly string[] {
    const lines = [...this.#growing.values()].flatMap(({ text }) =>
      this.#formatAs(this.#agentId, `${text} …`, WITHOUT_STYLE),
    );
    const most = Math.max(1, (this.#screen.rows ?? DEFAULT_ROWS) - FREE_ROWS);
    return lines.slice(-most).map((line) => this.#dim(cutToWidth(line, this.#region.columns - 1)));
  }

  #tell(text: string): void {
    this.#draw(this.#formatAs("", text).map((line) => this.#dim(line)));
  }

  #draw(lasting: readonly string[]): void {
    if (!this.#isClosed) this.#region.draw(lasting, this.#formatGrowing());
  }

  #dim(line: string): string {
    return styleText("dim", line, { stream: this.#screen });
  }
}
