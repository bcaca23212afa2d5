/** What `banyan doctor` says of the webhook of an account. Pure. */
import type { AccountFinding } from "@banyan/plugin-sdk";
import type { WebhookInfo } from "grammy/types";
import type { TelegramConfig } from "../telegram-config.ts";
import { readHost } from "../webhook/decide-webhook.ts";
import { buildWebhookPlace } from "../webhook/webhook-place.ts";

export function inspectWebhook(info: WebhookInfo, config: TelegramConfig, account: string): readonly AccountFinding[] {
  const present = info.url ?? "";
  if (config.updates === "polling") return present === "" ? [] : [describeObstacle(present, config, account)];
  const { url } = buildWebhookPlace(config, account);
  const mode: AccountFinding = { level: "note", text: `webhook: Telegram posts its messages to ${readHost(url)}` };
  if (present === "") return [{ ...mode, text: `${mode.text} once the gateway has started` }];
  if (present !== url) return [describeForeign(present, config, account)];
  return [mode, ...describeTrouble(info, url)];
}

function describeObstacle(present: string, { webhook }: TelegramConfig, account: string): AccountFinding {
  const text = `a webhook is set (${readHost(present)}), so another program may be served with its messages`;
  const cure =
    webhook === "delete"
      ? "the gateway deletes it when it starts; stop the other program"
      : `stop the other program and delete the webhook, or set channels.telegram.accounts.${account}.webhook to "delete"`;
  return { level: "warning", text, cure };
}

function describeForeign(present: string, { webhook }: TelegramConfig, account: string): AccountFinding {
  const text = `another webhook is set (${readHost(present)}), so its messages do not come here`;
  const cure =
    webhook === "delete"
      ? "the gateway replaces it when it starts; stop the other program"
      : `stop the other program, or set channels.telegram.accounts.${account}.webhook to "delete"`;
  return { level: "warning", text, cure };
}

/** An error stays on record when it is over; what waits says that it is not. */
function describeTrouble(info: WebhookInfo, url: string): readonly AccountFinding[] {
  const { last_error_message: message, last_error_date: at = 0, pending_update_count: count } = info;
  if (message === undefined || count === 0) return [];
  const time = `${new Date(at * 1000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
  const text = `Telegram could not deliver ${count} updates, last at ${time}: ${message}`;
  return [{ level: "warning", text, cure: `start the gateway, and see that ${url} leads to it by https` }];
}
