import { setTimeout as sleep } from "node:timers/promises";
import { countOf } from "../terminal/count-of.ts";
import { ChatRefusal } from "./chat-client.ts";
import { type ChatRun, listOpenRuns, listRunIds } from "./chat-run.ts";

/** Often enough that nobody waits behind the last word, and next to nothing for the gateway. */
const LOOK_MS = 300;

export interface AskedRunsParts {
  look(): Promise<readonly ChatRun[]>;
  /** How long nothing may move. */
  readonly patienceMs: number;
  /** When the chat was last heard, on the clock of `performance.now()`. */
  heardAtMs(): number;
}

/** The sub-agents that were asked for since a chat began. */
export class AskedRuns {
  readonly #parts: AskedRunsParts;
  #known: ReadonlySet<string> = new Set();

  constructor(parts: AskedRunsParts) {
    this.#parts = parts;
  }

  /** What is there now was asked for by somebody else, or before. */
  async begin(): Promise<void> {
    this.#known = new Set(listRunIds(await this.#parts.look()));
  }

  /** Resolves when all have ended and the chat was told. Rejects when nothing moves for too long. */
  async untilTold(): Promise<void> {
    const { patienceMs, heardAtMs } = this.#parts;
    let open: readonly ChatRun[] | undefined;
    let movedAtMs = performance.now();
    for (;;) {
      const present = await this.#listOpen();
      if (present?.length === 0) return;
      if (present !== undefined && JSON.stringify(present) !== JSON.stringify(open)) {
        open = present;
        movedAtMs = performance.now();
      }
      if (performance.now() - Math.max(movedAtMs, heardAtMs()) > patienceMs) throw silence(open, patienceMs);
      await sleep(Math.min(LOOK_MS, patienceMs));
    }
  }

  /** `undefined`: the gateway is away, and may come back. */
  async #listOpen(): Promise<readonly ChatRun[] | undefined> {
    try {
      return listOpenRuns(await this.#parts.look(), this.#known);
    } catch (error) {
      if (error instanceof ChatRefusal && !error.isPassing) throw error;
      return undefined;
    }
  }
}

function silence(open: readonly ChatRun[] | undefined, patienceMs: number): Error {
  const what = open === undefined ? "the gateway is away" : `${countOf(open.length, "sub-agent")} not reported yet`;
  return new Error(
    `waiting for sub-agents: nothing moved for ${patienceMs / 1_000} s, ${what}; they continue with the gateway and are announced in the chat, banyan runs tree shows them; --patience waits longer`,
  );
}
