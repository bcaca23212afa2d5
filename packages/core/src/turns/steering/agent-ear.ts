import type { Log, RunHandle, TurnMessage } from "@banyan/plugin-sdk";

type Receipt = "delivered" | "returned";

/** What an agent at work is told. Before it works one waits for that; where it never does, nothing is heard. */
export class AgentEar {
  readonly #log: Log;
  readonly #opened = Promise.withResolvers<RunHandle | undefined>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** The agent works, and hears more; without a handle it does not, or its run is over. The first call counts. */
  open(handle: RunHandle | undefined): void {
    this.#opened.resolve(handle);
  }

  async canHear(): Promise<boolean> {
    return (await this.#opened.promise) !== undefined;
  }

  /** Never rejects. `left`: resolves when nobody waits for the agent any longer; what is not settled by then waits on. */
  async tell(message: TurnMessage, left: Promise<undefined>): Promise<Receipt> {
    const handle = await this.#opened.promise;
    if (handle === undefined) return "returned";
    try {
      return (await Promise.race([handle.steer(message), left])) ?? "returned";
    } catch (error) {
      this.#log.warn({ err: error }, "a runtime failed to take a message; it waits on");
      return "returned";
    }
  }
}
