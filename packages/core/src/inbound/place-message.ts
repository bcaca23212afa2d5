import { type Address, type InboundMessage, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import type { RoutePicture } from "../access/route-state.ts";
import { pause } from "../ports/pause.ts";
import type { Ports } from "../ports/ports.ts";

/** Each costs a read; a chat with more children that people talk with at a time is none. */
const MOST_PLACES = 64;
/** Rows that are being sent at a time over one account; there are as many as chats that it just writes to. */
const MOST_SENDING = 200;
/** Who answers faster than a receipt is stored is a program, or somebody whom a suspended process kept waiting. */
const WAIT_MS = 100;
const MOST_WAITS = 20;

/** What an answer's place is found by. */
export interface PlaceParts {
  readonly picture: Pick<RoutePicture, "findBinding" | "snapshot">;
  readonly store: { readonly read: Pick<StoreReads, "receipts" | "deliveries"> };
  readonly ports: Pick<Ports, "clock">;
  readonly signal: AbortSignal;
}

/**
 * Whether its place may be another one than where it came in. What is no answer is asked nothing about, so that its batch
 * keeps its order beside others that come in at the same time.
 */
export function isAnswer({ quote }: Pick<InboundMessage, "quote">): boolean {
  return quote?.chain !== undefined;
}

/** Each message as said where it belongs, in the order given. */
export function placeMessages(
  messages: readonly InboundMessage[],
  parts: PlaceParts,
): Promise<readonly InboundMessage[]> {
  return Promise.all(messages.map((message) => placeMessage(message, parts)));
}

/**
 * The message as said where it belongs: what answers a child's chain of replies is said in the chain, all else where it came
 * in. A platform tells of an answer only which message it answers, so a chain is its first message, which its address names,
 * and all that was delivered there. What answers anything else, such as what was delivered over 30 days ago, stays.
 */
async function placeMessage(message: InboundMessage, parts: PlaceParts): Promise<InboundMessage> {
  const { picture, ports, signal } = parts;
  const { chain, messageId } = message.quote ?? {};
  const chat = resolveChatOf(message.address);
  if (chain === undefined || resolveChatOf(chain) !== chat) return message;
  if (picture.findBinding(chain) !== undefined) return { ...message, address: chain };
  const places = listPlaces(chat, picture).filter((address) => address !== message.address);
  if (messageId === undefined || places.length === 0) return message;
  for (let waits = 0; ; waits += 1) {
    const address = await findDelivered(messageId, places, parts);
    if (address !== undefined) return { ...message, address };
    // What it answers may be on its way still, as far as this side knows.
    if (waits === MOST_WAITS || signal.aborted || !(await isSending(chat, places, parts))) return message;
    await pause(ports.clock, WAIT_MS, signal);
  }
}

/** The bound places of a chat beside itself, the last one that was bound first: that is where people mostly answer. */
function listPlaces(chat: Address, { snapshot }: Pick<RoutePicture, "snapshot">): readonly Address[] {
  return snapshot.bindings
    .map(({ address }) => address)
    .filter(isAddress)
    .filter((address) => address !== chat && resolveChatOf(address) === chat)
    .toReversed()
    .slice(0, MOST_PLACES);
}

async function findDelivered(
  messageId: string,
  places: readonly Address[],
  { store }: Pick<PlaceParts, "store">,
): Promise<Address | undefined> {
  for (const address of places)
    if ((await store.read.receipts({ address, platformIds: [messageId] })).length > 0) return address;
  return undefined;
}

async function isSending(
  chat: Address,
  places: readonly Address[],
  { store }: Pick<PlaceParts, "store">,
): Promise<boolean> {
  const { channel, account } = parseAddress(chat);
  const sending = await store.read.deliveries({ states: ["sending"], channel, account, limit: MOST_SENDING });
  return sending.some(({ address }) => places.some((place) => place === address));
}
