import { commitPatiently } from "../ports/commit-step.ts";
import type { RunParts } from "./run-parts.ts";

/** A turn that was stopped here and is not yet ended in the store. */
export interface StoppedLane {
  readonly lane: string;
  readonly epoch: number;
}

/** Turns whose end was not written run again. Never rejects: what cannot be given back now, the next start takes up. */
export async function giveTurnsBack(
  stopped: readonly StoppedLane[],
  { store, ports, signal, wakeLanes }: Pick<RunParts, "store" | "ports" | "signal" | "wakeLanes">,
): Promise<void> {
  for (const { lane, epoch } of stopped) {
    try {
      await commitPatiently(store, { step: "release", lane, epoch, giveBackAttempt: true }, ports, signal);
      wakeLanes([lane]);
    } catch (error) {
      ports.log.error({ err: error, lane }, "a stopped turn is left to the next start");
    }
  }
}
