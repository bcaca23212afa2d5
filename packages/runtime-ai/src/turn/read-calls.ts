import type { ToolCalls } from "./turn-tools.ts";

/** The calls of a model between being read in its stream and being made. */
export class ReadCalls implements ToolCalls {
  readonly #read = new Map<string, PromiseWithResolvers<void>>();
  #callingCount = 0;

  /** Whether a tool is at work, so that the model's silence is none. */
  get isCalling(): boolean {
    return this.#callingCount > 0;
  }

  read(callId: string): void {
    this.#get(callId).resolve();
  }

  awaitRead(callId: string): Promise<void> {
    return this.#get(callId).promise;
  }

  begin(): void {
    this.#callingCount += 1;
  }

  end(): void {
    this.#callingCount -= 1;
  }

  #get(callId: string): PromiseWithResolvers<void> {
    const found = this.#read.get(callId) ?? Promise.withResolvers<void>();
    this.#read.set(callId, found);
    return found;
  }
}
