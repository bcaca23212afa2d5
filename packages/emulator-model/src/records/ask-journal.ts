import type { Signal } from "@banyan/emulator-kit";
import type { ChatRequest } from "../messages/chat-request.ts";
import { EmulatorError } from "../ports/error.ts";

/** One request to the model, and what became of it. */
export interface AskedModel {
  readonly atMs: number;
  readonly request: ChatRequest;
  /** Absent while it waits. `left`: the client hung up. */
  end?: "answered" | "refused" | "cut" | "left";
}

/** No test asks that often; a bench would fill the memory. */
const KEPT_LIMIT = 10_000;

/** Every request in order. */
export class AskJournal {
  readonly #asked: AskedModel[] = [];
  readonly #changed: Signal;
  #count = 0;

  constructor(changed: Signal) {
    this.#changed = changed;
  }

  get asked(): readonly AskedModel[] {
    return this.#asked;
  }

  begin(request: ChatRequest, atMs: number): AskedModel {
    const asked: AskedModel = { atMs, request };
    this.#count += 1;
    if (this.#asked.length < KEPT_LIMIT) this.#asked.push(asked);
    this.#changed.fire();
    return asked;
  }

  /** The first end stands. */
  settle(asked: AskedModel, end: NonNullable<AskedModel["end"]>): void {
    asked.end ??= end;
    this.#changed.fire();
  }

  /** Resolves when the model was asked `count` times. */
  async awaitAsked(count: number, timeoutMs: number): Promise<void> {
    if (await this.#changed.until(() => this.#count >= count, timeoutMs)) return;
    throw new EmulatorError(
      "not_asked",
      `waiting ${timeoutMs} ms for the model to be asked ${count} times: it was asked ${this.#count} times`,
    );
  }
}
