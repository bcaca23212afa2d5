import type { RunEvent, TurnInput } from "@banyan/plugin-sdk";
import type { LiveRun } from "@banyan/plugin-sdk/runtime";

const DONE: RunEvent = { type: "end", reason: "done" };
const STOPPED: RunEvent = { type: "end", reason: "stopped" };

/** Hands out two events on demand; nothing runs, so there is no queue, no signal and no timer to pay for. */
export class EchoRun implements LiveRun, AsyncIterableIterator<RunEvent> {
  readonly events: AsyncIterable<RunEvent> = this;
  #text: string;
  #end: RunEvent | undefined = DONE;

  constructor(turn: TurnInput) {
    const [first, ...others] = turn.input;
    this.#text = others.length === 0 ? (first?.text ?? "") : turn.input.map(({ text }) => text).join("\n");
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<RunEvent, undefined>> {
    const event = this.#take();
    return event === undefined ? { value: undefined, done: true } : { value: event, done: false };
  }

  /** The reader left. */
  async return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#text = "";
    this.#end = undefined;
    return { value: undefined, done: true };
  }

  isLive(): boolean {
    return this.#end === DONE;
  }

  async steer(): Promise<"returned"> {
    return "returned";
  }

  async abort(): Promise<void> {
    if (!this.isLive()) return;
    this.#text = "";
    this.#end = STOPPED;
  }

  #take(): RunEvent | undefined {
    if (this.#text !== "") {
      const delta = this.#text;
      this.#text = "";
      return { type: "text", delta };
    }
    const end = this.#end;
    this.#end = undefined;
    return end;
  }
}
