/** Telegram posts instead of being asked. */
import type { TelegramEmulator } from "@banyan/emulator-telegram";
import { findFreePort } from "../stage/free-port.ts";
import type { GatewayLives } from "./gateway-lives.ts";
import type { GatewayProcess } from "./gateway-process.ts";

/** Longer than Telegram waits at most before it brings an update again. */
const RETRY_MS = 121_000;

/** Where an account is posted to; its Telegram must be one that knows no TLS (`local`). The port is part of the address that Telegram is told, in every life. */
export interface PostedAccount {
  readonly server: { readonly port: number };
  readonly account: { readonly updates: "webhook"; readonly webhookUrl: string };
}

export async function buildPostedAccount(): Promise<PostedAccount> {
  const port = await findFreePort();
  return { server: { port }, account: { updates: "webhook", webhookUrl: `http://127.0.0.1:${port}` } };
}

/**
 * While a gateway lives, what was not confirmed comes again soon, until the signal aborts: Telegram's time passes where an
 * attempt has failed, and only there, because it forgets what is older than a day.
 */
export async function postAgain(
  telegram: TelegramEmulator,
  lives: Pick<GatewayLives, "isAlive" | "pace">,
  signal: AbortSignal,
): Promise<void> {
  let seen = 0;
  while (!signal.aborted) {
    const deliveries = await telegram.webhook().deliveries();
    const hasFailed = deliveries.slice(seen).some(({ status = 0 }) => status < 200 || status > 299);
    // Telegram waits a minute for an answer, and none is to be cut short.
    if (lives.isAlive && hasFailed && deliveries.every(({ isSettled }) => isSettled)) {
      seen = deliveries.length;
      await telegram.passTime(RETRY_MS);
    }
    await lives.pace();
  }
}

/** The ids of all that was posted, in their order. */
export async function listPosted(telegram: TelegramEmulator): Promise<readonly number[]> {
  const posted = (await telegram.webhook().deliveries()).flatMap(({ updateId }) => updateId ?? []);
  return [...new Set(posted)].toSorted((one, other) => one - other);
}

/** Posts it until it is taken, or the gateway has died: a gateway that sets its webhook again ends the posts under way. */
export async function postUntilTaken(
  { telegram, gateway }: { readonly telegram: TelegramEmulator; readonly gateway: GatewayProcess },
  updateId: number,
): Promise<void> {
  while (!gateway.hasEnded && (await telegram.webhook().delivers(updateId)).status !== 200);
}
