import type { AgentRuntime, Log, SessionEvent, TapPoint } from "@banyan/plugin-sdk";
import { HOST_STAGE } from "./hooks/host-stage.ts";
import { BanyanError } from "./ports/errors.ts";

/** The runtimes of a gateway, each opened with the first turn that needs it. */
export class GatewayRuntimes {
  readonly #create: Readonly<Record<string, () => Promise<AgentRuntime>>>;
  readonly #open = new Map<string, Promise<AgentRuntime>>();

  constructor(
    create: Readonly<Record<string, () => Promise<AgentRuntime>>>,
    { ended, log }: { readonly ended: TapPoint<SessionEvent>; readonly log: Log },
  ) {
    this.#create = create;
    ended.tapPromise({ name: "runtimes", stage: HOST_STAGE }, async (session) => {
      await this.#endSession(session, log);
      return undefined;
    });
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

  /** Tells all that are open, or about to be; one that could not be opened holds nothing. */
  async #endSession(session: SessionEvent, log: Log): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    for (const one of opened) if (one.status === "fulfilled") one.value.endSession?.(session, { log });
  }
}
