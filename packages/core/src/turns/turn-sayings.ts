/** What an agent had sent by the tool `message` while its turn ran: it goes out with the turn's end, before its answer. */
import { parseAddress, type Saying } from "@banyan/plugin-sdk";
import type { NewDelivery } from "@banyan/store";
import { composeFileDeliveries } from "../outbound/compose-deliveries.ts";
import type { Turn } from "./compose-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** Asks the hook for each, once. What it cancels is not sent. */
export async function finishSayings(
  turn: Turn,
  sayings: readonly Saying[],
  { hooks, ports }: TurnParts,
): Promise<readonly Saying[]> {
  const { message_sending } = hooks;
  if (!message_sending.isTapped) return sayings;
  const finished: Saying[] = [];
  for (const { text, files } of sayings) {
    const sending = { sessionKey: turn.claim.lane, address: turn.address, kind: "reply", text } as const;
    const final = await message_sending.call(sending);
    if ("cancelled" in final && final.cancelled !== undefined) {
      ports.log.warn({ session: turn.claim.lane, reason: final.cancelled }, "a message was kept back");
    } else finished.push({ text: final.text, files });
  }
  return finished;
}

export function composeSayings(turn: Turn, sayings: readonly Saying[], parts: TurnParts): readonly NewDelivery[] {
  if (sayings.length === 0) return [];
  const { address, claim, body } = turn;
  const channel = parts.getChannel(address);
  const answersMessage = claim.item.kind === "message" && parseAddress(address).kind !== "dm";
  return sayings.flatMap(({ text, files }) =>
    composeFileDeliveries({
      deliveryId: parts.ports.createId(),
      kind: "reply",
      address,
      text: parts.ports.scrub(text),
      limit: channel.text,
      policy: channel.policy,
      sessionKey: claim.lane,
      files,
      capability: channel.files,
      ...(answersMessage ? { replyTo: body.id } : {}),
    }),
  );
}
