import { z } from "zod";
import { accept, refuseRequest } from "../answers/answer.ts";
import type { ParameterReader } from "../parameters/parameter-reader.ts";
import type { Method } from "./method.ts";

const COMMAND_LIMIT = 100;
const DESCRIPTION_LIMIT_CHARS = 256;

const commandsSchema = z.array(z.strictObject({ command: z.string(), description: z.string() }));

const scopeSchema = z.strictObject({
  type: z.enum([
    "default",
    "all_private_chats",
    "all_group_chats",
    "all_chat_administrators",
    "chat",
    "chat_administrators",
    "chat_member",
  ]),
  chat_id: z.union([z.int(), z.string()]).optional(),
  user_id: z.int().optional(),
});

export const setMyCommands: Method = ({ bot, read }) => {
  const commands = read.json("commands", commandsSchema, "list of commands") ?? [];
  const key = readScopeKey(read);
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;

  if (!isLanguage(read.text("language_code"))) return refuseRequest("invalid language code specified");
  if (commands.length > COMMAND_LIMIT) return refuseRequest("BOT_COMMANDS_TOO_MUCH");
  for (const { command, description } of commands) {
    if (!/^\/?[a-z0-9_]{1,32}$/.test(command)) return refuseRequest("BOT_COMMAND_INVALID");
    if (description === "" || description.length > DESCRIPTION_LIMIT_CHARS) {
      return refuseRequest("BOT_COMMAND_DESCRIPTION_INVALID");
    }
  }
  bot.commands.set(
    key,
    commands.map(({ command, description }) => ({ command: command.replace("/", ""), description })),
  );
  return accept(true);
};

export const deleteMyCommands: Method = ({ bot, read }) => {
  const key = readScopeKey(read);
  const refusal = read.refusal();
  if (refusal !== undefined) return refusal;
  bot.commands.delete(key);
  return accept(true);
};

export const getMyCommands: Method = ({ bot, read }) => {
  const key = readScopeKey(read);
  return read.refusal() ?? accept(bot.commands.get(key) ?? []);
};

function readScopeKey(read: ParameterReader): string {
  const scope = read.json("scope", scopeSchema, "BotCommandScope");
  const language = read.text("language_code") ?? "";
  return JSON.stringify([scope?.type ?? "default", scope?.chat_id ?? null, scope?.user_id ?? null, language]);
}

/** ISO 639-1, or none. */
function isLanguage(code: string | undefined): boolean {
  return /^(?:[a-z]{2})?$/.test(code ?? "");
}
