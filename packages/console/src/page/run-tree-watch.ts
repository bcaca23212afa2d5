import { REFUSED_WAIT_MS, RetryWait } from "./retry-wait.ts";
import { countUnfinished, type RunTree } from "./run-tree.ts";
import type { RunTreeRead } from "./run-tree-api.ts";

/** While something is at work, and the least time between two looks. */
const WORKING_WAIT_MS = 1_000;
/** For so long after something happened in the chat a turn may still start sub-agents without a word. */
const STIRRED_MS = 60_000;
const STIRRED_WAIT_MS = 3_000;
const QUIET_WAIT_MS = 60_000;
const LOST_WAIT_MS = 5_000;

export interface RunTreeWatchParts {
  readonly api: { read(): Promise<RunTreeRead> };
  show(tree: RunTree): void;
  /** Nobody looks at a hidden page. */
  isVisible(): boolean;
}

/** Keeps the tree in step with the server: each second while something is at work, else when the chat gives reason. */
export class RunTreeWatch {
  readonly #parts: RunTreeWatchParts;
  readonly #wait = new RetryWait();
  #stirredAt = performance.now();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #isStirring = false;

  constructor(parts: RunTreeWatchParts) {
    this.#parts = parts;
  }

  /** Something happened in the chat, or somebody looks at the page again. */
  stir(): void {
    this.#stirredAt = performance.now();
    if (this.#isStirring) return;
    this.#isStirring = true;
    // An answer that grows stirs many times a second.
    const restMs = Math.max(0, WORKING_WAIT_MS - (this.#stirredAt - this.#lookedAt));
    setTimeout(() => {
      this.#isStirring = false;
      this.#wait.cut();
    }, restMs);
  }

  /** Never ends. */
  async run(): Promise<never> {
    for (;;) await this.#wait.wait(this.#parts.isVisible() ? await this.#look() : QUIET_WAIT_MS);
  }

  async #look(): Promise<number> {
    this.#lookedAt = performance.now();
    const read = await this.#parts.api.read();
    if (read.status === "read") this.#parts.show(read.tree);
    return decideLookWaitMs(read, performance.now() - this.#stirredAt);
  }
}

/** Pure: how long to wait for the next look. */
export function decideLookWaitMs(read: RunTreeRead, sinceStirredMs: number): number {
  if (read.status !== "read") return read.status === "unauthorized" ? REFUSED_WAIT_MS : LOST_WAIT_MS;
  if (countUnfinished(read.tree.runs) > 0) return WORKING_WAIT_MS;
  return sinceStirredMs < STIRRED_MS ? STIRRED_WAIT_MS : QUIET_WAIT_MS;
}
