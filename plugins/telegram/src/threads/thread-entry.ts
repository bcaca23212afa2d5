/** What an account remembers of the threads that it opens, since a bot can neither list topics nor read its own messages. Pure. */
import { z } from "zod";

export interface ThreadEntry {
  /** The host's name of the opening. */
  readonly bindingId: string;
  readonly chatId: number;
  /** When it was begun, in milliseconds since the epoch. */
  readonly at: number;
  /** Of one that nobody knows to be open yet: what it is called, by which the news of a topic is recognised. */
  readonly name?: string | undefined;
  /** It is a chain of replies, of which there is no news. */
  readonly isChain?: true | undefined;
  readonly topicId?: number | undefined;
  /** The first message of a chain of replies. */
  readonly starterId?: number | undefined;
  /** That message may stand there twice, and says so. */
  readonly isRepeat?: true | undefined;
  /** The opening was taken back: what is or becomes known of it is closed. */
  readonly isWithdrawn?: true | undefined;
  /** Its last line: perhaps said, or surely. */
  readonly goodbye?: "begun" | "said" | undefined;
  /** Instead of an opening: a topic that is closed and that the bot may not open. */
  readonly shutTopic?: number | undefined;
}

/** Openings at a time; an account has far fewer children. */
const MOST_ENTRIES = 100;
/** Of all entries as they are stored: room for as many of the longest names, three bytes each of their characters. */
const MOST_BYTES = 64 * 1024;
const HOUR_MS = 60 * 60_000;
/** What the host takes back, it takes back when it starts. */
const SETTLED_MS = 6 * HOUR_MS;
/** Telegram tells of a topic for a day (T37), and lets messages be deleted for two. */
const UNSETTLED_MS = 48 * HOUR_MS;

const entries: z.ZodType<readonly ThreadEntry[]> = z.array(
  z.object({
    bindingId: z.string(),
    chatId: z.int(),
    at: z.number(),
    name: z.string().optional(),
    isChain: z.literal(true).optional(),
    topicId: z.int().optional(),
    starterId: z.int().optional(),
    isRepeat: z.literal(true).optional(),
    isWithdrawn: z.literal(true).optional(),
    goodbye: z.enum(["begun", "said"]).optional(),
    shutTopic: z.int().optional(),
  }),
);

/** Nothing for what is no list of entries: then nothing is known. */
export function parseThreadEntries(text: string): readonly ThreadEntry[] {
  if (text === "") return [];
  try {
    return entries.safeParse(JSON.parse(text)).data ?? [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Adds or changes what is known of an opening. */
export function putEntry(list: readonly ThreadEntry[], entry: ThreadEntry): readonly ThreadEntry[] {
  const others = list
    .filter(({ bindingId }) => bindingId !== entry.bindingId)
    // A topic is one opening's: where its answer says so, what was only concluded gives way.
    .map((other) =>
      entry.topicId !== undefined && isOfTopic(other, entry.chatId, entry.topicId)
        ? { ...other, topicId: undefined }
        : other,
    )
    .filter((other) => entry.at - other.at < (isSettled(other) ? SETTLED_MS : UNSETTLED_MS));
  return keepNewest([...others.slice(1 - MOST_ENTRIES), entry]);
}

function isSettled({ name, shutTopic }: ThreadEntry): boolean {
  return name === undefined && shutTopic === undefined;
}

/** The last one in any case, and of those before it as many as there is room for. */
function keepNewest(list: readonly ThreadEntry[]): readonly ThreadEntry[] {
  let bytes = 0;
  const tooMuch = list.findLastIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes >= MOST_BYTES;
  });
  return list.slice(Math.min(tooMuch + 1, list.length - 1));
}

export function dropEntry(list: readonly ThreadEntry[], bindingId: string): readonly ThreadEntry[] {
  return list.filter((entry) => entry.bindingId !== bindingId);
}

/** The topic of a chat that the bot has opened, as Telegram tells of it. */
export interface OpenedTopic {
  readonly chatId: number;
  readonly topicId: number;
  readonly name: string;
}

/** The opening that a topic must be of: the first one in its chat with its name whose topic nobody knows. */
export function findOpening(
  list: readonly ThreadEntry[],
  { chatId, topicId, name }: OpenedTopic,
): ThreadEntry | undefined {
  if (list.some((entry) => isOfTopic(entry, chatId, topicId))) return undefined;
  const wanted = normalizeName(name);
  return list.find(
    (entry) =>
      entry.chatId === chatId &&
      entry.topicId === undefined &&
      entry.isChain === undefined &&
      entry.name !== undefined &&
      normalizeName(entry.name) === wanted,
  );
}

/** Whether a chain of this name was begun in the chat and nobody knows whether its first message stands there. */
export function hasUnclearChain(
  list: readonly ThreadEntry[],
  { chatId, name }: { chatId: number; name: string },
): boolean {
  return list.some((entry) => entry.isChain === true && entry.chatId === chatId && entry.name === name);
}

function isOfTopic(entry: ThreadEntry, chatId: number, topicId: number): boolean {
  return entry.chatId === chatId && entry.topicId === topicId;
}

/** Telegram writes blanks in its own way. */
function normalizeName(name: string): string {
  return name.normalize("NFC").replaceAll(/\s+/gu, " ").trim();
}
