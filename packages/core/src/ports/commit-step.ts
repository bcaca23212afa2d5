import { type Step, type StepResult, type Store, StoreError, type StoreErrorCode } from "@banyan/plugin-sdk/store";
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
 * and a store that does not answer are waited for. Rejects only when the store has closed or failed, or when `signal`
 * aborts.
 */
export function commitPatiently<S extends Step>(
  store: Pick<Store, "commit">,
  step: S,
  ports: Pick<Ports, "clock" | "log">,
  signal: AbortSignal,
): Promise<StepResult<S>> {
  return commitWaiting(step, () => commitStep(store, step), ["full", "commit_unknown"], ports, signal);
}

/**
 * Sends a step whose content the caller has elsewhere, but whose effect is this process's to go on with, until its end is
 * known. Rejects when nothing was written, as on a full disk; else only when the store has closed or failed, or when
 * `signal` aborts.
 */
export function commitUntilKnown<S extends Step>(
  store: Pick<Store, "commit">,
  step: S,
  ports: Pick<Ports, "clock" | "log">,
  signal: AbortSignal,
  onRepeat: () => void = () => undefined,
): Promise<StepResult<S>> {
  const send = () => {
    const sent = commitStep(store, step, onRepeat);
    // The next sending is a repeat, too.
    sent.catch(onRepeat);
    return sent;
  };
  return commitWaiting(step, send, ["commit_unknown"], ports, signal);
}

async function commitWaiting<Result>(
  { step }: Step,
  send: () => Promise<Result>,
  passing: readonly StoreErrorCode[],
  ports: Pick<Ports, "clock" | "log">,
  signal: AbortSignal,
): Promise<Result> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      return await send();
    } catch (error) {
      const canPass = error instanceof StoreError && passing.includes(error.code);
      if (!canPass || signal.aborted) throw error;
      const wrong =
        error.code === "full" ? "the store is full; free some disk space" : "the store does not say whether it wrote";
      ports.log.error({ err: error, step, retryInMs: waitMs }, wrong);
      await pause(ports.clock, waitMs, signal);
    }
  }
}
