/** From what a person types of a command to the data of its interaction. */

import { EmulatorError } from "../ports/error.ts";
import { buildChannel } from "../wire/channel-wire.ts";
import { buildRole } from "../wire/member-wire.ts";
import { type ApplicationCommand, type CommandOption, OPTION_TYPES } from "../world/application-command.ts";
import type { Bot } from "../world/bot.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";

export type OptionValue = string | number | boolean;

export interface CommandUse {
  readonly command: string;
  /** "list", or "group list". */
  readonly subcommand?: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when its choices are asked for. */
  readonly focused?: string;
}

/** A guild's command before a global one of the same name. */
export function getCommand(bot: Bot, channel: Channel, name: string): ApplicationCommand {
  const scopes = [bot.commands.get(channel.guildId ?? ""), bot.commands.get("")];
  const found = scopes.map((scope) => scope?.get(`1|${name}`)).find((command) => command !== undefined);
  if (found !== undefined) return found;
  const known = scopes.flatMap((scope) => [...(scope?.values() ?? [])].map((command) => command.name));
  const text = `using /${name} of ${bot.user.username}: it has registered ${known.join(", ") || "none"}`;
  throw new EmulatorError("unknown_command", text);
}

/** The `data` of the interaction. What Discord's clients would not let a person send is refused here. */
export function buildCommandData(world: World, channel: Channel, command: ApplicationCommand, use: CommandUse): object {
  const path = use.subcommand === undefined ? [] : use.subcommand.split(" ");
  let options: readonly CommandOption[] = command.options;
  const levels: CommandOption[] = [];
  for (const name of path) {
    const level = options.find((option) => option.name === name && option.type <= OPTION_TYPES.group);
    if (level === undefined) throw mistake(use, `it has no subcommand "${name}"`);
    levels.push(level);
    options = level.options ?? [];
  }
  if (options.some(({ type }) => type <= OPTION_TYPES.group)) throw mistake(use, "a subcommand must be chosen");
  const leaf = buildOptions(use, options);
  const built = levels.reduceRight<readonly object[]>(
    (below, { type, name }) => [{ type, name, options: below }],
    leaf,
  );
  const resolved = resolveValues(world, channel, use, options);
  const { id, name, type, guildId } = command;
  return {
    id,
    name,
    type,
    options: built,
    ...(guildId !== undefined && { guild_id: guildId }),
    ...(Object.keys(resolved).length > 0 && { resolved }),
  };
}

function buildOptions(use: CommandUse, options: readonly CommandOption[]): readonly object[] {
  const unknown = Object.keys(use.options).find((name) => !options.some((option) => option.name === name));
  if (unknown !== undefined) throw mistake(use, `it has no option "${unknown}"`);
  return options.flatMap((option) => {
    const value = use.options[option.name];
    const isFocused = use.focused === option.name;
    if (value === undefined) {
      if (option.required === true && use.focused === undefined)
        throw mistake(use, `option "${option.name}" is required`);
      return [];
    }
    if (!isFocused) requireValue(use, option, value);
    return [{ name: option.name, type: option.type, value, ...(isFocused && { focused: true }) }];
  });
}

function requireValue(use: CommandUse, option: CommandOption, value: OptionValue): void {
  const { name, type, choices, autocomplete } = option;
  const wanted = VALUE_KINDS[type] ?? "string";
  const isInteger = type !== OPTION_TYPES.integer || Number.isInteger(value);
  if (typeof value !== wanted || !isInteger) throw mistake(use, `option "${name}" takes a ${wanted}`);
  const isChoice = choices === undefined || autocomplete === true || choices.some((choice) => choice.value === value);
  if (!isChoice) throw mistake(use, `option "${name}" has no choice ${JSON.stringify(value)}`);
}

const VALUE_KINDS: Readonly<Record<number, string>> = {
  [OPTION_TYPES.integer]: "number",
  [OPTION_TYPES.number]: "number",
  [OPTION_TYPES.boolean]: "boolean",
};

/** People, channels and roles that options name, as the API tells of them beside the ids. */
function resolveValues(
  world: World,
  channel: Channel,
  use: CommandUse,
  options: readonly CommandOption[],
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const users: Record<string, unknown> = {};
  const channels: Record<string, unknown> = {};
  const roles: Record<string, unknown> = {};
  for (const { name, type } of options) {
    const id = String(use.options[name] ?? "");
    const named = world.findChannel(id);
    const role = world.guilds.get(channel.guildId ?? "")?.roles.get(id);
    if (type === OPTION_TYPES.user) users[id] = world.getPerson(id).profile;
    if (type === OPTION_TYPES.channel && named !== undefined) channels[id] = buildChannel(world, named);
    if (type === OPTION_TYPES.role && role !== undefined) roles[id] = buildRole(role);
  }
  return Object.fromEntries(
    Object.entries({ users, channels, roles }).filter(([, entries]) => Object.keys(entries).length > 0),
  );
}

function mistake({ command, subcommand = "" }: CommandUse, why: string): EmulatorError {
  return new EmulatorError("invalid_request", `using /${`${command} ${subcommand}`.trim()}: ${why}`);
}
