import { setTimeout as sleep } from "node:timers/promises";
import { BanyanError } from "@banyan/core";
import { ChatRefusal } from "./chat-client.ts";

/** Longer than a start and an orderly stop take: while one gateway replaces another, none answers. */
export const MAX_AWAY_MS = 60_000;
const LOOK_AGAIN_MS = 200;
const AWAY: ReadonlySet<string> = new Set(["control_unavailable", "gateway_silent"]);

/** Repeats a call of the gateway until one answers. Rejects with errors that waiting does not fix, and after a minute. */
export async function untilThere<Answer>(call: () => Promise<Answer>, signal?: AbortSignal): Promise<Answer> {
  const begunMs = performance.now();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isAway(error) || signal?.aborted || performance.now() - begunMs > MAX_AWAY_MS) throw error;
      await sleep(LOOK_AGAIN_MS);
    }
  }
}

/** Whether no gateway answered, which waiting may fix. A lost connection is a `TypeError` of `fetch`. */
export function isAway(error: unknown): boolean {
  if (error instanceof BanyanError) return AWAY.has(error.code);
  return error instanceof ChatRefusal ? error.isPassing : error instanceof TypeError;
}
