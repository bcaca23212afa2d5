import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { CanopyRecord, CanopyRefusal } from "./canopy-record.ts";
import {
  type CanopyAnswers,
  type CanopyCalls,
  type CanopyMethod,
  type CanopySaid,
  canopyCalls,
} from "./canopy-wire.ts";

const PATIENCE_MS = 60_000;

/**
 * What becomes of a call. `lost`: taken, and the connection cut before the answer. `held`: taken, and never answered.
 * `cut`: not taken, and the connection cut. A number: refused with this status.
 */
export type CanopyFault = "lost" | "held" | "cut" | 403 | 404 | 429 | 503;

interface Failure {
  readonly method: CanopyMethod | "all";
  readonly fault: CanopyFault;
  left: number;
}

/** A chat platform with threads, in the test's own process: gateways come and go, it stays and remembers everything. */
export class CanopyPlatform {
  readonly record: CanopyRecord = new CanopyRecord();
  /** Every call that came in, also those that were refused or cut. */
  readonly calls: CanopyMethod[] = [];
  readonly #said: CanopySaid[] = [];
  readonly #failures: Failure[] = [];
  readonly #watchers = new Set<() => void>();
  readonly #server: Server;
  /** Up to where the gateway has taken what was said. */
  #taken = 0;
  #url = "";

  constructor() {
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    assert.ok(typeof address === "object" && address !== null, "the platform listens");
    this.#url = `http://127.0.0.1:${address.port}`;
    return this;
  }

  get url(): string {
    return this.#url;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Somebody writes. The message's id. */
  say(said: Omit<CanopySaid, "id" | "at">): string {
    const id = `m${this.#said.length + 1}`;
    this.#said.push({ ...said, id, at: Date.now() });
    this.#change();
    return id;
  }

  /** A moderator deletes a thread, and the platform tells. The notice's id. */
  deleteThread(id: string): string {
    const place = this.record.deleteThread(id);
    return this.say({ from: "", place, text: "", isGone: true });
  }

  /** Whether the gateway has stored a message, as its acknowledgement says. */
  hasTaken(id: string): boolean {
    return this.#said.findIndex((said) => said.id === id) < this.#taken;
  }

  /** The next calls of the method end so. */
  fail(method: CanopyMethod | "all", fault: CanopyFault, times = 1): void {
    this.#failures.push({ method, fault, left: times });
  }

  /** Everything works again. */
  heal(): void {
    this.#failures.splice(0);
  }

  /** Asks again with every change until the answer is no longer `undefined`; `what` names it where it never comes. */
  async until<T>(what: string, ask: () => T | undefined): Promise<T> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    for (;;) {
      const answer = ask();
      if (answer !== undefined) return answer;
      assert.ok(!limit.aborted, `waited for ${what} in vain; the canopy took:\n${this.#transcript}`);
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#watchers.delete(wake);
          limit.removeEventListener("abort", wake);
          resolve();
        };
        this.#watchers.add(wake);
        limit.addEventListener("abort", wake);
      });
    }
  }

  get #transcript(): string {
    return this.record.messages.map(({ place, text }) => `${place.chat}/${place.thread ?? ""} ${text}`).join("\n");
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = (request.url ?? "").slice(1);
    if (!isMethod(method)) return void response.writeHead(400).end();
    let body = "";
    for await (const chunk of request) body += String(chunk);
    this.calls.push(method);
    const fault = this.#takeFault(method);
    if (fault === "cut") return void request.socket.destroy();
    try {
      if (typeof fault === "number") throw new CanopyRefusal(fault, "the canopy is closed");
      const answer = await this.#answer(method, JSON.parse(body), request);
      this.#change();
      if (fault === "lost") request.socket.destroy();
      else if (fault !== "held") response.end(JSON.stringify(answer));
    } catch (error) {
      this.#change();
      if (error instanceof CanopyRefusal) response.writeHead(error.status).end(error.message);
      else response.writeHead(400).end(String(error));
    }
  }

  #answer(method: CanopyMethod, body: unknown, request: IncomingMessage): unknown {
    switch (method) {
      case "updates":
        return this.#listUpdates(canopyCalls.updates.parse(body), request);
      case "send":
        return this.record.take(canopyCalls.send.parse(body));
      case "open":
        return this.record.open(canopyCalls.open.parse(body));
      case "withdraw":
        return this.record.withdraw(canopyCalls.withdraw.parse(body));
      case "archive":
        return this.record.archive(canopyCalls.archive.parse(body));
      case "rename":
        return this.record.rename(canopyCalls.rename.parse(body));
      case "probe":
        return {
          state: this.record.threads.find(({ id }) => id === canopyCalls.probe.parse(body).thread)?.state ?? "gone",
        };
    }
  }

  async #listUpdates({ after }: CanopyCalls["updates"], request: IncomingMessage): Promise<CanopyAnswers["updates"]> {
    this.#taken = Math.max(this.#taken, after);
    this.#change();
    while (this.#said.length <= after && !request.socket.destroyed) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#watchers.delete(wake);
          request.socket.removeListener("close", wake);
          resolve();
        };
        this.#watchers.add(wake);
        request.socket.once("close", wake);
      });
    }
    return { messages: this.#said.slice(after), cursor: Math.max(after, this.#said.length) };
  }

  #takeFault(method: CanopyMethod): CanopyFault | undefined {
    const failure = this.#failures.find(
      (known) => known.left > 0 && (known.method === "all" || known.method === method),
    );
    if (failure !== undefined) failure.left -= 1;
    return failure?.fault;
  }

  #change(): void {
    for (const wake of [...this.#watchers]) wake();
  }
}

function isMethod(text: string): text is CanopyMethod {
  return text in canopyCalls;
}
