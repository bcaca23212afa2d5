import type { Clock, Log } from "@banyan/plugin-sdk";
import { formatCause } from "./database/sqlite-error.ts";
import type { CheckEnd } from "./keeper/keeper-message.ts";
import type { FromProjector, ProjectorOptions, ToProjector } from "./projector/projector-message.ts";
import { createRevival } from "./revival.ts";
import { startThread, type WorkerThread } from "./worker-thread.ts";

/** The layout follows the database this much later, so that many steps are one write. */
const DELAY_MS = 1_000;

export interface ProjectorParts {
  readonly clock: Clock;
  readonly log: Log | undefined;
  /** The name of an agent's folder below `agents/`. */
  readonly agentDirOf: ((agentId: string) => string) | undefined;
}

/** A projection that was asked for. */
interface Request {
  readonly isFinal: boolean;
  done(): void;
}

/**
 * The main side of the projecting worker: says when. One that dies is started once more, and begins by bringing the
 * layout up to date; the death of that one, soon, ends the layout, never the store.
 */
export class ProjectorThread {
  readonly #options: ProjectorOptions;
  readonly #parts: ProjectorParts;
  readonly #isRevived: () => boolean;
  #thread: WorkerThread<ToProjector> | undefined;
  readonly #ended = Promise.withResolvers<void>();
  #hasEnded = false;
  #agents = new Set<string>();
  /** What the worker has not answered yet, in order. */
  #waiting: Request[] = [];
  /** Who waits for a look through the file, in order. */
  #checks: ((end: CheckEnd | undefined) => void)[] = [];
  #isClosing = false;
  #cancelTimer: (() => void) | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;

  constructor(options: ProjectorOptions, parts: ProjectorParts) {
    this.#options = options;
    this.#parts = parts;
    this.#isRevived = createRevival(parts.clock);
    // What an earlier process left to write can wait until the start is over.
    this.#schedule(DELAY_MS);
  }

  /** Something was committed; `agents`: whose sessions changed. */
  note(agents: readonly string[]): void {
    for (const agent of agents) this.#agents.add(agent);
    this.#schedule(DELAY_MS);
  }

  /** Everything that was committed before stands in the layout when it resolves. */
  projectNow(): Promise<void> {
    return new Promise((resolve) => this.#ask({ isFinal: true, done: resolve }));
  }

  /** Looks through the database's file in turn with the layout, which waits for it. `undefined`: its worker is no more. */
  check(): Promise<CheckEnd | undefined> {
    if (this.#hasEnded || this.#isClosing) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#checks.push(resolve);
      this.#getThread().post({ type: "check" });
    });
  }

  /** Ends it without writing what is left: what has the names of its files now belongs to another store. */
  abandon(): void {
    this.#isClosing = true;
    if (this.#thread === undefined) this.#end(undefined);
    else void this.#thread.terminate();
  }

  async close(): Promise<void> {
    await this.projectNow();
    this.#cancelTimer?.();
    this.#isClosing = true;
    if (!this.#hasEnded) this.#getThread().post({ type: "close" });
    await this.#ended.promise;
  }

  /** It starts with the first thing it is asked for, and again after it has died. */
  #getThread(): WorkerThread<ToProjector> {
    this.#thread ??= startThread<ToProjector, FromProjector>("projector", this.#options, {
      onMessage: (message) => this.#receive(message),
      onEnd: (death) => this.#end(death),
    });
    return this.#thread;
  }

  #ask(request: Request): void {
    if (this.#hasEnded) {
      request.done();
      return;
    }
    this.#waiting.push(request);
    this.#post(request);
  }

  #post({ isFinal }: Request): void {
    const nowMs = this.#parts.clock.monotonic();
    this.#getThread().post({ type: "project", agents: [...this.#agents], isFinal, nowMs });
    this.#agents.clear();
  }

  #schedule(delayMs: number): void {
    const atMs = this.#parts.clock.monotonic() + delayMs;
    if (this.#hasEnded || atMs >= this.#dueAtMs) return;
    this.#cancelTimer?.();
    this.#dueAtMs = atMs;
    this.#cancelTimer = this.#parts.clock.schedule(delayMs, () => {
      this.#dueAtMs = Number.POSITIVE_INFINITY;
      if (this.#waiting.length > 0) this.#schedule(DELAY_MS);
      else this.#ask({ isFinal: false, done: () => undefined });
    });
  }

  #receive(message: FromProjector): void {
    switch (message.type) {
      case "projected":
        this.#waiting.shift()?.done();
        if (message.againInMs !== undefined) this.#schedule(Math.max(DELAY_MS, message.againInMs));
        break;
      case "checked":
      case "failed":
        this.#checks.shift()?.(message);
        break;
      case "agent_folder": {
        const { agentId } = message;
        const folder = this.#parts.agentDirOf?.(agentId) ?? agentId;
        this.#getThread().post({ type: "agent_folder", agentId, folder });
        break;
      }
      case "warning":
        this.#parts.log?.warn(message.fields, message.message);
        break;
    }
  }

  #end(death: unknown): void {
    for (const resolve of this.#checks.splice(0)) resolve(undefined);
    const fields = death === undefined ? { cause: "its worker ended" } : { cause: formatCause(death) };
    if (!this.#isClosing && this.#isRevived()) {
      this.#parts.log?.error(fields, "the readable layout's worker died; it is started again");
      this.#thread = undefined;
      for (const request of this.#waiting) this.#post(request);
      // It looks through everything when it begins, so also where nothing was asked for.
      if (this.#waiting.length === 0) this.#ask({ isFinal: false, done: () => undefined });
      return;
    }
    this.#hasEnded = true;
    this.#cancelTimer?.();
    if (!this.#isClosing || death !== undefined) {
      this.#parts.log?.error(fields, "the readable layout is not written until the next start; the store goes on");
    }
    for (const { done } of this.#waiting.splice(0)) done();
    this.#ended.resolve();
  }
}
