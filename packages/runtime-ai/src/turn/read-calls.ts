import type { ToolCalls } from "./turn-tools.ts";

/** The calls of a model between being read in its stream and being made. */
export class ReadCalls implements ToolCalls {
  readonly #read = new Map<string, PromiseWithResolvers<void>>();
  #callingCount = 0;
  #rest: PromiseWithResolvers<void> | undefined;

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
    if (!this.isCalling) this.#rest?.resolve();
  }

  /** Resolves when no tool is at work: an effect that was begun is known then. */
  async settle(): Promise<void> {
    if (!this.isCalling) return;
    this.#rest ??= Promise.withResolvers();
    await this.#rest.promise;
  }

  #get(callId: string): PromiseWithResolvers<void> {
    const found = this.#read.get(callId) ?? Promise.withResolvers<void>();
    this.#read.set(callId, found);
    return found;
  }
}
