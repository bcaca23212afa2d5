/**
 * Discord's own markup in words ("Message Formatting", docs.discord.com/developers/reference): people, channels, emoji and
 * times stand in a message as numbers. What the payload has no name for stays as it is, a number says more than nothing.
 */
import type { DiscordUser, MessageContent } from "./discord-message.ts";
import { splitCode } from "./split-code.ts";

/** Discord's own names are shorter; another server's may not be. */
const NAME_LIMIT_CHARS = 100;

const MARKUP =
  /<(?:@!?(?<user>\d{1,20})|#(?<channel>\d{1,20})|a?:(?<emoji>\w{1,64}):\d{1,20}|t:(?<time>-?\d{1,15})(?::(?<style>[a-zA-Z]))?|\/(?<command>[^:<>\n]{1,100}):\d{1,20})>/g;

export function formatReadableText(text: string, content: MessageContent): string {
  if (!text.includes("<")) return text;
  return splitCode(text)
    .map((piece) => (piece.isCode ? piece.text : formatMarkup(piece.text, content)))
    .join("");
}

/** How people know somebody: by the name in the server, else the own one, else the account's. */
export function formatUserName(user: DiscordUser, nick: string | undefined): string | undefined {
  return (nick ?? user.global_name ?? user.username)?.slice(0, NAME_LIMIT_CHARS).toWellFormed();
}

function formatMarkup(text: string, content: MessageContent): string {
  return text.replaceAll(MARKUP, (...match) => {
    const [whole] = match;
    const { user, channel, emoji, time, style, command } = readGroups(match.at(-1));
    if (emoji !== undefined) return `:${emoji}:`;
    if (command !== undefined) return `/${command}`;
    if (time !== undefined) return formatTime(Number(time) * 1000, style) ?? whole;
    const name = channel === undefined ? findUserName(content, user) : findChannelName(content, channel);
    return name === undefined ? whole : `${channel === undefined ? "@" : "#"}${name}`;
  });
}

/** The named groups are the last thing a replacer is given. */
function readGroups(groups: unknown): Readonly<Record<string, string | undefined>> {
  return typeof groups === "object" && groups !== null ? { ...groups } : {};
}

function findUserName({ mentions }: MessageContent, id: string | undefined): string | undefined {
  const user = mentions.find((mentioned) => mentioned.id === id);
  return user && formatUserName(user, user.member?.nick);
}

function findChannelName({ mention_channels: channels }: MessageContent, id: string): string | undefined {
  return channels.find((channel) => channel.id === id)?.name;
}

/** In UTC: readers are agents, which have no time zone. `undefined` for a time that no calendar has. */
function formatTime(atMs: number, style: string | undefined): string | undefined {
  const at = new Date(atMs);
  if (Number.isNaN(at.getTime())) return undefined;
  const [date = "", time = ""] = at.toISOString().split("T");
  return style === "d" || style === "D" ? date : `${date} ${time.slice(0, 5)} UTC`;
}
