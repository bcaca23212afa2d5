/**
 * A message whose sending was cut off may stand in the chat. Discord knows a nonce for some minutes only; later its
 * history is read: what has the nonce is it, else an own message with the same words that is no other delivery's.
 */
import type { Address, ChannelContext } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { DiscordApi } from "../rest/discord-api.ts";
import { buildSnowflake, compareSnowflakes, isSnowflake } from "../snowflake.ts";

export interface LostMessage {
  readonly address: Address;
  readonly channelId: string;
  readonly nonce: string;
  /** Whether a message without a key may be it. */
  readonly isLike: (said: SaidMessage) => boolean;
  /** Milliseconds since the epoch, by this machine's clock: it cannot be older. */
  readonly createdAt: number;
}

/** The words of a message that stands in a chat, or is to. */
export interface SaidMessage {
  readonly content: string;
  readonly embeds?: readonly SaidCard[] | undefined;
  readonly attachments?: readonly { readonly filename?: string | undefined }[] | undefined;
}

interface SaidCard {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly url?: string | null | undefined;
}

export interface LostMessageSearch {
  readonly api: DiscordApi;
  readonly botId: string;
  readonly findDelivered: ChannelContext<unknown>["findDelivered"];
  /** Milliseconds since the epoch: this machine's clock and Discord's, where it is known. */
  readonly now: () => number;
  readonly platformNow: () => number | undefined;
}

const PAGE = 100;
/** Far above what a chat takes between two attempts; what is not found by then counts as never sent. */
const MOST_PAGES = 20;
/** What the two clocks may differ by where Discord's is not known yet. */
const SLACK_MS = 2 * 60_000;
/** A delivery that waits longer than this is looked at by people. */
const SET_BACK_MS = 24 * 3_600_000;

const card = z.looseObject({
  title: z.string().nullish(),
  description: z.string().nullish(),
  url: z.string().nullish(),
});
const history = z.array(
  z.looseObject({
    id: z.string().refine(isSnowflake),
    content: z.string().default(""),
    embeds: z.array(card).default([]),
    attachments: z.array(z.looseObject({ filename: z.string().optional() })).default([]),
    nonce: z.union([z.string(), z.number()]).nullish(),
    author: z.looseObject({ id: z.string() }),
  }),
);
type Said = z.infer<typeof history>[number];

/** The id of the message that stands there, or `undefined`. Rejects where the history cannot be read. */
export async function findLostMessage(lost: LostMessage, search: LostMessageSearch): Promise<string | undefined> {
  const own = (await readSince(lost, search)).filter(({ author }) => author.id === search.botId);
  const keyed = own.find(({ nonce }) => nonce !== undefined && nonce !== null && String(nonce) === lost.nonce);
  if (keyed !== undefined) return keyed.id;
  const alike = own.filter((said) => lost.isLike(said)).map(({ id }) => id);
  if (alike.length === 0) return undefined;
  const taken = await search.findDelivered({ address: lost.address, platformIds: alike });
  return alike.find((id) => !taken.has(id));
}

/**
 * Whether what stands there has these words. Discord cuts white space at both ends, and puts previews of links behind,
 * which have an address, as a card of ours never has.
 */
export function hasWords(said: SaidMessage, meant: SaidMessage): boolean {
  const embeds = said.embeds?.filter(({ url }) => url === undefined || url === null);
  return formatWords({ ...said, embeds }) === formatWords(meant);
}

function formatWords({ content, embeds = [], attachments = [] }: SaidMessage): string {
  const cards = embeds.flatMap(({ title, description }) => [title ?? "", description ?? ""]);
  // Discord writes other letters in names as it likes.
  const files = attachments.map(({ filename = "" }) => filename.replaceAll(/[^\w.-]/g, ""));
  return [content, ...cards, ...files].map((text) => text.trim()).join("\n");
}

/** From the newest back to what is too old to be it. */
async function readSince(
  { channelId, createdAt }: LostMessage,
  { api, now, platformNow }: LostMessageSearch,
): Promise<readonly Said[]> {
  const aheadMs = (platformNow() ?? now()) - now();
  // A clock that was set back since then says a wrong time of it.
  const earliest = now() < createdAt ? now() - SET_BACK_MS : createdAt - SLACK_MS;
  const since = buildSnowflake(earliest + aheadMs);
  const said: Said[] = [];
  let before: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer = await api.call({
      method: "get",
      route: `/channels/${channelId}/messages`,
      query: { limit: String(PAGE), ...(before !== undefined && { before }) },
      attempt: `Looking for a message that may be in Discord channel ${channelId}`,
      context: { needs: ["Read Message History"] },
    });
    const found = history.parse(answer).toSorted((one, other) => compareSnowflakes(one.id, other.id));
    said.push(...found);
    before = found[0]?.id;
    if (before === undefined || found.length < PAGE || compareSnowflakes(before, since) < 0) break;
  }
  return said.filter(({ id }) => compareSnowflakes(id, since) >= 0);
}
