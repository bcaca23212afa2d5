/**
 * Drafts as Telegram itself has them ("sendMessageDraft", core.telegram.org/bots/api): in private chats a preview without an
 * id that vanishes after 30 seconds, or when the message comes. Nothing of it can be left behind.
 */
import type { Log } from "@banyan/plugin-sdk";
import type { Bot } from "grammy/web";
import type { ChatPlace } from "../chat-place.ts";
import type { FaultReport } from "../fault-report.ts";
import { writeMarked } from "../sending/marked-text.ts";
import { classifyTelegramError } from "../telegram-fault.ts";
import { buildDraftId } from "./draft-id.ts";
import { renderGrowing } from "./growing-look.ts";

export interface PrivateDrafts {
  /** Whether one may be shown there: once it was refused, in this chat or as unknown to the server, none is asked for. */
  isKnownIn(chatId: number): boolean;
  /** Never rejects: a frame that is lost is followed by another. With milliseconds where Telegram asks to wait. */
  show(turnId: string, place: ChatPlace, text: string): Promise<number | undefined>;
}

export interface PrivateDraftOptions {
  readonly bot: Bot;
  readonly log: Log;
  readonly reportFault: FaultReport;
}

/** The server does not know the method, or takes none from this bot: no other chat will do either. */
const ACCOUNT_WIDE: ReadonlySet<string> = new Set(["T57", "T45"]);

export function createPrivateDrafts({ bot, log, reportFault }: PrivateDraftOptions): PrivateDrafts {
  let isKnown = true;
  const refusing = new Set<number>();
  return {
    isKnownIn: (chatId) => isKnown && !refusing.has(chatId),
    async show(turnId, { chatId, topic }, source) {
      const rendered = renderGrowing(source);
      const draftId = buildDraftId(turnId);
      const options = { ...topic, can_stop: true };
      try {
        await writeMarked(
          rendered,
          ({ text, ...markup }) => bot.api.sendMessageDraft(chatId, draftId, text, { ...options, ...markup }),
          { overflow: "shorten" },
        );
        return undefined;
      } catch (error) {
        const fault = classifyTelegramError(error);
        const err = reportFault(`Showing a growing answer in Telegram chat ${chatId}`, error, fault);
        if (fault.class !== "permanent") {
          log.debug({ err }, "a growing answer was not shown");
          return fault.retryAfterMs;
        }
        const isAccountWide = fault.row !== undefined && ACCOUNT_WIDE.has(fault.row);
        if (isAccountWide) isKnown = false;
        else refusing.add(chatId);
        const where = isAccountWide ? "this server" : "a chat";
        log.info({ err }, `Telegram: ${where} takes no drafts; answers grow in a message that is edited instead`);
        return 0;
      }
    },
  };
}
