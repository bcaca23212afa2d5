/** Telegram posts instead of being asked. */
import type { TelegramEmulator } from "@banyan/emulator-telegram";
import { findFreePort } from "../stage/free-port.ts";
import type { GatewayLives } from "./gateway-lives.ts";

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

/** Telegram's time passes quickly until the signal aborts, so that what was not confirmed comes again soon. */
export async function postAgain(
  telegram: TelegramEmulator,
  lives: Pick<GatewayLives, "pace">,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const deliveries = await telegram.webhook().deliveries();
    // Telegram waits a minute for an answer, and none is to be cut short.
    if (deliveries.every(({ isSettled }) => isSettled)) await telegram.passTime(RETRY_MS);
    await lives.pace();
  }
}
