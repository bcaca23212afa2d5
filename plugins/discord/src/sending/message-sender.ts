import {
  ChannelError,
  type Clock,
  type DeliveryReceipt,
  formatAddress,
  type OutboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { CallContext } from "../discord-fault.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { type AddressedPlace, parsePlace } from "../places/place.ts";
import { type Attempted, type CallFile, type DiscordApi, readId } from "../rest/discord-api.ts";
import type { SendToThread } from "../threads/thread-rescue.ts";
import { mayReadHistory } from "./history-right.ts";
import { findLostMessage, hasWords, type LostMessageSearch, type SaidMessage } from "./lost-message.ts";
import { buildMessageBody, type MessageExtras, type NewMessage } from "./message-body.ts";
import { buildNonce } from "./nonce.ts";

/** What of a delivery is sent; an announcement has the same. */
export type SentPart = Pick<
  OutboundMessage,
  "deliveryId" | "part" | "address" | "text" | "replyTo" | "createdAt" | "mayHaveArrived" | "turnId" | "file"
>;

/** Instead of the part's own words. */
export interface MessageLook {
  /** Discord's Markdown, at most 2,000 characters; may be empty beside a card. */
  readonly content: string;
  readonly extras: MessageExtras;
}

export interface MessageSender {
  send(part: SentPart, look?: MessageLook): Promise<DeliveryReceipt>;
}

export interface MessageSenderOptions {
  readonly api: DiscordApi;
  readonly clock: Clock;
  readonly search: LostMessageSearch;
  /** Turns a growing answer into the part, where one stands in the chat for it. */
  readonly settleDraft: (part: SentPart, content: string, extras: MessageExtras) => Promise<string | undefined>;
  readonly sendToThread: SendToThread;
}

/** For so long Discord is trusted to know the nonce; it says "a few minutes" (documentation, "Create Message"). */
const NONCE_TRUST_MS = 60_000;
/** Begins what may stand in a thread already that nobody can look into. With the mark of the thread within 32 units. */
const REPEAT_MARK = "(may be repeated)\n";
/** What is answered is gone, or may not be read by the bot: it is said without. */
const UNANSWERABLE: ReadonlySet<string | undefined> = new Set(["D19", "D27"]);

export function createMessageSender(options: MessageSenderOptions): MessageSender {
  const { settleDraft, sendToThread } = options;
  return {
    async send(part, look) {
      const place = parsePlace(part.address);
      const { content, extras } = look ?? { content: renderMarkdown(part.text), extras: {} };
      const files = part.file === undefined ? undefined : [{ name: part.file.name, bytes: await part.file.read() }];
      const edited = files === undefined ? await settleDraft(part, content, extras) : undefined;
      if (edited !== undefined) return { platformId: edited };
      const own = { part, place, isInstead: false, wordings: [content], extras, files } as const;
      const answer = await sendToThread(part.address, place, (target, mark) =>
        mark === "" ? bring(own, options) : bringBeside(own, { place: target, mark }, options),
      );
      return { platformId: readId(answer, () => unreadable(place)) };
    },
  };
}

interface Bringing {
  readonly part: SentPart;
  readonly place: AddressedPlace;
  /** It stands beside its own place, where it answers nothing. */
  readonly isInstead: boolean;
  /** Its content, and any other that an earlier attempt may have sent there. */
  readonly wordings: readonly [string, ...string[]];
  readonly extras: MessageExtras;
  readonly files: readonly CallFile[] | undefined;
}

/** The message that an earlier attempt has brought there, else a new one. */
async function bring(bringing: Bringing, { api, clock, search }: MessageSenderOptions): Promise<Attempted> {
  const { part, place, isInstead, wordings, extras, files } = bringing;
  if (part.mayHaveArrived && !isNonceKnown(clock.now() - part.createdAt)) {
    const found = await findEarlier(bringing, search);
    // In a thread that is gone nothing stands; what is sent there is refused in its own words.
    if (found !== undefined && found !== "gone") return { answer: { id: found.id } };
    if (!(await mayReadHistory(place, search))) throw unknowable(place);
  }
  const nonce = buildNonceOf(part);
  const replyTo = isInstead ? undefined : part.replyTo;
  return create(api, place, { content: wordings[0], nonce, extras, replyTo }, files);
}

/**
 * The message beside its thread, unless an earlier attempt has brought it into the thread: whether Discord knows a nonce in
 * another channel is nowhere written. Where nobody can look, it says that it may be a repeat.
 */
async function bringBeside(
  own: Bringing,
  { place, mark }: { readonly place: AddressedPlace; readonly mark: string },
  options: MessageSenderOptions,
): Promise<Attempted> {
  const { search } = options;
  const [content] = own.wordings;
  const plain = mark + content;
  const repeated = mark + REPEAT_MARK + content;
  let wordings: Bringing["wordings"] = [plain, repeated];
  if (own.part.mayHaveArrived) {
    const found = await findEarlier(own, search);
    if (found !== undefined && found !== "gone") return { answer: { id: found.id } };
    if (found === "gone" || !(await mayReadHistory(own.place, search))) wordings = [repeated, plain];
  }
  return bring({ ...own, place, isInstead: true, wordings }, options);
}

/** `gone`: the thread in which it may have stood is not to be seen. */
async function findEarlier(
  { part, place, isInstead, wordings, extras, files }: Bringing,
  search: LostMessageSearch,
): Promise<{ readonly id: string } | "gone" | undefined> {
  const { address, createdAt } = part;
  const attachments = files?.map(({ name }) => ({ filename: name }));
  const isLike = (said: SaidMessage): boolean =>
    wordings.some((content) => hasWords(said, { content, ...extras, ...(files && { attachments }) }));
  // There stand the channel's own deliveries as well.
  const { thread: _, ...chat } = parseAddress(address);
  const addresses = isInstead ? [address, formatAddress(chat)] : [address];
  const findDelivered: LostMessageSearch["findDelivered"] = async (request) => {
    const found = addresses.map((one) => search.findDelivered({ ...request, address: one }));
    return new Set((await Promise.all(found)).flatMap((ids) => [...ids]));
  };
  try {
    const lost = { address, channelId: place.channelId, nonce: buildNonceOf(part), isLike, createdAt };
    const id = await findLostMessage(lost, { ...search, findDelivered });
    return id === undefined ? undefined : { id };
  } catch (error) {
    if (place.isThread && error instanceof ChannelError && error.class === "chat_gone") return "gone";
    throw error;
  }
}

function buildNonceOf({ deliveryId, part }: SentPart): string {
  return buildNonce(deliveryId, part);
}

/** A clock that went back tells nothing of how long ago it was. */
function isNonceKnown(ageMs: number): boolean {
  return ageMs >= 0 && ageMs <= NONCE_TRUST_MS;
}

async function create(
  api: DiscordApi,
  place: AddressedPlace,
  message: NewMessage,
  files: readonly CallFile[] | undefined,
): Promise<Attempted> {
  const call = {
    method: "post",
    route: `/channels/${place.channelId}/messages`,
    body: buildMessageBody(message),
    ...(files !== undefined && { files }),
    attempt: `Sending a message to Discord channel ${place.channelId}`,
    context: describeSending(place, files !== undefined),
  } as const;
  const tried = await api.attempt(call);
  if (!("error" in tried) || message.replyTo === undefined || !UNANSWERABLE.has(tried.fault.row)) return tried;
  return api.attempt({ ...call, body: buildMessageBody({ ...message, replyTo: undefined }) });
}

/** What a message needs there, as Discord's settings name it. */
function describeSending({ isThread, isDm }: Pick<AddressedPlace, "isThread" | "isDm">, hasFile: boolean): CallContext {
  if (isDm) return {};
  return {
    isInThread: isThread,
    needs: [
      "View Channel",
      isThread ? "Send Messages in Threads" : "Send Messages",
      ...(hasFile ? ["Attach Files"] : []),
    ],
  };
}

function unreadable({ channelId }: AddressedPlace): ChannelError {
  return new ChannelError(
    "ambiguous",
    `Sending a message to Discord channel ${channelId}: it was accepted without an id; check apiBaseUrl`,
  );
}

/** Sent again it could stand there twice. */
function unknowable({ channelId }: AddressedPlace): ChannelError {
  const what = "it may stand there already, and the bot may not read back to see; give it Read Message History";
  return new ChannelError("ambiguous", `Sending a message to Discord channel ${channelId}: ${what}`);
}
