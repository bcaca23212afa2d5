import { accept } from "../answers/answer.ts";
import type { Method } from "./method.ts";

/** Webhooks are not emulated yet: there is never one to delete. */
export const deleteWebhook: Method = ({ bot, read }) => {
  const dropsPending = read.flag("drop_pending_updates");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  if (dropsPending) bot.updates.clear();
  return accept(true);
};

export const getWebhookInfo: Method = ({ bot, read }) => {
  const allowed = bot.allowedUpdates;
  return (
    read.refusal() ??
    accept({
      url: "",
      has_custom_certificate: false,
      pending_update_count: bot.updates.size,
      ...(allowed !== undefined && { allowed_updates: allowed }),
    })
  );
};
