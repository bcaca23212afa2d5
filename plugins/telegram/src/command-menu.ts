/** The lists of commands that Telegram shows beside the text field, by place and by the language of a person's app. */
import type { ChannelCommand, Clock, Log } from "@banyan/plugin-sdk";
import { pause } from "@banyan/plugin-sdk/kit";
import type { BotCommand, LanguageCode } from "grammy/types";
import type { Bot } from "grammy/web";
import type { FaultReport } from "./fault-report.ts";
import { classifyTelegramError } from "./telegram-fault.ts";

/** As "setMyCommands" says (core.telegram.org/bots/api). */
const COMMANDS_LIMIT = 100;
const DESCRIPTION_LIMIT_CHARS = 256;
/** A menu may be late; who is told to wait longer leaves it to the next start. */
const WAIT_LIMIT_MS = 10 * 60_000;
/** How often one call may be told to wait. */
const WAITS_LIMIT = 3;

export interface CommandMenuOptions {
  readonly bot: Bot;
  readonly commands: readonly ChannelCommand[];
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Menu {
  /** Where it is shown, and in which language; absent: in all that have none of their own. */
  readonly place: {
    readonly scope: { readonly type: "default" | "all_private_chats" | "all_group_chats" };
    readonly language_code?: LanguageCode;
  };
  readonly commands: BotCommand[];
}

/** Brings the menus to what the host knows, where they differ. Never rejects: a bot works without a menu. */
export async function publishCommandMenu(options: CommandMenuOptions): Promise<void> {
  const { bot, commands, reportFault, log, signal } = options;
  try {
    for (const { place, commands: wanted } of buildMenus(commands)) {
      const present = await callPatiently(options, () => bot.api.getMyCommands(place));
      if (!isSame(present, wanted)) await callPatiently(options, () => bot.api.setMyCommands(wanted, place));
    }
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: reportFault("Setting the bot's commands", error) }, "Telegram shows no new menu");
  }
}

/** One menu is one call, and there are several at once: flood control is to be expected, and waited for. */
async function callPatiently<Answer>(
  { clock, signal }: CommandMenuOptions,
  call: () => Promise<Answer>,
): Promise<Answer> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      const { retryAfterMs } = classifyTelegramError(error);
      if (retryAfterMs === undefined || retryAfterMs > WAIT_LIMIT_MS || waits >= WAITS_LIMIT) throw error;
      await pause(clock, retryAfterMs, signal);
    }
  }
}

/**
 * A list for a kind of chat counts there before the one for all, whoever has set it; so each place has its own. The same goes
 * for languages: each place has each of them.
 */
function buildMenus(commands: readonly ChannelCommand[]): readonly Menu[] {
  if (commands.length === 0) return [];
  const general = commands.filter(({ isDmOnly }) => !isDmOnly);
  const languages = new Set(commands.flatMap(({ summaries = {} }) => Object.keys(summaries)));
  return [undefined, ...[...languages].filter(isLanguage)].flatMap((language) => [
    buildMenu("default", general, language),
    buildMenu("all_group_chats", general, language),
    buildMenu("all_private_chats", commands, language),
  ]);
}

function buildMenu(
  type: Menu["place"]["scope"]["type"],
  commands: readonly ChannelCommand[],
  language: LanguageCode | undefined,
): Menu {
  return {
    place: { scope: { type }, ...(language !== undefined && { language_code: language }) },
    commands: commands.slice(0, COMMANDS_LIMIT).map(({ name, summary, summaries = {} }) => {
      const description = (language === undefined ? undefined : summaries[language]) ?? summary;
      return { command: name, description: description.slice(0, DESCRIPTION_LIMIT_CHARS) };
    }),
  };
}

function isSame(present: readonly BotCommand[], wanted: readonly BotCommand[]): boolean {
  return (
    present.length === wanted.length &&
    wanted.every(
      ({ command, description }, at) => present[at]?.command === command && present[at]?.description === description,
    )
  );
}

/** "A two-letter ISO 639-1 language code" ("setMyCommands"): "sv", not "sv-SE"; others are refused, whole. */
function isLanguage(code: string): code is LanguageCode {
  return /^[a-z]{2}$/.test(code);
}
