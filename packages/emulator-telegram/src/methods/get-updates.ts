import { z } from "zod";
import { type Answer, accept, CONFLICT_TEXT, refuse } from "../answers/answer.ts";
import type { Bot } from "../bots/bot.ts";
import type { Call, Method } from "./method.ts";

const LIMIT_UPDATES = 100;
const TIMEOUT_CAP_S = 50;

const WEBHOOK_TEXT =
  "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

const updateKindsSchema = z.array(z.string());

/** Confirms, gives what is there, or waits; a later poller ends the wait of an earlier one with a conflict. */
export const getUpdates: Method = (call) => {
  const { bot, read, platform } = call;
  const offset = read.integer("offset") ?? 0;
  const limit = Math.min(Math.max(1, read.integer("limit") ?? LIMIT_UPDATES), LIMIT_UPDATES);
  const timeoutS = Math.min(Math.max(0, read.integer("timeout") ?? 0), TIMEOUT_CAP_S);
  const allowed = read.json("allowed_updates", updateKindsSchema, "allowed_updates list");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (bot.webhook.target !== undefined) return conflict(bot, WEBHOOK_TEXT);
  bot.poll.terminate();
  if (allowed !== undefined) bot.allowUpdates(allowed);
  const nowMs = platform.clock.nowMs();
  const pace = platform.isPacingStrict ? bot.pace(offset, nowMs) : { isHurried: false, minTimeoutS: 0 };
  bot.updates.confirm(offset, nowMs);
  const take = (): Answer => accept(bot.updates.take(pace.isHurried ? 1 : limit));
  const waitS = Math.max(timeoutS, pace.minTimeoutS);
  if (bot.updates.size > 0 || waitS === 0) return take();
  return awaitUpdates(call, bot, waitS, take);
};

async function awaitUpdates(call: Call, bot: Bot, waitS: number, take: () => Answer): Promise<Answer> {
  const end = await bot.poll.wait(waitS * 1000, call.onGone);
  if (end === "conflict") return conflict(bot, CONFLICT_TEXT);
  if (end === "webhook") return conflict(bot, "Conflict: terminated by setWebhook request");
  return end === "gone" ? accept([]) : take();
}

async function conflict(bot: Bot, text: string): Promise<Answer> {
  await bot.poll.awaitConflictAnswer();
  return refuse(409, text);
}
