import { parseAddress } from "@banyan/plugin-sdk";
import type { NewDelivery } from "@banyan/store";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { isVisible } from "../runs/silent-answer.ts";
import type { Turn, TurnEnd } from "./compose-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** What a turn tells its chat, as the hook left it. */
export type FinalReply = NonNullable<TurnEnd["reply"]>;

/** Asks the hook, once. `undefined`: the chat is told nothing. What tells of a run's end cannot be kept back. */
export async function finishReply(turn: Turn, end: TurnEnd, parts: TurnParts): Promise<FinalReply | undefined> {
  const { reply } = end;
  if (reply === undefined) return undefined;
  const { hooks, ports } = parts;
  const sending = { sessionKey: turn.claim.lane, address: turn.address, ...reply };
  const { message_sending } = hooks;
  const final = message_sending.isTapped ? await message_sending.call(sending) : sending;
  if ("cancelled" in final && final.cancelled !== undefined && turn.completions.length === 0) {
    ports.log.warn({ session: turn.claim.lane, reason: final.cancelled }, "a reply was kept back");
    return undefined;
  }
  // What tells of a run's end keeps its words where a tap leaves none.
  if (!isVisible(final.text)) return turn.completions.length > 0 ? reply : undefined;
  return { kind: reply.kind, text: final.text };
}

/** The rows of what the chat is told. */
export function composeReply(turn: Turn, reply: FinalReply, parts: TurnParts): readonly NewDelivery[] {
  const { address, claim } = turn;
  const { ports } = parts;
  const channel = parts.getChannel(address);
  const answersMessage = claim.item.kind === "message" && parseAddress(address).kind !== "dm";
  return composeDeliveries({
    deliveryId: ports.createId(),
    kind: reply.kind,
    address,
    // What a tap has made of it may hold one.
    text: ports.scrub(reply.text),
    limit: channel.text,
    policy: channel.policy,
    sessionKey: claim.lane,
    ...(reply.kind === "reply" ? { turnId: turn.id } : {}),
    // In a DM it is plain what an answer answers to.
    ...(answersMessage ? { replyTo: turn.body.id } : {}),
  });
}
