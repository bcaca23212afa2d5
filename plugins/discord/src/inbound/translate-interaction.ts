/** A command, an autocompletion or a press of a button in the words of the contract. Pure. */
import type { Address, ChannelCommand, InboundMessage, Sender } from "@banyan/plugin-sdk";
import { readSnowflakeTime } from "../snowflake.ts";
import type { BotIdentity } from "./bot-identity.ts";
import type { DiscordInteraction, InteractionData, InteractionOption } from "./discord-interaction.ts";
import { readInteractionPlace } from "./interaction-place.ts";
import { formatPlaceAddress, readGuild } from "./message-place.ts";
import { readSender } from "./message-sender.ts";

/** The command of the channel's own: what is asked is a message to the agent. */
export const ASK_COMMAND = "ask";

/** Why an interaction is nothing for anybody. It still wants an answer within three seconds. */
export type IgnoredInteraction = "unknown_kind" | "unknown_place" | "no_user" | "not_ours" | "empty";

/** Where and by whom an interaction was made. */
export interface InteractionSource {
  readonly address: Address;
  readonly guild?: string;
  readonly sender: Sender;
}

export type TranslatedInteraction =
  /** The interactions' endpoint is asked whether it is there. */
  | { readonly kind: "ping" }
  | { readonly kind: "command"; readonly name: string; readonly message: InboundMessage }
  | {
      readonly kind: "autocomplete";
      readonly command: string;
      readonly parameter: string;
      readonly typed: string;
      readonly source: InteractionSource;
    }
  | { readonly kind: "button"; readonly customId: string; readonly source: InteractionSource }
  | { readonly kind: "ignored"; readonly why: IgnoredInteraction };

export interface InteractionContext {
  readonly me: BotIdentity;
  /** Which values stand in which order in the line that the host takes. */
  readonly commands: readonly ChannelCommand[];
}

/** "Interaction Type", docs.discord.com/developers/interactions/receiving-and-responding. */
const PING = 1;
const COMMAND = 2;
const COMPONENT = 3;
const AUTOCOMPLETE = 4;
/** "Application Command Types" and "Component Types". */
const CHAT_INPUT = 1;
const BUTTON = 2;

export function translateInteraction(
  interaction: DiscordInteraction,
  context: InteractionContext,
): TranslatedInteraction {
  const { type, application_id: applicationId, data } = interaction;
  if (applicationId !== undefined && applicationId !== context.me.applicationId) return ignore("not_ours");
  if (type === PING) return { kind: "ping" };
  if (data === undefined) return ignore("unknown_kind");
  const user = interaction.member?.user ?? interaction.user;
  if (user === undefined) return ignore("no_user");
  const place = readInteractionPlace(interaction);
  if (place === undefined) return ignore("unknown_place");
  const guild = readGuild(place);
  const source: InteractionSource = {
    address: formatPlaceAddress(context.me.account, place),
    ...(guild !== undefined && { guild }),
    sender: readSender(user, guild === undefined ? undefined : interaction.member),
  };
  switch (type) {
    case COMMAND:
      return translateCommand(interaction.id, data, source, context.commands);
    case AUTOCOMPLETE:
      return translateAutocomplete(data, source);
    case COMPONENT:
      return translateButton(interaction, data, source);
    default:
      return ignore("unknown_kind");
  }
}

function translateCommand(
  id: string,
  data: InteractionData,
  source: InteractionSource,
  commands: readonly ChannelCommand[],
): TranslatedInteraction {
  const { name, type = CHAT_INPUT } = data;
  if (name === undefined || type !== CHAT_INPUT) return ignore("unknown_kind");
  const values = orderOptions(data.options, commands.find((command) => command.name === name)?.parameters).flatMap(
    ({ value }) => (value === undefined || value === "" ? [] : [String(value)]),
  );
  const text = name === ASK_COMMAND ? values.join(" ").trim() : formatLine(name, values);
  if (text === "") return ignore("empty");
  const { address, guild, sender } = source;
  const message = {
    id,
    address,
    ...(guild !== undefined && { guild, addressed: true }),
    sender,
    text,
    at: readSnowflakeTime(id),
  };
  return { kind: "command", name, message };
}

/** As people type it: a value with blanks that others stand behind is in quotes. */
function formatLine(name: string, values: readonly string[]): string {
  const last = values.length - 1;
  const words = values.map((value, at) => (at < last && /\s/.test(value) ? quote(value) : value));
  return [`/${name}`, ...words].join(" ").trim();
}

function quote(value: string): string {
  return value.includes('"') ? `“${value}”` : `"${value}"`;
}

/** In the order of the command's parameters; what it does not name goes behind them as it came. */
function orderOptions(
  options: readonly InteractionOption[],
  parameters: ChannelCommand["parameters"] = [],
): readonly InteractionOption[] {
  const rank = ({ name }: InteractionOption): number => {
    const at = parameters.findIndex((parameter) => parameter.name === name);
    return at < 0 ? parameters.length : at;
  };
  return options.toSorted((one, other) => rank(one) - rank(other));
}

function translateAutocomplete({ name, options }: InteractionData, source: InteractionSource): TranslatedInteraction {
  const focused = options.find((option) => option.focused === true);
  if (name === undefined || focused === undefined) return ignore("unknown_kind");
  const typed = focused.value === undefined ? "" : String(focused.value);
  return { kind: "autocomplete", command: name, parameter: focused.name, typed, source };
}

function translateButton(
  { message }: DiscordInteraction,
  { custom_id: customId, component_type: type }: InteractionData,
  source: InteractionSource,
): TranslatedInteraction {
  if (type !== BUTTON || customId === undefined || message === undefined) return ignore("unknown_kind");
  return { kind: "button", customId, source };
}

function ignore(why: IgnoredInteraction): TranslatedInteraction {
  return { kind: "ignored", why };
}
