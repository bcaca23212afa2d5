import type { Signal } from "@banyan/emulator-kit";

/** What the person sees when a button was pressed. */
export interface QueryAnswer {
  /** Empty: nothing is shown, the button only comes to rest. */
  readonly text: string;
  readonly isAlert: boolean;
}

interface Query {
  readonly botId: number;
  readonly atMs: number;
  answer?: QueryAnswer;
}

/** Afterwards the app has stopped waiting; how long Telegram's server waits it does not say. */
const QUERY_LIFE_MS = 30_000;

/** The presses of buttons. Each is answered once, in its time. */
export class QueryList {
  readonly #changed: Signal;
  readonly #queries = new Map<string, Query>();

  constructor(changed: Signal) {
    this.#changed = changed;
  }

  /** Opens a query; resolves with its id, which is a number as text. */
  open(botId: number, nowMs: number): string {
    const id = String(7_000_000_000_000_001 + this.#queries.size);
    this.#queries.set(id, { botId, atMs: nowMs });
    return id;
  }

  /** Whether the answer comes in time, to a query that has none yet. */
  answer(id: string, botId: number, answer: QueryAnswer, nowMs: number): boolean {
    const query = this.#queries.get(id);
    if (query?.botId !== botId || query.answer !== undefined || nowMs - query.atMs > QUERY_LIFE_MS) return false;
    query.answer = answer;
    this.#changed.fire();
    return true;
  }

  /** As soon as it is there, or undefined after `timeoutMs`. */
  async awaitAnswer(id: string, timeoutMs: number): Promise<QueryAnswer | undefined> {
    await this.#changed.until(() => this.#queries.get(id)?.answer !== undefined, timeoutMs);
    return this.#queries.get(id)?.answer;
  }
}
