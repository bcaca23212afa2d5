import type { Clock } from "@banyan/plugin-sdk";
import type { LiveTurn } from "@banyan/plugin-sdk/runtime";

const TICK_MS = 1000;

/** Says one tick a second, by the host's clock; an abort ends it at once and leaves no timer behind. */
export async function tickSeconds(turn: LiveTurn, clock: Clock, seconds: number): Promise<void> {
  for (let second = 1; second <= seconds; second += 1) {
    await pause(turn, clock, TICK_MS);
    await turn.say(`${second} `);
  }
  await turn.say(`\nThat took ${seconds} s.`);
}

async function pause(turn: LiveTurn, clock: Clock, delayMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = clock.schedule(delayMs, resolve);
  try {
    await turn.waitFor(promise);
  } finally {
    cancel();
  }
}
