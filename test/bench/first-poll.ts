import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Town } from "./town.ts";

const LOOK_EVERY_MS = 1;
const PATIENCE_MS = 60_000;

/** Resolves with the milliseconds until the platform saw the first poll. Looks rarely, to leave the cores alone. */
export async function waitForFirstPoll(child: ChildProcess, town: Town): Promise<number> {
  const begun = performance.now();
  while (!(await town.telegram.bot()).isPolling) {
    if (child.exitCode !== null) throw new Error(`a subject ended with ${child.exitCode} before its first poll`);
    if (performance.now() - begun > PATIENCE_MS) throw new Error(`a subject did not poll within ${PATIENCE_MS} ms`);
    await wait(LOOK_EVERY_MS);
  }
  return performance.now() - begun;
}
