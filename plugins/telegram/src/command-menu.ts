/** The list of commands that Telegram shows beside the text field. */
import type { ChannelCommand, Log } from "@banyan/plugin-sdk";
import type { BotCommand, BotCommandScope } from "grammy/types";
import type { Bot } from "grammy/web";
import type { FaultReport } from "./fault-report.ts";

/** As "setMyCommands" says (core.telegram.org/bots/api). */
const COMMANDS_LIMIT = 100;
const DESCRIPTION_LIMIT_CHARS = 256;

export interface CommandMenuOptions {
  readonly bot: Bot;
  readonly commands: readonly ChannelCommand[];
  readonly reportFault: FaultReport;
  readonly log: Log;
  readonly signal: AbortSignal;
}

interface Menu {
  readonly scope: BotCommandScope & { readonly type: "default" | "all_private_chats" };
  readonly commands: BotCommand[];
}

/** Brings the menus to what the host knows, where they differ. Never rejects: a bot works without a menu. */
export async function publishCommandMenu(options: CommandMenuOptions): Promise<void> {
  const { bot, commands, reportFault, log, signal } = options;
  try {
    for (const { scope, commands: wanted } of buildMenus(commands)) {
      const present = await bot.api.getMyCommands({ scope });
      if (!isSame(present, wanted)) await bot.api.setMyCommands(wanted, { scope });
    }
  } catch (error) {
    if (!signal.aborted)
      log.warn({ err: reportFault("Setting the bot's commands", error) }, "Telegram shows no new menu");
  }
}

/** Commands for DMs alone make a second menu for private chats, which then counts there instead of the first. */
function buildMenus(commands: readonly ChannelCommand[]): readonly Menu[] {
  if (commands.length === 0) return [];
  const general = commands.filter(({ isDmOnly }) => !isDmOnly);
  const menus: Menu[] = [{ scope: { type: "default" }, commands: buildList(general) }];
  if (general.length < commands.length)
    menus.push({ scope: { type: "all_private_chats" }, commands: buildList(commands) });
  return menus;
}

function buildList(commands: readonly ChannelCommand[]): BotCommand[] {
  return commands
    .slice(0, COMMANDS_LIMIT)
    .map(({ name, summary }) => ({ command: name, description: summary.slice(0, DESCRIPTION_LIMIT_CHARS) }));
}

function isSame(present: readonly BotCommand[], wanted: readonly BotCommand[]): boolean {
  return (
    present.length === wanted.length &&
    wanted.every(
      ({ command, description }, at) => present[at]?.command === command && present[at]?.description === description,
    )
  );
}
