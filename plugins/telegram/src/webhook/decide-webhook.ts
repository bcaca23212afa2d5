/** What is to be done about what Telegram says of the webhook. Pure. */
import type { WebhookInfo } from "grammy/types";
import type { TelegramConfig } from "../telegram-config.ts";
import { MOST_CONNECTIONS } from "./webhook-place.ts";

export type WebhookDecision =
  | { readonly kind: "fine" }
  | { readonly kind: "set"; readonly why: "none" | "foreign" | "outdated" | "secret" }
  /** Another one is there, or none, and setting it once more would be a fight or is forbidden. */
  | { readonly kind: "leave"; readonly what: string; readonly advice: string }
  | { readonly kind: "failing"; readonly what: string };

export interface WebhookSituation {
  readonly info: WebhookInfo;
  readonly url: string;
  readonly allowedUpdates: readonly string[];
  /** The secret that Telegram was given last is the present one, as far as anybody knows. */
  readonly isSecretKnown: boolean;
  readonly policy: TelegramConfig["webhook"];
  /** This connection has seen its webhook in place. */
  readonly wasSet: boolean;
  /** It has put it back lately. */
  readonly wasRestored: boolean;
  /** It was set for its kinds of updates before: a server that does not know one of them never says that it has it. */
  readonly wasUpdated: boolean;
  /** When an update was taken last, in milliseconds since the epoch by Telegram's clock. */
  readonly takenAt: number;
}

const STOP_OTHER = "stop the other program that uses this token";

export function decideWebhook(situation: WebhookSituation): WebhookDecision {
  const { info, url, policy, wasSet, wasRestored } = situation;
  const present = info.url ?? "";
  if (present !== url) {
    const isForeign = present !== "";
    if (isForeign && policy === "refuse") {
      const advice = `${STOP_OTHER}, or allow to replace it with channels.telegram.accounts.<name>.webhook: "delete"`;
      return { kind: "leave", what: `Telegram posts this bot's messages to ${readHost(present)}`, advice };
    }
    if (wasSet && wasRestored) {
      const what = isForeign
        ? `another program has Telegram post to ${readHost(present)}`
        : "another program has taken the webhook away";
      return { kind: "leave", what, advice: STOP_OTHER };
    }
    return { kind: "set", why: isForeign ? "foreign" : "none" };
  }
  if (!situation.isSecretKnown) return { kind: "set", why: "secret" };
  if (!situation.wasUpdated && isOutdated(situation)) return { kind: "set", why: "outdated" };
  const {
    last_error_date: failedAt = 0,
    last_error_message: message = "no reason",
    pending_update_count: count,
  } = info;
  if (count === 0 || failedAt * 1000 <= situation.takenAt) return { kind: "fine" };
  // Telegram was given another secret for this address, unless it stays so: then something before the gateway says it.
  if (/\b401\b/.test(message) && !wasRestored) return { kind: "set", why: "secret" };
  return { kind: "failing", what: `Telegram cannot deliver ${count} updates: ${message}` };
}

function isOutdated({ info, allowedUpdates }: WebhookSituation): boolean {
  const present = info.allowed_updates ?? [];
  const isSame = present.length === allowedUpdates.length && present.every((kind) => allowedUpdates.includes(kind));
  return !isSame || info.max_connections !== MOST_CONNECTIONS;
}

/** An address may hold a secret in its path. */
export function readHost(url: string): string {
  return URL.parse(url)?.host ?? "an address";
}
