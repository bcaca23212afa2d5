import { isAddress } from "@banyan/plugin-sdk";
import type { DeliveryRow, TimerRow } from "@banyan/store";
import { composeDeliveries } from "../../outbound/compose-deliveries.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { asFired, endTimer } from "./due-timer.ts";

/**
 * Sends as a new message what the platform refused to edit into this row's, which stays as it is. The rows are written
 * with the timer's end, under ids of their own: once, whatever dies on the way.
 */
export async function sayInstead(
  timer: TimerRow,
  { deliveryId, address, sessionKey }: DeliveryRow,
  text: string,
  parts: SubagentParts,
): Promise<void> {
  const { store, ports, signal, outbox } = parts;
  if (!isAddress(address)) return endTimer(timer, parts);
  const { text: limit, policy } = parts.getChannel(address);
  const deliveries = composeDeliveries({
    deliveryId: `${deliveryId}|end`,
    kind: "status",
    address,
    text: ports.scrub(text),
    limit,
    policy,
    ...(sessionKey === undefined ? {} : { sessionKey }),
  });
  const step = { step: "set_timers", fired: asFired(timer), arm: [], end: [], deliveries } as const;
  await commitPatiently(store, step, ports, signal);
  outbox.enqueue(deliveries);
}
