import type { ToolCalls } from "./turn-tools.ts";

interface MissedCall {
  readonly name: string;
  readonly input: unknown;
}

/** The calls of a model between being read in its stream and being made. */
export class ReadCalls implements ToolCalls {
  readonly #read = new Map<string, PromiseWithResolvers<void>>();
  readonly #missed: MissedCall[] = [];
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

  /** A call of a tool that is not there: the SDK refuses it by itself. */
  miss(name: string, input: unknown): void {
    this.#missed.push({ name, input });
  }

  /** Those of a step, at its end, when its other calls are through: the host refuses them as well, and keeps the account. */
  takeMissed(): readonly MissedCall[] {
    return this.#missed.splice(0);
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
