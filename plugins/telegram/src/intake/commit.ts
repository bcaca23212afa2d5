import { decideBackoffMs, pause, settleUnlessAborted } from "@banyan/plugin-sdk/kit";
import type { PollSurroundings } from "../polling/poll-surroundings.ts";
import type { Commit } from "./update-intake.ts";

const ADVICE = "they wait at Telegram and are taken in again";

/** Again until it is done, as a poller needs it: what is not stored must not be confirmed. Rejects only on the signal. */
export function createInsistentCommit(options: PollSurroundings): Commit {
  const { clock, random, signal } = options;
  return async (what, work) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await settleUnlessAborted(work(), signal);
      } catch (error) {
        signal.throwIfAborted();
        report(options, what, error);
        await pause(clock, decideBackoffMs(failures, random()), signal);
        signal.throwIfAborted();
      }
    }
  };
}

/** Once: Telegram brings what it posted again where that was not taken. */
export function createSingleCommit(options: PollSurroundings): Commit {
  const { signal } = options;
  return async (what, work) => {
    try {
      return await settleUnlessAborted(work(), signal);
    } catch (error) {
      signal.throwIfAborted();
      report(options, what, error);
      throw error;
    }
  };
}

function report({ health, reportFault }: PollSurroundings, what: string, error: unknown): void {
  health.retry(reportFault("Receiving from Telegram", error, { class: "definite", what, advice: ADVICE }));
}
