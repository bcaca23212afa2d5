import type { GatewayInfo } from "@banyan/core";
import { type ChatMessage, parseChatMessage } from "./chat-event.ts";
import { type ChatRun, parseChatRuns } from "./chat-run.ts";

/** Page and terminal are one person. */
const CHAT_PEER = "operator";
const CHAT_ADDRESS = `webchat/default/dm/${CHAT_PEER}`;
const CHAT_PATH = "/api/webchat";
const PAGE_MESSAGES = 1_000;

export type ChatDoor = Pick<GatewayInfo, "url" | "token">;

/** The gateway said no: `status` is HTTP's, the message its own sentence. */
export class ChatRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ChatRefusal";
    this.status = status;
  }

  /** Whether the same request may be taken later. */
  get isPassing(): boolean {
    return this.status >= 500;
  }
}

/** Stores a message. The id makes it safe to send again. */
export async function postMessage(
  door: ChatDoor,
  message: { readonly id: string; readonly text: string },
  signal: AbortSignal,
): Promise<void> {
  const body = JSON.stringify({ peer: CHAT_PEER, ...message });
  await callGateway(door, `${CHAT_PATH}/messages`, { method: "POST", body, signal });
}

/** What was said behind `after`, or the newest messages, oldest first. */
export async function fetchHistory(
  door: ChatDoor,
  query: { readonly after?: string | undefined; readonly limit?: number },
  signal: AbortSignal,
): Promise<readonly ChatMessage[]> {
  const { after, limit = PAGE_MESSAGES } = query;
  const search = new URLSearchParams({ peer: CHAT_PEER, limit: String(limit) });
  if (after !== undefined) search.set("after", after);
  const answer: unknown = await (await callGateway(door, `${CHAT_PATH}/messages?${search}`, { signal })).json();
  const messages = typeof answer === "object" && answer !== null && "messages" in answer ? answer.messages : [];
  if (!Array.isArray(messages)) return [];
  const parsed = messages.flatMap((message: unknown) => parseChatMessage(message) ?? []);
  const last = parsed.at(-1);
  // Behind an id the oldest come first, a page at a time.
  if (after === undefined || last === undefined || messages.length < limit) return parsed;
  return [...parsed, ...(await fetchHistory(door, { after: last.id, limit }, signal))];
}

/** Opens the stream of events; resolves once the gateway tells all that happens from here on. */
export async function openEvents(door: ChatDoor, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const answer = await callGateway(door, `${CHAT_PATH}/events?peer=${CHAT_PEER}`, { signal });
  if (answer.body === null) throw new Error("The gateway's events were opened: the answer has no body");
  return answer.body;
}

/** The sub-agents below the conversation, those at work among them. */
export async function fetchRuns(door: ChatDoor, signal: AbortSignal): Promise<readonly ChatRun[]> {
  const query = new URLSearchParams({ address: CHAT_ADDRESS });
  const answer: unknown = await (await callGateway(door, `/api/runs?${query}`, { signal })).json();
  return parseChatRuns(answer);
}

async function callGateway(door: ChatDoor, path: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(`${door.url}${path}`, {
    ...request,
    headers: { authorization: `Bearer ${door.token}`, "content-type": "application/json" },
  });
  if (answer.ok) return answer;
  throw new ChatRefusal(answer.status, await readError(answer));
}

async function readError(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { error }: { error?: unknown } = JSON.parse(text);
    if (typeof error === "string") return error;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  return `The web chat was called: the answer was ${answer.status}; is something else at that address?`;
}
