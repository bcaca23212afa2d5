import type { TurnMessage } from "@banyan/plugin-sdk";
import { type Experimental_Steering, experimental_createSteering } from "ai";

/** What a call of a model is given so that it hears what is steered at it. */
export interface StepSteering {
  readonly experimental_steering: Experimental_Steering;
}

export type SteerReceipt = "delivered" | "returned";

interface Waiting {
  readonly id: string;
  readonly text: string;
  readonly receipt: PromiseWithResolvers<SteerReceipt>;
}

/**
 * Messages steered at a turn: each goes to the model with its next step, or is returned when the turn ends. The only place
 * that knows the AI SDK's steering, which is marked experimental; one of its objects serves one call of a model, and a turn
 * may make several.
 */
export class SteeredMessages {
  readonly #format: (message: TurnMessage) => string;
  readonly #waiting = new Map<string, Waiting>();
  #steering: Experimental_Steering | undefined;
  #count = 0;
  #isClosed = false;

  constructor(format: (message: TurnMessage) => string) {
    this.#format = format;
  }

  offer(message: TurnMessage): Promise<SteerReceipt> {
    if (this.#isClosed) return Promise.resolve("returned");
    const id = `steer-${this.#count++}`;
    const waiting = { id, text: this.#format(message), receipt: Promise.withResolvers<SteerReceipt>() };
    this.#waiting.set(id, waiting);
    if (this.#steering !== undefined) void this.#send(waiting, this.#steering);
    return waiting.receipt.promise;
  }

  /** For the next call of a model; what no earlier one took goes to this one. */
  open(): StepSteering {
    const steering = experimental_createSteering();
    this.#steering = steering;
    for (const waiting of this.#waiting.values()) void this.#send(waiting, steering);
    return { experimental_steering: steering };
  }

  /** The turn has ended: what waits is returned. */
  close(): void {
    this.#isClosed = true;
    for (const { receipt } of this.#waiting.values()) receipt.resolve("returned");
    this.#waiting.clear();
  }

  async #send({ id, text, receipt }: Waiting, steering: Experimental_Steering): Promise<void> {
    const outcome = await steering.steer(text, { id });
    // Else it waits on, for another call or for the end.
    if (outcome.type !== "delivered") return;
    this.#waiting.delete(id);
    receipt.resolve("delivered");
  }
}
