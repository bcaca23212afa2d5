import type { Signal } from "./signal.ts";

/** What the journal itself writes into the record of a call. */
export interface JournalledCall {
  readonly seq: number;
  readonly atMs: number;
  /** False where a fault or the rate limit kept the call from its effect. */
  isAccepted: boolean;
  /** The kind of the injected fault that met the call. */
  fault?: string;
  /** The answer as written or dropped; undefined while the call waits. */
  answer?: { readonly status: number; readonly body: unknown };
  answeredAtMs?: number;
  /** The caller cannot have had the answer: a fault dropped it, or the connection was gone. */
  isDropped: boolean;
}

/** Calls of one name: accepted ones that succeeded and were refused, those a fault kept away, dropped answers. */
export interface CallCount {
  accepted: number;
  refused: number;
  faulted: number;
  dropped: number;
}

/** What differs between platforms. */
export interface JournalRules<Call, Filter> {
  /** Under which calls are counted. */
  readonly nameOf: (call: Call) => string;
  /** Makes names the same that mean the same. */
  readonly formatName: (name: string) => string;
  readonly matches: (call: Call, filter: Filter) => boolean;
  readonly failLimit: (text: string) => Error;
}

/** Far above any test; a bench uses the mode "counts". */
export const RECORD_LIMIT = 200_000;

const FIRST_ERROR_STATUS = 400;

/** Every call in order, or in the mode "counts" only their numbers, so that memory stays flat. */
export class CallJournal<Call extends JournalledCall, Filter> {
  readonly #keepsCalls: boolean;
  readonly #calls: Call[] = [];
  readonly #counts = new Map<string, CallCount>();
  readonly #changed: Signal;
  readonly #rules: JournalRules<Call, Filter>;
  #lastSeq = 0;

  constructor(mode: "calls" | "counts", changed: Signal, rules: JournalRules<Call, Filter>) {
    this.#keepsCalls = mode === "calls";
    this.#changed = changed;
    this.#rules = rules;
  }

  /** To be called when the call has run, before its answer is written. */
  accept(record: Call): void {
    record.isAccepted = true;
    this.#count(this.#rules.nameOf(record)).accepted += 1;
    this.#changed.fire();
  }

  /** To be called once, when the answer is written or given up. */
  settle(record: Call, answer: Call["answer"], isDropped: boolean, atMs: number): void {
    if (answer !== undefined) record.answer = answer;
    record.isDropped = isDropped;
    record.answeredAtMs = atMs;
    const count = this.#count(this.#rules.nameOf(record));
    if (!record.isAccepted) count.faulted += 1;
    else if (answer !== undefined && answer.status >= FIRST_ERROR_STATUS) count.refused += 1;
    if (isDropped) count.dropped += 1;
  }

  list(filter: Filter): Call[] {
    const { failLimit, matches } = this.#rules;
    if (!this.#keepsCalls)
      throw failLimit('reading the record: the emulator keeps "counts" only; start it with "calls"');
    if (this.#calls.length > RECORD_LIMIT)
      throw failLimit(`reading the record: more than ${RECORD_LIMIT} calls; use the mode "counts"`);
    return this.#calls.filter((call) => matches(call, filter)).map((call) => ({ ...call }));
  }

  counts(): Record<string, CallCount> {
    return Object.fromEntries([...this.#counts].map(([name, count]) => [name, { ...count }]));
  }

  /** Resolves with the number of accepted calls once it has reached `count`, or after `timeoutMs`. */
  async awaitCalls(name: string, count: number, timeoutMs: number): Promise<number> {
    const wanted = this.#rules.formatName(name);
    await this.#changed.until(() => this.#countAccepted(wanted) >= count, timeoutMs);
    return this.#countAccepted(wanted);
  }

  /** Keeps what `build` makes of the next number. */
  protected keep(build: (seq: number) => Call): Call {
    this.#lastSeq += 1;
    const record = build(this.#lastSeq);
    if (this.#keepsCalls && this.#calls.length <= RECORD_LIMIT) this.#calls.push(record);
    return record;
  }

  #countAccepted(wanted: string): number {
    const counts = [...this.#counts].filter(([name]) => this.#rules.formatName(name) === wanted);
    return counts.reduce((sum, [, { accepted }]) => sum + accepted, 0);
  }

  #count(name: string): CallCount {
    let count = this.#counts.get(name);
    if (count === undefined) {
      count = { accepted: 0, refused: 0, faulted: 0, dropped: 0 };
      this.#counts.set(name, count);
    }
    return count;
  }
}
