import type { Usage } from "../../session/transcript-entry.ts";
import type { TurnInput } from "../agent-runtime.ts";
import type { ToolResult } from "../tool.ts";
import type { TurnEnd, TurnEvents } from "./turn-events.ts";
import { TurnInterruption, untilInterrupted } from "./turn-interruption.ts";

/** A turn as the program that answers it sees it. Each method rejects with a `TurnInterruption` once it is aborted. */
export interface LiveTurn {
  readonly input: TurnInput;
  readonly signal: AbortSignal;
  /** Resolves when the reader has room for more. Empty text is not told. */
  say(delta: string): Promise<void>;
  /**
   * Calls are numbered in the order they are made, from 0 or from `firstOrdinal` on, so that a later attempt finds the results
   * of an earlier one.
   */
  callTool(name: string, args: unknown): Promise<ToolResult>;
  /** Waits for anything else. */
  waitFor<T>(promise: Promise<T>): Promise<T>;
  /**
   * The program calls a tool of its own, or hears of one that works: a turn that is silent for too long is stopped.
   * `isWorking`: whether one runs from now on, see `RunEvent`.
   */
  noteActivity(isWorking?: boolean): void;
  /** Goes with the end, also with that of an aborted turn. The last report counts: all that the turn has spent until then. */
  reportUsage(usage: Usage): void;
  /** The model that answers: goes with the end, also with that of an aborted turn. */
  reportModel(model: string): void;
}

/** What answers a turn. What it throws ends the turn with an error that is not retryable. */
export type TurnProgram = (turn: LiveTurn) => Promise<TurnEnd>;

export class EventedTurn implements LiveTurn {
  readonly input: TurnInput;
  readonly #events: TurnEvents;
  readonly #interruption = new AbortController();
  #nextOrdinal: number;
  #usage: Usage | undefined;
  #model: string | undefined;

  constructor(input: TurnInput, events: TurnEvents, firstOrdinal: number) {
    this.input = input;
    this.#events = events;
    this.#nextOrdinal = firstOrdinal;
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  /** What was reported until now. */
  get report(): Pick<TurnEnd, "usage" | "model"> {
    return {
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(this.#model === undefined ? {} : { model: this.#model }),
    };
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
    const ordinal = this.#nextOrdinal++;
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

  noteActivity(isWorking?: boolean): void {
    void this.#events.tell({ type: "activity", ...(isWorking === undefined ? {} : { isWorking }) });
  }

  reportUsage(usage: Usage): void {
    this.#usage = usage;
    void this.#events.tell({ type: "usage", usage });
  }

  reportModel(model: string): void {
    this.#model = model;
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
