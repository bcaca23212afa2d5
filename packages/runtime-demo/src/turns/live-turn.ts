import type { ToolResult, TurnInput, Usage } from "@banyan/plugin-sdk";
import type { TurnEnd, TurnEvents } from "./turn-events.ts";
import { TurnInterruption, untilInterrupted } from "./turn-interruption.ts";

/** A turn as the program that answers it sees it. Each method rejects with a `TurnInterruption` once it is aborted. */
export interface LiveTurn {
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  /** Resolves when the reader has room for more. Empty text is not told. */
  say(delta: string): Promise<void>;
  /** Calls are numbered from 0 in the order they are made, so that a later attempt finds the results of an earlier one. */
  callTool(name: string, args: unknown): Promise<ToolResult>;
  /** Waits for anything else. */
  waitFor<T>(promise: Promise<T>): Promise<T>;
  /** Goes with the end, also with that of an aborted turn. */
  reportUsage(usage: Usage): void;
}

/** What answers a turn. What it throws ends the turn with an error that is not retryable. */
export type TurnProgram = (turn: LiveTurn) => Promise<TurnEnd>;

export class EventedTurn implements LiveTurn {
  readonly input: TurnInput;
  readonly #events: TurnEvents;
  readonly #interruption = new AbortController();
  #calls = 0;
  #usage: Usage | undefined;

  constructor(input: TurnInput, events: TurnEvents) {
    this.input = input;
    this.#events = events;
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  interrupt(reason: string, options?: { cause?: unknown }): void {
    this.#interruption.abort(new TurnInterruption(reason, options));
  }

  async say(delta: string): Promise<void> {
    this.#refuseWhenOver();
    if (delta !== "") await this.waitFor(this.#events.tell({ type: "text", delta }));
  }

  async callTool(name: string, args: unknown): Promise<ToolResult> {
    this.#refuseWhenOver();
    const ordinal = this.#calls++;
    let isError = true;
    try {
      await this.waitFor(this.#events.tell({ type: "tool_start", ordinal, name }));
      const result = await this.waitFor(this.#answerOf({ ordinal, name, args }));
      isError = result.isError;
      return result;
    } finally {
      void this.#events.tell({ type: "tool_end", ordinal, isError });
    }
  }

  waitFor<T>(promise: Promise<T>): Promise<T> {
    return untilInterrupted(this.signal, promise);
  }

  reportUsage(usage: Usage): void {
    this.#usage = usage;
    void this.#events.tell({ type: "usage", usage });
  }

  async #answerOf(call: { ordinal: number; name: string; args: unknown }): Promise<ToolResult> {
    try {
      return await this.input.callTool(call);
    } catch (cause) {
      // A call rejects only when the lane is lost; whatever the program does next, this turn is over.
      this.interrupt("its lane was lost", { cause });
      throw cause;
    }
  }

  #refuseWhenOver(): void {
    this.signal.throwIfAborted();
    if (this.#events.isEnded) throw new TurnInterruption("it has ended");
  }
}
