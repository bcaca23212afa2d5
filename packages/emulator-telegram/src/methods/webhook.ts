import { z } from "zod";
import { accept, refuseRequest } from "../answers/answer.ts";
import type { Method } from "./method.ts";

const updateKindsSchema = z.array(z.string());

/** Only sets it: nothing is sent to the address, the updates wait for getUpdates. */
export const setWebhook: Method = ({ bot, read }) => {
  const url = read.text("url") ?? "";
  const secret = read.text("secret_token") ?? "";
  const allowed = read.json("allowed_updates", updateKindsSchema, "allowed_updates list");
  const dropsPending = read.flag("drop_pending_updates");
  read.ignore("ip_address", "max_connections");
  read.lack("certificate");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (url !== "" && !url.startsWith("https://")) {
    return refuseRequest("bad webhook: An HTTPS URL must be provided for webhook");
  }
  if (!/^[\w-]{0,256}$/.test(secret)) return refuseRequest("secret token contains unallowed characters");
  if (allowed !== undefined) bot.allowUpdates(allowed);
  if (dropsPending) bot.updates.clear();
  bot.webhookUrl = url;
  if (url !== "") bot.poll.terminate("webhook");
  return accept(true);
};

export const deleteWebhook: Method = ({ bot, read }) => {
  const dropsPending = read.flag("drop_pending_updates");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  bot.webhookUrl = "";
  if (dropsPending) bot.updates.clear();
  return accept(true);
};

export const getWebhookInfo: Method = ({ bot, read }) => {
  const allowed = bot.allowedUpdates;
  return (
    read.refusal() ??
    accept({
      url: bot.webhookUrl,
      has_custom_certificate: false,
      pending_update_count: bot.updates.size,
      ...(allowed !== undefined && { allowed_updates: allowed }),
    })
  );
};
