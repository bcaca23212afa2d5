import { z } from "zod";
import { type Answer, accept, CONFLICT_TEXT, refuse } from "../answers/answer.ts";
import type { Bot } from "../bots/bot.ts";
import type { Call, Method } from "./method.ts";

const LIMIT_UPDATES = 100;
const TIMEOUT_CAP_S = 50;

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
  return end === "conflict" ? refuse(409, CONFLICT_TEXT) : end === "gone" ? accept([]) : take();
}
