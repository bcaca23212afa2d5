import { accept, refuseRequest } from "../answers/answer.ts";
import type { Method } from "./method.ts";

/** "answerCallbackQuery", core.telegram.org/bots/api: 0-200 characters. */
const TEXT_LIMIT = 200;
const TOO_OLD_TEXT = "query is too old and response timeout expired or query ID is invalid";

export const answerCallbackQuery: Method = ({ bot, read, platform }) => {
  const queryId = read.text("callback_query_id");
  const text = read.text("text") ?? "";
  const isAlert = read.flag("show_alert");
  read.ignore("cache_time");
  read.lack("url");
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (text.length > TEXT_LIMIT) return refuseRequest("MESSAGE_TOO_LONG");
  const isTaken = platform.queries.answer(queryId ?? "", bot.id, { text, isAlert }, platform.clock.nowMs());
  return isTaken ? accept(true) : refuseRequest(TOO_OLD_TEXT);
};
