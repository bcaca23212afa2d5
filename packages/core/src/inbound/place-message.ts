import { type Address, type InboundMessage, isAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { StoreReads } from "@banyan/plugin-sdk/store";
import type { RoutePicture } from "../access/route-state.ts";

/** Each costs a read; a chat with more children that people talk with at a time is none. */
const MOST_PLACES = 64;

/** What an answer's place is found by. */
export interface PlaceParts {
  readonly picture: Pick<RoutePicture, "findBinding" | "snapshot">;
  readonly read: Pick<StoreReads, "receipts">;
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
async function placeMessage(message: InboundMessage, { picture, read }: PlaceParts): Promise<InboundMessage> {
  const { chain, messageId } = message.quote ?? {};
  const chat = resolveChatOf(message.address);
  if (chain === undefined || resolveChatOf(chain) !== chat) return message;
  if (picture.findBinding(chain) !== undefined) return { ...message, address: chain };
  if (messageId === undefined) return message;
  for (const address of listPlaces(chat, picture)) {
    const found = address === message.address ? [] : await read.receipts({ address, platformIds: [messageId] });
    if (found.length > 0) return { ...message, address };
  }
  return message;
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
