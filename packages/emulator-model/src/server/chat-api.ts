import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "@banyan/emulator-kit";
import type { ActiveChatFault, ChatFaultList } from "../faults/chat-fault.ts";
import { type ChatRequest, chatRequestSchema } from "../messages/chat-request.ts";
import type { AskJournal } from "../records/ask-journal.ts";
import type { ModelScript } from "../script/model-script.ts";
import { buildChunks, buildCompletion } from "./chat-chunks.ts";
import { readJson } from "./read-json.ts";

export interface ChatApiParts {
  readonly faults: ChatFaultList;
  readonly journal: AskJournal;
  readonly clock: Clock;
  /** The key that requests must carry; absent: any, or none. */
  readonly apiKey?: string | undefined;
  readonly getScript: () => ModelScript;
}

/** How an answer ended. */
type Ending = "answered" | "refused" | "cut" | "left";

/** `POST /v1/chat/completions`: faults first, then what the script says. */
export class ChatApi {
  readonly #parts: ChatApiParts;
  #index = 0;

  constructor(parts: ChatApiParts) {
    this.#parts = parts;
  }

  isLetIn({ headers }: IncomingMessage): boolean {
    const { apiKey } = this.#parts;
    return apiKey === undefined || headers.authorization === `Bearer ${apiKey}`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { faults, journal, clock } = this.#parts;
    const body = await readJson(request);
    if (!this.isLetIn(request)) return refuse(response, 401, "Incorrect API key provided");
    const parsed = chatRequestSchema.safeParse(body);
    if (!parsed.success) return refuse(response, 400, parsed.error.message);
    const asked = journal.begin(parsed.data, clock.nowMs());
    // Also while it stands at a gate: a test waits for that.
    response.once("close", () => {
      if (!response.writableEnded) journal.settle(asked, "left");
    });
    const active = faults.take(parsed.data);
    const ending = await this.#answerWith(active, parsed.data, response);
    journal.settle(asked, ending);
    if (active !== undefined) faults.announceMet(active);
  }

  async #answerWith(
    active: ActiveChatFault | undefined,
    request: ChatRequest,
    response: ServerResponse,
  ): Promise<Ending> {
    const { faults, clock, getScript } = this.#parts;
    if (active !== undefined) {
      const { fault } = active;
      if (fault.kind === "drop") return cut(response);
      if (fault.kind === "refuse") {
        refuse(response, fault.status, fault.message ?? `status ${fault.status}`, fault.retryAfterS);
        return "refused";
      }
      if (fault.kind === "delay") await new Promise<void>((resolve) => void clock.schedule(fault.delayMs, resolve));
      if ((await faults.wait(active, "request")) === "cut") return cut(response);
    }
    const index = this.#index++;
    const reply = getScript()(request, index);
    if (request.stream === true) return this.#stream(buildChunks(request, reply, index), active, response);
    sendJson(response, 200, buildCompletion(request, reply, index));
    return "answered";
  }

  async #stream(
    chunks: readonly object[],
    active: ActiveChatFault | undefined,
    response: ServerResponse,
  ): Promise<Ending> {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
    // Told at once: a client counts its first byte from here.
    response.flushHeaders();
    for (const [at, chunk] of [...chunks, undefined].entries()) {
      const end = await this.#meetFault(active, at, response);
      if (end !== undefined) return end;
      if (response.destroyed) return "left";
      response.write(chunk === undefined ? "data: [DONE]\n\n" : `data: ${JSON.stringify(chunk)}\n\n`);
    }
    response.end();
    return "answered";
  }

  /** What a fault does in the middle of a stream, before the chunk `at`; answers how the stream has ended by it. */
  async #meetFault(
    active: ActiveChatFault | undefined,
    at: number,
    response: ServerResponse,
  ): Promise<Ending | undefined> {
    if (active === undefined) return undefined;
    const { fault } = active;
    if (!("afterChunks" in fault) || fault.afterChunks !== at) return undefined;
    if (fault.kind === "hold") {
      if ((await this.#parts.faults.wait(active, "answer")) === "cut") return cut(response);
      return undefined;
    }
    if (fault.kind === "garble") response.end('data: {"id": "chatcmpl-\n\n');
    else if (fault.kind === "end") response.end();
    else if (fault.kind === "fail")
      response.end(`data: ${JSON.stringify({ error: { message: fault.message, type: "server_error" } })}\n\n`);
    else {
      // What was written before is to arrive.
      await new Promise<void>((resolve) => void response.write(": \n\n", () => resolve()));
      return cut(response);
    }
    return "answered";
  }
}

function cut(response: ServerResponse): Ending {
  response.socket?.destroy();
  return "cut";
}

function refuse(response: ServerResponse, status: number, message: string, retryAfterS?: number): void {
  if (retryAfterS !== undefined) response.setHeader("retry-after", String(retryAfterS));
  sendJson(response, status, { error: { message, type: "emulated", param: null, code: null } });
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
  response.end(text);
}
