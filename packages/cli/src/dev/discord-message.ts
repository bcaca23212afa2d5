/** A message of the emulated Discord as the page shows it. Pure. */
import type { ChatHistory, ChatMessage } from "@banyan/emulator-discord";
import type { DeskButton, DeskCard, DeskMessage } from "./desk.ts";

type Message = ChatMessage["message"];

/** What names stand for ids in a text. */
export interface DiscordNames {
  readonly people: ReadonlyMap<string, string>;
  readonly channels: ReadonlyMap<string, string>;
}

/** Of people and bots: `MessageType.Default`, `.Reply`, `.ChatInputCommand`. Others are told by Discord itself. */
const WRITTEN: ReadonlySet<number> = new Set([0, 19, 20]);
/** `ComponentType.ActionRow`, `.Button`. */
const ROW = 1;
const BUTTON = 2;
/** A link to the emulator's own address, or to Discord's. */
const CHANNEL_LINK = /^https?:\/\/[^/]{1,200}\/channels\/\d+\/(\d+)$/;

/** `undefined` for what is no longer there, or was written by nobody. */
export function describeMessage(
  { messageId, isBot, isDeleted, message, versions }: ChatMessage,
  names: DiscordNames,
): DeskMessage | undefined {
  if (isDeleted || !WRITTEN.has(message.type)) return undefined;
  return {
    id: messageId,
    author: names.people.get(message.author.id) ?? message.author.username,
    isBot,
    text: nameMentions(message.content, names),
    isMarkdown: true,
    isEdited: versions.length > 1,
    at: versions[0]?.atMs ?? 0,
    cards: message.embeds.map((embed) => describeCard(embed, names)),
    buttons: listButtons(message),
  };
}

/** A forum has no messages of its own: it shows its posts, each with its first message and a link to it. */
export function describePost(
  { id, name, messages }: Pick<ChatHistory, "id" | "name" | "messages">,
  names: DiscordNames,
): DeskMessage {
  const [first] = messages.map((message) => describeMessage(message, names)).filter((one) => one !== undefined);
  const { author = "", isBot = false, text = "", at = 0 } = first ?? {};
  return {
    id,
    author,
    isBot,
    text: "",
    isMarkdown: true,
    isEdited: false,
    at,
    cards: [{ title: name, text }],
    buttons: [{ label: "Open post", chat: id }],
  };
}

function describeCard({ title, description, fields, color }: Message["embeds"][number], names: DiscordNames): DeskCard {
  const lines = [description, ...(fields ?? []).map(({ name, value }) => `${name}: ${value}`)];
  return {
    title: nameMentions(title ?? "", names),
    text: nameMentions(lines.filter((line) => line !== undefined).join("\n"), names),
    ...(color !== undefined && { color: `#${color.toString(16).padStart(6, "0")}` }),
  };
}

function listButtons({ components = [] }: Message): readonly DeskButton[] {
  const rows = components.flatMap((row) => (row.type === ROW ? row.components : []));
  return rows.flatMap((button): readonly DeskButton[] => {
    if (button.type !== BUTTON || !("label" in button)) return [];
    const label = button.label ?? "";
    if ("custom_id" in button) return [{ label, id: button.custom_id }];
    const chat = "url" in button ? CHANNEL_LINK.exec(button.url)?.[1] : undefined;
    return chat === undefined ? [] : [{ label, chat }];
  });
}

function nameMentions(text: string, { people, channels }: DiscordNames): string {
  return text
    .replace(/<@!?(\d+)>/g, (whole, id: string) => (people.has(id) ? `@${people.get(id)}` : whole))
    .replace(/<#(\d+)>/g, (whole, id: string) => (channels.has(id) ? `#${channels.get(id)}` : whole));
}
