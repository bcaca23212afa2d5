import { type Step, type StepResult, type Store, StoreError } from "@banyan/store";
import { pause } from "./pause.ts";
import type { Ports } from "./ports.ts";

const MOST_UNKNOWN_COMMITS = 5;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;

/** Sends a step until its end is known. Rejects when nothing was written, so that the caller keeps what it has. */
export async function commitStep<S extends Step>(
  store: Pick<Store, "commit">,
  step: S,
  onRepeat: () => void = () => undefined,
): Promise<StepResult<S>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await store.commit(step);
    } catch (error) {
      const isUnknown = error instanceof StoreError && error.code === "commit_unknown";
      if (!isUnknown || tries >= MOST_UNKNOWN_COMMITS) throw error;
      onRepeat();
    }
  }
}

/**
 * Sends a step whose content exists nowhere else yet, such as a finished answer, until the store takes it: a full disk
 * and a store that does not answer are waited for. Rejects only when the store has closed or failed, or when `given`
 * aborts; a function is asked for it when there is something to wait for.
 */
export async function commitPatiently<S extends Step>(
  store: Pick<Store, "commit">,
  step: S,
  ports: Pick<Ports, "clock" | "log">,
  given: AbortSignal | (() => AbortSignal),
): Promise<StepResult<S>> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await commitStep(store, step);
    } catch (error) {
      const canPass = error instanceof StoreError && (error.code === "full" || error.code === "commit_unknown");
      const signal = typeof given === "function" ? given() : given;
      if (!canPass || signal.aborted) throw error;
      const wrong =
        error.code === "full" ? "the store is full; free some disk space" : "the store does not say whether it wrote";
      ports.log.error({ err: error, step: step.step, retryInMs: waitMs }, wrong);
      await pause(ports.clock, waitMs, signal);
    }
  }
}

/**
 * Sends a step that may be refused for want of space, but whose end must be known once it may have been written: a lane
 * that was claimed without anybody's knowledge would stand still. Rejects when nothing was written, as on a full disk;
 * once it may have been, as `commitPatiently`.
 */
export async function commitUntilKnown<S extends Step>(
  store: Pick<Store, "commit">,
  step: S,
  ports: Pick<Ports, "clock" | "log">,
  signal: AbortSignal,
  onRepeat: () => void = () => undefined,
): Promise<StepResult<S>> {
  try {
    return await store.commit(step);
  } catch (error) {
    if (!(error instanceof StoreError && error.code === "commit_unknown")) throw error;
    onRepeat();
    return commitPatiently(store, step, ports, signal);
  }
}
