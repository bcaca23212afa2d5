/**
 * Replies in a child's chain of replies. A child without a thread of its own may be bound to such a chain, whose address
 * names the chain's first message. The platform only says which message a reply answers, so a reply belongs to the chain
 * if it answers the first message or anything that was delivered to the chain's address.
 */
import { type Address, type InboundMessage, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/store";
import { pause } from "../ports/pause.ts";
import type { Ports } from "../ports/ports.ts";
import type { RouteView } from "./route-state.ts";

/** Chains of one chat that are searched. Each costs a read, and no chat has more of them in use at a time. */
const MAX_CHAINS = 64;
/** Deliveries of one account that are being sent at a time: at most one per chat that it writes to just now. */
const MAX_SENDING = 200;
/** A reply faster than the receipt of the message that it answers comes from a program, or after a suspended process. */
const RECEIPT_POLL_MS = 100;
const MAX_RECEIPT_POLLS = 20;

export interface ReplyParts {
  readonly store: { readonly read: Pick<StoreReads, "receipts" | "deliveries"> };
  readonly ports: Pick<Ports, "clock">;
  readonly signal: AbortSignal;
}

/** Whether the message may belong to a chain. */
export function isReply({ quote }: Pick<InboundMessage, "quote">): boolean {
  return quote?.chain !== undefined;
}

/** Moves the replies in a child's chain to the chain's address. Every other message stays where it came in. */
export function placeReplies(
  messages: readonly InboundMessage[],
  view: Pick<RouteView, "findBinding" | "snapshot">,
  parts: ReplyParts,
): Promise<readonly InboundMessage[]> {
  return Promise.all(messages.map((message) => placeReply(message, view, parts)));
}

async function placeReply(
  message: InboundMessage,
  view: Pick<RouteView, "findBinding" | "snapshot">,
  parts: ReplyParts,
): Promise<InboundMessage> {
  const { ports, signal } = parts;
  const { chain, messageId } = message.quote ?? {};
  const chat = resolveChatOf(message.address);
  if (chain === undefined || resolveChatOf(chain) !== chat) return message;
  if (view.findBinding(chain) !== undefined) return { ...message, address: chain };
  const chains = listChains(chat, view).filter((address) => address !== message.address);
  if (messageId === undefined || chains.length === 0) return message;
  for (let polls = 0; ; polls += 1) {
    const address = await findDelivered(messageId, chains, parts);
    if (address !== undefined) return { ...message, address };
    // The answered message may be delivered already while its receipt is not stored yet.
    if (polls === MAX_RECEIPT_POLLS || signal.aborted || !(await isSending(chat, chains, parts))) return message;
    await pause(ports.clock, RECEIPT_POLL_MS, signal);
  }
}

/** Lists the bound places of a chat, the newest binding first, because people mostly answer there. */
function listChains(chat: Address, { snapshot }: Pick<RouteView, "snapshot">): readonly Address[] {
  return snapshot.bindings
    .map(({ address }) => address)
    .filter(isAddress)
    .filter((address) => address !== chat && resolveChatOf(address) === chat)
    .toReversed()
    .slice(0, MAX_CHAINS);
}

/** Finds the chain to which the message was delivered. Receipts are kept for 30 days. */
async function findDelivered(
  messageId: string,
  chains: readonly Address[],
  { store }: Pick<ReplyParts, "store">,
): Promise<Address | undefined> {
  for (const address of chains)
    if ((await store.read.receipts({ address, platformIds: [messageId] })).length > 0) return address;
  return undefined;
}

async function isSending(
  chat: Address,
  chains: readonly Address[],
  { store }: Pick<ReplyParts, "store">,
): Promise<boolean> {
  const { channel, account } = parseAddress(chat);
  const sending = await store.read.deliveries({ states: ["sending"], channel, account, limit: MAX_SENDING });
  return sending.some(({ address }) => chains.some((chain) => chain === address));
}
