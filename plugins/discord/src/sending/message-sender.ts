import { ChannelError, type Clock, type DeliveryReceipt, type OutboundMessage } from "@banyan/plugin-sdk";
import type { CallContext } from "../discord-fault.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { type AddressedPlace, parsePlace } from "../places/place.ts";
import { type CallFile, type DiscordApi, readId } from "../rest/discord-api.ts";
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
}

/** For so long Discord is trusted to know the nonce; it says "a few minutes" (documentation, "Create Message"). */
const NONCE_TRUST_MS = 60_000;
/** What is answered is gone, or may not be read by the bot: it is said without. */
const UNANSWERABLE: ReadonlySet<string | undefined> = new Set(["D19", "D27"]);

export function createMessageSender({ api, clock, search, settleDraft }: MessageSenderOptions): MessageSender {
  return {
    async send(part, look) {
      const place = parsePlace(part.address);
      const { content, extras } = look ?? { content: renderMarkdown(part.text), extras: {} };
      const files = part.file === undefined ? undefined : [{ name: part.file.name, bytes: await part.file.read() }];
      const edited = files === undefined ? await settleDraft(part, content, extras) : undefined;
      if (edited !== undefined) return { platformId: edited };
      const nonce = buildNonce(part.deliveryId, part.part);
      if (part.mayHaveArrived && !isNonceKnown(clock.now() - part.createdAt)) {
        const { address, createdAt } = part;
        const isLike = (said: SaidMessage): boolean =>
          hasWords(said, {
            content,
            ...extras,
            ...(files && { attachments: files.map(({ name }) => ({ filename: name })) }),
          });
        const found = await findLostMessage({ address, channelId: place.channelId, nonce, isLike, createdAt }, search);
        if (found !== undefined) return { platformId: found };
        if (!(await mayReadHistory(place, search))) throw unknowable(place);
      }
      const answer = await create(api, place, { content, nonce, extras, replyTo: part.replyTo }, files);
      return { platformId: readId(answer, () => unreadable(place)) };
    },
  };
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
): Promise<unknown> {
  const call = {
    method: "post",
    route: `/channels/${place.channelId}/messages`,
    body: buildMessageBody(message),
    ...(files !== undefined && { files }),
    attempt: `Sending a message to Discord channel ${place.channelId}`,
    context: describeSending(place, files !== undefined),
  } as const;
  const tried = await api.attempt(call);
  if (!("error" in tried)) return tried.answer;
  if (message.replyTo === undefined || !UNANSWERABLE.has(tried.fault.row)) throw tried.error;
  return api.call({ ...call, body: buildMessageBody({ ...message, replyTo: undefined }) });
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
