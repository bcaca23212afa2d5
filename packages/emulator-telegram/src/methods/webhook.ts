import { z } from "zod";
import { type Answer, accept, refuse, refuseForNow, refuseRequest } from "../answers/answer.ts";
import type { WebhookSetting } from "../bots/webhook-setting.ts";
import {
  DEFAULT_CONNECTIONS,
  findWebhookAddress,
  findWebhookFault,
  MOST_CONNECTIONS,
} from "../webhooks/webhook-target.ts";
import type { Call, Method } from "./method.ts";

const updateKindsSchema = z.array(z.string());

/** From now on updates are posted there, and getUpdates is refused. */
export const setWebhook: Method = (call) => {
  const { bot, read, platform } = call;
  const url = read.text("url") ?? "";
  const secretToken = read.text("secret_token") ?? "";
  const allowed = read.json("allowed_updates", updateKindsSchema, "allowed_updates list");
  const connections = read.integer("max_connections") ?? DEFAULT_CONNECTIONS;
  const dropsPending = read.flag("drop_pending_updates");
  read.ignore("ip_address");
  read.lack("certificate");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  const fault = findWebhookFault(url, secretToken, platform.isLocalServer);
  if (fault !== undefined) return refuseRequest(fault);
  const isHurried = url !== "" && platform.isPacingStrict;
  const setting = bot.webhookSetting;
  if (isHurried && !setting.mayBegin()) return refuseForNow(1);
  if (allowed !== undefined) bot.allowUpdates(allowed);
  if (dropsPending) bot.updates.clear();
  if (url !== "") bot.poll.terminate("webhook");
  const maxConnections = Math.min(Math.max(1, connections), MOST_CONNECTIONS);
  bot.webhook.set(url === "" ? undefined : { url, secretToken, maxConnections });
  return isHurried ? awaitVerified(setting) : accept(true);
};

/** The address is looked up meanwhile; who sets another one ends that. */
async function awaitVerified(setting: WebhookSetting): Promise<Answer> {
  return (await setting.verified()) ? accept(true) : refuse(409, "Conflict: terminated by other setWebhook");
}

export const deleteWebhook: Method = ({ bot, read }) => {
  const dropsPending = read.flag("drop_pending_updates");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  bot.webhook.set(undefined);
  if (dropsPending) bot.updates.clear();
  return accept(true);
};

export const getWebhookInfo: Method = ({ bot, read, platform }) => {
  const refusal = read.refusal();
  return refusal ?? accept(buildInfo(bot, platform.clock.nowMs()));
};

function buildInfo({ webhook, updates, allowedUpdates }: Call["bot"], nowMs: number): object {
  const { target, lastError } = webhook;
  const address = target && findWebhookAddress(target);
  updates.expire(nowMs);
  return {
    url: target?.url ?? "",
    has_custom_certificate: false,
    pending_update_count: updates.size,
    ...(address !== undefined && { ip_address: address }),
    ...(lastError !== undefined && {
      last_error_date: Math.floor(lastError.atMs / 1000),
      last_error_message: lastError.message,
    }),
    ...(target !== undefined && { max_connections: target.maxConnections }),
    ...(allowedUpdates !== undefined && { allowed_updates: allowedUpdates }),
  };
}
