import type { Clock } from "@banyan/plugin-sdk";

/** Which chats of an account Telegram keeps from being written to at the moment, by its 429 answers. */
export interface FloodMemory {
  /** Notes that `chatId` has to wait. Whether another chat waits, too: then it is the account that sends too much. */
  note(chatId: number, retryAfterMs: number): boolean;
}

export function createFloodMemory(clock: Pick<Clock, "monotonic">): FloodMemory {
  const waits = new Map<number, number>();
  return {
    note(chatId, retryAfterMs) {
      const now = clock.monotonic();
      for (const [waiting, untilMs] of waits) if (untilMs <= now) waits.delete(waiting);
      waits.set(chatId, now + retryAfterMs);
      return waits.size > 1;
    },
  };
}
