import type { Signal } from "@banyan/emulator-kit";
import { EmulatorError } from "../ports/error.ts";

/** One API call as the emulator saw it: the witness of what a gateway did. */
export interface CallRecord {
  readonly seq: number;
  /** Undefined where the token is nobody's. */
  readonly botId?: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly atMs: number;
  /** False where a fault or the rate limit kept the call from its method: it had no effect. */
  isAccepted: boolean;
  /** The kind of the injected fault that met the call. */
  fault?: string;
  /** The answer as written or dropped; undefined while the call waits. */
  answer?: { readonly status: number; readonly body: unknown };
  answeredAtMs?: number;
  /** The caller cannot have had the answer: a fault dropped it, or the connection was gone. */
  isDropped: boolean;
}

export interface CallFilter {
  readonly method?: string;
  readonly botId?: number;
  readonly isAccepted?: boolean;
}

/** Calls of one method: accepted ones that succeeded and were refused, those a fault kept away, dropped answers. */
export interface CallCount {
  accepted: number;
  refused: number;
  faulted: number;
  dropped: number;
}

/** Far above any test; a bench uses the mode "counts". */
export const RECORD_LIMIT = 200_000;

/** Every call in order, or in the mode "counts" only their numbers, so that memory stays flat. */
export class CallJournal {
  readonly #keepsCalls: boolean;
  readonly #calls: CallRecord[] = [];
  readonly #counts = new Map<string, CallCount>();
  readonly #changed: Signal;
  #lastSeq = 0;

  constructor(mode: "calls" | "counts", changed: Signal) {
    this.#keepsCalls = mode === "calls";
    this.#changed = changed;
  }

  open(call: Pick<CallRecord, "botId" | "method" | "params" | "atMs">): CallRecord {
    this.#lastSeq += 1;
    const record: CallRecord = { seq: this.#lastSeq, ...call, isAccepted: false, isDropped: false };
    if (this.#keepsCalls && this.#calls.length <= RECORD_LIMIT) this.#calls.push(record);
    return record;
  }

  /** To be called when the method has run, before its answer is written. */
  accept(record: CallRecord): void {
    record.isAccepted = true;
    this.#count(record.method).accepted += 1;
    this.#changed.fire();
  }

  /** To be called once, when the answer is written or given up. */
  settle(record: CallRecord, answer: CallRecord["answer"], isDropped: boolean, atMs: number): void {
    if (answer !== undefined) record.answer = answer;
    record.isDropped = isDropped;
    record.answeredAtMs = atMs;
    const count = this.#count(record.method);
    if (!record.isAccepted) count.faulted += 1;
    else if (answer !== undefined && answer.status !== 200) count.refused += 1;
    if (isDropped) count.dropped += 1;
  }

  list(filter: CallFilter): CallRecord[] {
    if (!this.#keepsCalls) {
      throw new EmulatorError(
        "limit_reached",
        'reading the record: the emulator keeps "counts" only; start it with "calls"',
      );
    }
    if (this.#calls.length > RECORD_LIMIT) {
      throw new EmulatorError(
        "limit_reached",
        `reading the record: more than ${RECORD_LIMIT} calls; use the mode "counts"`,
      );
    }
    return this.#calls
      .filter(
        (call) =>
          (filter.method === undefined || call.method === filter.method) &&
          (filter.botId === undefined || call.botId === filter.botId) &&
          (filter.isAccepted === undefined || call.isAccepted === filter.isAccepted),
      )
      .map((call) => ({ ...call }));
  }

  counts(): Record<string, CallCount> {
    return Object.fromEntries([...this.#counts].map(([method, count]) => [method, { ...count }]));
  }

  /** Resolves with the number of accepted calls once it has reached `count`, or after `timeoutMs`. */
  async awaitCalls(method: string, count: number, timeoutMs: number): Promise<number> {
    await this.#changed.until(() => this.#count(method).accepted >= count, timeoutMs);
    return this.#count(method).accepted;
  }

  #count(method: string): CallCount {
    let count = this.#counts.get(method);
    if (count === undefined) {
      count = { accepted: 0, refused: 0, faulted: 0, dropped: 0 };
      this.#counts.set(method, count);
    }
    return count;
  }
}
