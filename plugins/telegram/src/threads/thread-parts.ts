import type { ChannelContext, Clock, Log } from "@banyan/plugin-sdk";
import type { Message } from "grammy/types";
import type { Bot } from "grammy/web";
import type { FaultReport } from "../fault-report.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { classifyTelegramError, type TelegramFault } from "../telegram-fault.ts";
import type { IconList } from "./icon-list.ts";
import type { ThreadBook } from "./thread-book.ts";
import type { ThreadLine } from "./thread-line.ts";

/** What all that is done with threads has around it. */
export interface ThreadParts {
  readonly account: string;
  readonly bot: Bot;
  readonly book: ThreadBook;
  /** Topics are opened and taken back one after the other: their news tells only a name, which several may have. */
  readonly inLine: ThreadLine;
  readonly icons: IconList;
  readonly fallback: ChannelContext<unknown>["threadFallback"];
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** As the host marks what may stand there already. */
export const REPEAT_MARK = "(may be repeated)\n";

/** A refusal that says nothing known. */
const OTHER_REFUSAL = "4xx";

/** How a call ended. */
export type Tried<Value> = { readonly value: Value } | { readonly error: unknown; readonly fault: TelegramFault };

export async function tryCall<Value>(call: Promise<Value>): Promise<Tried<Value>> {
  try {
    return { value: await call };
  } catch (error) {
    return { error, fault: classifyTelegramError(error) };
  }
}

/** Refused for a reason of no other row: then perhaps for its icon, and the same is tried without one. */
export function isIconRefused<Value>(tried: Tried<Value>): boolean {
  return "fault" in tried && tried.fault.class === "permanent" && tried.fault.row === OTHER_REFUSAL;
}

/** What a thread is told by the channel itself, such as its hello. */
export async function sayInThread(
  { bot }: Pick<ThreadParts, "bot">,
  chatId: number,
  markdown: string,
  more: { readonly message_thread_id?: number; readonly replyTo?: number | undefined },
): Promise<Message> {
  const { text, entities } = renderMarkdown(markdown);
  const { replyTo, ...place } = more;
  return bot.api.sendMessage(chatId, text, {
    link_preview_options: { is_disabled: true },
    ...place,
    ...(entities.length > 0 && { entities }),
    ...(replyTo !== undefined && { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } }),
  });
}
