/** The list of commands that Discord shows when somebody types a slash. */
import type { ChannelCommand, CommandParameter } from "@banyan/plugin-sdk";
import type { APIApplicationCommandOption, RESTPostAPIChatInputApplicationCommandsJSONBody } from "discord.js";
import { ASK_COMMAND } from "../inbound/translate-interaction.ts";

/** What an application registers, whole: Discord drops the commands that are not on it. */
export type SlashCommand = RESTPostAPIChatInputApplicationCommandsJSONBody;

/** As "Application Commands" says (docs.discord.com/developers/interactions/application-commands). */
const COMMANDS_LIMIT = 100;
const OPTIONS_LIMIT = 25;
const CHOICES_LIMIT = 25;
const DESCRIPTION_LIMIT_CHARS = 100;
const NAME = /^[a-z][a-z0-9_]{0,31}$/;
/** `ApplicationCommandType.ChatInput`, `ApplicationCommandOptionType.String`. */
const CHAT_INPUT = 1;
const STRING = 3;
/** `ApplicationIntegrationType.GuildInstall`: the bot answers where it is, not where a user took its commands along. */
const GUILD_INSTALL = 0;
/** `InteractionContextType.Guild`, `InteractionContextType.BotDM`. */
const GUILD = 0;
const BOT_DM = 1;
/** `ApplicationCommandOption.max_length`, the longest there is. */
const QUESTION_LIMIT_CHARS = 6_000;

const ASK: SlashCommand = {
  type: CHAT_INPUT,
  name: ASK_COMMAND,
  description: "ask the agent here something",
  options: [
    {
      type: STRING,
      name: "question",
      description: "what you want to know or have done",
      required: true,
      max_length: QUESTION_LIMIT_CHARS,
    },
  ],
  integration_types: [GUILD_INSTALL],
  contexts: [GUILD, BOT_DM],
};

/** `/ask` and the host's commands; each with its parameters as options. What Discord would refuse is left out. */
export function buildSlashCommands(commands: readonly ChannelCommand[]): readonly SlashCommand[] {
  const others = commands.filter(({ name }) => name !== ASK_COMMAND && NAME.test(name)).map(buildSlashCommand);
  return [ASK, ...others].slice(0, COMMANDS_LIMIT);
}

function buildSlashCommand({ name, summary, isDmOnly, parameters = [] }: ChannelCommand): SlashCommand {
  return {
    type: CHAT_INPUT,
    name,
    description: formatDescription(summary),
    ...(parameters.length > 0 && { options: parameters.slice(0, OPTIONS_LIMIT).map(buildOption) }),
    integration_types: [GUILD_INSTALL],
    contexts: isDmOnly ? [BOT_DM] : [GUILD, BOT_DM],
  };
}

/** A target is completed while it is typed; the host knows what could be meant. */
function buildOption({ name, summary, isRequired, kind, choices }: CommandParameter): APIApplicationCommandOption {
  const option = { type: STRING, name, description: formatDescription(summary), required: isRequired } as const;
  if (kind === "target") return { ...option, autocomplete: true };
  if (choices === undefined || choices.length > CHOICES_LIMIT) return option;
  return { ...option, choices: choices.map((choice) => ({ name: choice, value: choice })) };
}

/** Never empty. */
function formatDescription(summary: string): string {
  return summary.trim().slice(0, DESCRIPTION_LIMIT_CHARS).toWellFormed() || "…";
}
