import type { TurnMessage } from "@banyan/plugin-sdk";

type Receipt = "delivered" | "returned";

/** Steered messages on their way to a script: each is taken once, or returned when the turn ends. */
export class SteerBox {
  readonly #waiting: { message: TurnMessage; receipt: PromiseWithResolvers<Receipt> }[] = [];
  #arrival: PromiseWithResolvers<void> = Promise.withResolvers();
  #isClosed = false;

  offer(message: TurnMessage): Promise<Receipt> {
    if (this.#isClosed) return Promise.resolve("returned");
    const receipt = Promise.withResolvers<Receipt>();
    this.#waiting.push({ message, receipt });
    this.#arrival.resolve();
    return receipt.promise;
  }

  /** Call `take` when it resolves. */
  arrival(): Promise<void> {
    return this.#arrival.promise;
  }

  take(): TurnMessage {
    const next = this.#waiting.shift();
    if (next === undefined) throw new Error("Taking a steered message: none has arrived; await arrival() first.");
    if (this.#waiting.length === 0) this.#arrival = Promise.withResolvers();
    next.receipt.resolve("delivered");
    return next.message;
  }

  close(): void {
    this.#isClosed = true;
    for (const { receipt } of this.#waiting) receipt.resolve("returned");
    this.#waiting.length = 0;
  }
}
