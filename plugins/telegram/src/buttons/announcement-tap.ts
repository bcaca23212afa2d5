/** The channel's own tap on `announce`: a completion has buttons below its last part. */
import { type Announcement, type ChannelContext, parseAddress, type ShownRun } from "@banyan/plugin-sdk";
import type { MessageSender } from "../sending/message-sender.ts";

export interface AnnouncementTapOptions extends Pick<ChannelContext<unknown>, "account" | "hooks"> {
  readonly send: MessageSender;
}

/** So long a send may take, waiting for its turn included; the host's own tap has as much. */
const TAP_TIMEOUT_MS = 60_000;

/** It goes with the account. */
export function tapAnnouncements({ account, hooks, send }: AnnouncementTapOptions): () => void {
  const tap = { name: `telegram/${account} buttons`, timeoutMs: TAP_TIMEOUT_MS };
  return hooks.announce.tapPromise(tap, async (announcement) => {
    const place = parseAddress(announcement.target);
    if (place.channel !== "telegram" || place.account !== account) return undefined;
    const { delivery, target: address, text, replyTo, turnId } = announcement;
    const run = describeRun(announcement);
    return send({
      deliveryId: delivery.id,
      part: delivery.part,
      address,
      text,
      ...(replyTo !== undefined && { replyTo }),
      ...(turnId !== undefined && { turnId }),
      ...(run !== undefined && { run }),
    });
  });
}

function describeRun({ delivery, runId, childThread, completion }: Announcement): ShownRun | undefined {
  if (delivery.part < delivery.of - 1) return undefined;
  const { askedBy } = completion;
  return {
    runId,
    state: "told",
    parts: delivery.of,
    ...(askedBy !== undefined && { askedBy }),
    ...(childThread !== undefined && { childThread }),
  };
}
