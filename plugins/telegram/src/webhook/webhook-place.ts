/** Where Telegram posts an account's updates, and by what it is known there. Pure. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { TelegramConfig } from "../telegram-config.ts";

/** "setWebhook", core.telegram.org/bots/api: also its default. Each may wait while an earlier update is missing. */
export const MOST_CONNECTIONS = 40;

export interface WebhookPlace {
  /** Of the gateway's own server. */
  readonly path: string;
  /** As Telegram calls it. */
  readonly url: string;
  readonly secret: string;
  /** Tells address and secret from any other ones, and neither of them. */
  readonly mark: string;
}

/**
 * Without a secret of the operator's own it is derived from the token, so that each start has the same: what Telegram posts
 * while the gateway restarts is known by it, and nothing has to be set again. Whoever has the token has the bot anyway.
 */
export function buildWebhookPlace(config: TelegramConfig, account: string): WebhookPlace {
  const path = `/telegram/${account}/webhook`;
  const base = config.webhookUrl ?? "";
  const url = base.endsWith(path) ? base : base + path;
  const secret = config.webhookSecret ?? derive(config.token, "webhook secret");
  return { path, url, secret, mark: derive(config.token, `webhook mark\n${url}\n${secret}`).slice(0, 16) };
}

function derive(token: string, purpose: string): string {
  return createHmac("sha256", token).update(`banyan v1 ${purpose}`).digest("base64url");
}

/** Takes the same time whatever is given: digests have one length. */
export function isSecret(given: string | null, secret: string): boolean {
  return timingSafeEqual(digest(given ?? ""), digest(secret));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
