import { type Announcement, type ChannelConnection, type OutboundMessage, parseAddress } from "@banyan/plugin-sdk";
import { HOST_STAGE } from "../hooks/host-stage.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";

export interface ConnectedAccount {
  readonly channel: string;
  readonly account: string;
  readonly connection: ChannelConnection;
}

/** Adds the host's tap on `announce`: the account's connection sends what is for it and no plugin's tap took. */
export function tapAnnounce(
  hooks: Pick<CallableHooks, "announce">,
  { channel, account, connection }: ConnectedAccount,
  timeoutMs: number,
): () => void {
  const options = { name: `${channel}/${account}`, stage: HOST_STAGE, timeoutMs };
  return hooks.announce.tapPromise(options, async (announcement) => {
    const target = parseAddress(announcement.target);
    if (target.channel !== channel || target.account !== account) return undefined;
    const { anchorId: platformId } = announcement.delivery;
    if (platformId === undefined || connection.edits === undefined) return connection.send(buildMessage(announcement));
    await connection.edits.edit({ address: announcement.target, platformId, text: announcement.text });
    return { platformId };
  });
}

function buildMessage({ delivery, target, text, replyTo, turnId }: Announcement): OutboundMessage {
  return {
    deliveryId: delivery.id,
    part: delivery.part,
    of: delivery.of,
    address: target,
    kind: "completion",
    text,
    attempt: delivery.attempt,
    createdAt: delivery.createdAt,
    mayHaveArrived: delivery.mayHaveArrived,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(turnId === undefined ? {} : { turnId }),
  };
}
