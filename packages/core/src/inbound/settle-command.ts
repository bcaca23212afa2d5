import { isAddress } from "@banyan/plugin-sdk";
import { type ItemRow, type NewDelivery, StoreError } from "@banyan/store";
import type { LaneScheduler } from "../lanes/lane-scheduler.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { pause } from "../ports/pause.ts";
import type { CommandParts } from "./command-parts.ts";
import { commitCommand } from "./commit-command.ts";
import { runCommand } from "./run-command.ts";

/** Pauses between the attempts: long enough for a fault that passes, short enough for a person who waits. */
const RETRIES_MS: readonly number[] = [1_000, 4_000];
const FAILED_LINE = "⚠ The command could not be run; send it again.";

interface SettleParts extends CommandParts {
  readonly lanes: Pick<LaneScheduler, "wake">;
}

/**
 * Brings a stored command to its end: run, or given up after three attempts, because what stands behind it in the lane
 * waits for it. Rejects when the store has failed or the gateway stops: the next start takes it up.
 */
export async function settleCommand(item: ItemRow, parts: SettleParts): Promise<void> {
  const { ports, lanes, signal } = parts;
  const { lane, seq } = item;
  for (const retryInMs of [...RETRIES_MS, undefined]) {
    try {
      if ((await runCommand(item, parts)) > 0) lanes.wake(lane);
      return;
    } catch (error) {
      // The turn it stopped was given back.
      lanes.wake(lane);
      if (signal.aborted || (error instanceof StoreError && error.code === "closed")) throw error;
      ports.log.error({ err: error, lane, seq, retryInMs }, "a command failed in the host");
      if (retryInMs === undefined) break;
      await pause(ports.clock, retryInMs, signal);
      if (signal.aborted) throw error;
    }
  }
  await commitCommand({ lane, seq, items: [], deliveries: composeNotice(item, parts) }, parts);
  lanes.wake(lane);
}

/** None where that fails, too: an end without a word is better than none. */
function composeNotice({ lane, seq, address }: ItemRow, parts: CommandParts): readonly NewDelivery[] {
  if (!isAddress(address)) return [];
  try {
    const channel = parts.getChannel(address);
    return composeDeliveries({
      deliveryId: parts.ports.createId(),
      kind: "notice",
      address,
      text: FAILED_LINE,
      limit: channel.text,
      policy: channel.policy,
      sessionKey: lane,
    });
  } catch (error) {
    parts.ports.log.error({ err: error, lane, seq }, "a command was given up without a word");
    return [];
  }
}
