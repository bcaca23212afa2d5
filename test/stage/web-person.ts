import assert from "node:assert/strict";
import { z } from "zod";

export interface WebMessage {
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
}

const WebMessageSchema: z.ZodType<WebMessage> = z.object({
  id: z.string(),
  role: z.enum(["user", "assistant"]),
  text: z.string(),
});
const PageSchema = z.object({ messages: z.array(WebMessageSchema) });
const ReceiptSchema = z.object({ id: z.string() });
const ComplaintSchema = z.object({ error: z.string() });

/** The whole text, or a pattern in it. */
export type WebMatcher = string | RegExp;

export interface WebAnswer {
  readonly status: number;
  readonly body: unknown;
}

const HEAR_TIMEOUT_MS = 60_000;

/** Somebody who talks through the web chat's API: says by POST, hears by the event stream and, after a gap, by GET. */
export class WebPerson {
  readonly peer: string;
  readonly #door: () => { url: string; token: string };
  readonly #seen = new Map<string, WebMessage>();
  readonly #heard = new Set<string>();
  readonly #waiting = new Set<() => void>();
  #listening: AbortController | undefined;

  constructor(peer: string, door: () => { url: string; token: string }) {
    this.peer = peer;
    this.#door = door;
  }

  /** Resolves with the message's id once it is stored. */
  async says(text: string, id?: string): Promise<string> {
    const answer = await this.posts({ peer: this.peer, text, ...(id === undefined ? {} : { id }) });
    assert.equal(answer.status, 202, `saying ${JSON.stringify(text.slice(0, 60))}: ${JSON.stringify(answer.body)}`);
    return ReceiptSchema.parse(answer.body).id;
  }

  /** Says something that is not taken; resolves with status and sentence. */
  async saysInVain(message: Readonly<Record<string, unknown>>): Promise<{ status: number; sentence: string }> {
    const { status, body } = await this.posts({ peer: this.peer, ...message });
    return { status, sentence: ComplaintSchema.parse(body).error };
  }

  /** The first answer not heard yet that matches. */
  async hears(matcher: WebMatcher, options: { timeoutMs?: number } = {}): Promise<WebMessage> {
    if (this.#listening === undefined) await this.listen();
    const due = Date.now() + (options.timeoutMs ?? HEAR_TIMEOUT_MS);
    for (;;) {
      for (const message of this.#seen.values()) {
        const isMatch = typeof matcher === "string" ? message.text === matcher : matcher.test(message.text);
        if (message.role !== "assistant" || this.#heard.has(message.id) || !isMatch) continue;
        this.#heard.add(message.id);
        return message;
      }
      await this.#somethingNew(due - Date.now(), String(matcher));
    }
  }

  /** Everything said at this peer, oldest first. */
  async transcript(): Promise<readonly WebMessage[]> {
    const { body } = await this.call("GET", `/api/webchat/messages?peer=${encodeURIComponent(this.peer)}`);
    return PageSchema.parse(body).messages;
  }

  /** The transcript as lines of a play. */
  async lines(): Promise<readonly string[]> {
    return (await this.transcript()).map(({ role, text }) => `${role}: ${text}`);
  }

  /** Posts to the chat; a string goes as it is. */
  posts(message: Readonly<Record<string, unknown>> | string): Promise<WebAnswer> {
    return this.call("POST", "/api/webchat/messages", typeof message === "string" ? message : JSON.stringify(message));
  }

  async call(method: string, path: string, body?: string): Promise<WebAnswer> {
    const { url, token } = this.#door();
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** Opens the event stream; what was said before it opened is read from the history. */
  async listen(): Promise<void> {
    this.#listening?.abort();
    const controller = new AbortController();
    this.#listening = controller;
    const { url, token } = this.#door();
    const stream = await fetch(`${url}/api/webchat/events?peer=${encodeURIComponent(this.peer)}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: controller.signal,
    });
    assert.ok(stream.body !== null && stream.status === 200, `the event stream answers ${stream.status}`);
    // A stream that ends, as at a restart, is opened again by the next `hears`.
    this.#read(stream.body).catch(() => {
      if (this.#listening === controller) this.#listening = undefined;
    });
    for (const message of await this.transcript()) this.#see(message);
  }

  leave(): void {
    this.#listening?.abort();
    this.#listening = undefined;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let buffer = "";
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      buffer += decoder.decode(chunk, { stream: true });
      const events = buffer.split("\n\n");
      buffer = events.pop() ?? "";
      for (const event of events) this.#readEvent(event);
    }
  }

  #readEvent(event: string): void {
    const fields = new Map(
      event.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const data = fields.get("data");
    if (fields.get("event") === "message" && data !== undefined) this.#see(WebMessageSchema.parse(JSON.parse(data)));
  }

  #see(message: WebMessage): void {
    this.#seen.set(message.id, message);
    for (const wake of this.#waiting) wake();
  }

  #somethingNew(withinMs: number, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const fail = () => {
        this.#waiting.delete(wake);
        const said = [...this.#seen.values()].map(({ role, text }) => `  ${role}: ${text}`).join("\n");
        reject(new Error(`${this.peer} waited for ${what} and heard only:\n${said}`));
      };
      const timer = setTimeout(fail, Math.max(0, withinMs));
      this.#waiting.add(wake);
    });
  }
}
