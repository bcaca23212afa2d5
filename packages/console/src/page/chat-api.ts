import { type ChatMessage, parseChatMessage } from "./chat-message.ts";

const PATH = "/api/webchat";
/** Of one answer of history; the API gives up to 1,000. */
const PAGE_MESSAGES = 200;
const TIMEOUT_MS = 30_000;

export type PostEnd =
  | { readonly status: "accepted" | "unauthorized" | "unreachable" }
  | { readonly status: "refused"; readonly problem: string };

export type HistoryRead =
  | { readonly status: "read"; readonly messages: readonly ChatMessage[]; readonly isFromPoint: boolean }
  | { readonly status: "unauthorized" | "unreachable" };

export type EventsOpen =
  | { readonly status: "open"; readonly body: ReadableStream<Uint8Array<ArrayBuffer>> }
  | { readonly status: "unauthorized" | "unreachable" };

type Page =
  | { readonly status: "read"; readonly messages: readonly ChatMessage[] }
  | { readonly status: "unauthorized" | "unreachable" | "unknown_point" };

/** The web chat's API, with every end as a value. */
export class ChatApi {
  readonly #getToken: () => string | undefined;

  constructor(getToken: () => string | undefined) {
    this.#getToken = getToken;
  }

  /** May be called again with the same id until it was accepted: the message is taken once. */
  async post(message: { readonly id: string; readonly text: string }): Promise<PostEnd> {
    const body = JSON.stringify({ id: message.id, text: message.text });
    const response = await this.#call("messages", { method: "POST", body, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response === undefined || response.status >= 500 || response.status === 408) return { status: "unreachable" };
    if (response.status === 202) return { status: "accepted" };
    if (response.status === 401) return { status: "unauthorized" };
    return { status: "refused", problem: await readProblem(response) };
  }

  /** Everything behind the message `after`; without one, or where it is unknown, the newest ones. */
  async readHistory(after: string | undefined): Promise<HistoryRead> {
    const messages: ChatMessage[] = [];
    for (let point = after; ; ) {
      const page = await this.#readPage(point);
      if (page.status === "unknown_point") {
        const newest = await this.#readPage(undefined);
        if (newest.status === "unknown_point") return { status: "unreachable" };
        return newest.status === "read" ? { ...newest, isFromPoint: false } : { status: newest.status };
      }
      if (page.status !== "read") return { status: page.status };
      messages.push(...page.messages);
      const last = page.messages.at(-1);
      const isAll = after === undefined || page.messages.length < PAGE_MESSAGES || last === undefined;
      if (isAll) return { status: "read", messages, isFromPoint: after !== undefined };
      point = last.id;
    }
  }

  /** Opens the stream of events; `signal` ends it. */
  async openEvents(signal: AbortSignal): Promise<EventsOpen> {
    const response = await this.#call("events", { signal });
    if (response?.status === 401) return { status: "unauthorized" };
    if (!response?.ok || response.body === null) return { status: "unreachable" };
    return { status: "open", body: response.body };
  }

  async #readPage(after: string | undefined): Promise<Page> {
    const query = new URLSearchParams({ limit: String(PAGE_MESSAGES), ...(after === undefined ? {} : { after }) });
    const response = await this.#call(`messages?${query}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response?.status === 401) return { status: "unauthorized" };
    if (response?.status === 400 && after !== undefined) return { status: "unknown_point" };
    if (!response?.ok) return { status: "unreachable" };
    const body = await readJson(response);
    if (typeof body !== "object" || body === null || !("messages" in body) || !Array.isArray(body.messages)) {
      return { status: "unreachable" };
    }
    const messages = body.messages.map(parseChatMessage).filter((message) => message !== undefined);
    return { status: "read", messages };
  }

  /** `undefined` when there was no answer. */
  async #call(path: string, init: RequestInit): Promise<Response | undefined> {
    const headers = { authorization: `Bearer ${this.#getToken() ?? ""}` };
    try {
      return await fetch(`${PATH}/${path}`, { ...init, headers, cache: "no-store" });
    } catch {
      // The browser does not tell a script why; trying again is all there is to do.
      return undefined;
    }
  }
}

async function readProblem(response: Response): Promise<string> {
  const body = await readJson(response);
  const hasError = typeof body === "object" && body !== null && "error" in body && typeof body.error === "string";
  return hasError ? String(body.error) : `The server answered ${response.status}`;
}

/** `undefined` for an answer that broke off or is no JSON. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
