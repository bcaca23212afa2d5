import { accept } from "../answers/answer.ts";
import type { Method } from "./method.ts";

/** From now on this server refuses the bot, until a test takes the trouble away. */
export const logOut: Method = ({ bot, read }) => {
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  bot.trouble = "logged-out";
  return accept(true);
};

/** As before a bot moves to another server. */
export const close: Method = ({ bot, read }) => {
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  bot.trouble = "closed";
  return accept(true);
};
