import { decideAskMs } from "../../src/intake/album-decision.ts";
import type { TestAccount } from "../test-account.ts";

/** Lets a second pass for an album, after which Telegram is asked what waits there. */
export async function passSecond({ clock }: TestAccount): Promise<void> {
  await clock.awaitAlarm(1000);
  clock.advance(1000);
}

/**
 * Lets seconds pass until so many messages were received: what was stored a moment ago may still wait at Telegram, and what
 * was not stored is stored again after half a second.
 */
export async function joins(account: TestAccount, count: number): Promise<string[]> {
  let texts: string[] | undefined;
  const received = account.receives(count).then((all) => {
    texts = all;
  });
  for (;;) {
    await Promise.race([received, account.clock.awaitAlarm(1000), account.clock.awaitAlarm(500)]);
    if (texts !== undefined) return texts;
    account.clock.advance(1000);
  }
}

/** Lets pass what an album that has waited so long waits before Telegram is asked; returns how long that was. */
export async function passAsk({ clock }: TestAccount, waitedMs: number): Promise<number> {
  const askMs = decideAskMs({ waitedMs });
  await clock.awaitAlarm(askMs);
  clock.advance(askMs);
  return askMs;
}
