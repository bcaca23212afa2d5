import type { AgentRuntime } from "@banyan/plugin-sdk";
import { BanyanError } from "./ports/errors.ts";

/** The runtimes of a gateway, each opened with the first turn that needs it. */
export class GatewayRuntimes {
  readonly #create: Readonly<Record<string, () => Promise<AgentRuntime>>>;
  readonly #open = new Map<string, Promise<AgentRuntime>>();

  constructor(create: Readonly<Record<string, () => Promise<AgentRuntime>>>) {
    this.#create = create;
  }

  get(id: string): Promise<AgentRuntime> {
    const found = this.#open.get(id);
    if (found !== undefined) return found;
    const opening =
      this.#create[id]?.() ??
      Promise.reject(
        new BanyanError(
          "runtime_unavailable",
          `The runtime ${id} was opened: there is none of that name; set agents.<id>.runtime`,
        ),
      );
    this.#open.set(id, opening);
    // One that could not be opened is tried again with the next turn.
    opening.catch(() => this.#open.delete(id));
    return opening;
  }

  /** Ends what they hold. One that is not there yet is waited for; one that could not be opened holds nothing. */
  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    await Promise.all(opened.map((one) => (one.status === "fulfilled" ? one.value.close?.() : undefined)));
  }
}
