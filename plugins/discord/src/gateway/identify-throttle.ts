import type { Clock } from "@banyan/plugin-sdk";
import { type Backoff, decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import type { IIdentifyThrottler } from "@discordjs/ws";
import type { APIGatewaySessionStartLimit } from "discord.js";

export interface IdentifyThrottleOptions {
  /** What Discord says now of how many sessions may be begun (documentation, "Gateway": session start limit). */
  readonly readLimit: () => Promise<APIGatewaySessionStartLimit>;
  /** Discord's own servers want 5 s between two sessions; others have limits of their own. */
  readonly isPaced: boolean;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Tells that no session may be begun for so long. */
  readonly onSpent: (waitMs: number) => void;
  /** Tells that the limit could not be read; `final` where it never will. */
  readonly onTrouble: (error: unknown) => "final" | "again";
}

/** Discord documentation, "Gateway": `max_concurrency` sessions may be begun in 5 s. */
const SPACING_MS = 5_000;
/** Whoever is told again and again that his session is invalid must not use up a day's sessions. */
const REPEATED: Backoff = { firstMs: 1_000, limitMs: 5 * 60_000 };
/** A session that lasted this long was a good one. */
const GOOD_SESSION_MS = 60_000;

/**
 * Begins new sessions with room between them, and none while Discord's budget of them is spent. A wait ends early with the
 * connection alone: the library begins a session all the same after any other failure, and two ends of one connection
 * are in each other's way. Once the account stops it never ends.
 */
export function createIdentifyThrottle(options: IdentifyThrottleOptions): IIdentifyThrottler {
  const { readLimit, isPaced, clock, random, signal, onSpent, onTrouble } = options;
  const begun: number[] = [];
  let line: Promise<unknown> = Promise.resolve();
  let repeats = 0;

  async function wait(abort: AbortSignal): Promise<void> {
    const last = begun.at(-1);
    if (last !== undefined) {
      repeats = clock.monotonic() - last > GOOD_SESSION_MS ? 0 : repeats + 1;
      if (isPaced || repeats > 1) await pause(clock, decideBackoffMs(repeats, random(), REPEATED), abort);
    }
    const limit = await askForLimit(abort);
    if (limit === undefined) return;
    if (limit.remaining < 1) {
      onSpent(limit.reset_after);
      await pause(clock, limit.reset_after, abort);
    }
    const earlier = begun.at(-limit.max_concurrency);
    const leftMs = earlier === undefined ? 0 : earlier + SPACING_MS - clock.monotonic();
    if (isPaced && leftMs > 0) await pause(clock, leftMs, abort);
    if (abort.aborted) return;
    begun.push(clock.monotonic());
    begun.splice(0, begun.length - limit.max_concurrency);
  }

  /** `undefined` where nobody waits for it any more. */
  async function askForLimit(abort: AbortSignal): Promise<APIGatewaySessionStartLimit | undefined> {
    for (let tries = 0; !abort.aborted; tries += 1) {
      try {
        return await readLimit();
      } catch (error) {
        if (abort.aborted || onTrouble(error) === "final") return undefined;
        await pause(clock, decideBackoffMs(tries, random(), REPEATED), abort);
      }
    }
    return undefined;
  }

  async function waitInLine(closed: AbortSignal): Promise<void> {
    await wait(AbortSignal.any([closed, signal]));
    if (signal.aborted) return new Promise<never>(() => undefined);
    closed.throwIfAborted();
  }

  return {
    waitForIdentify(_shard, closed) {
      const waited = line.then(() => waitInLine(closed));
      line = waited.catch(() => undefined);
      return waited;
    },
  };
}
